import { platforms } from "../../platforms";
import { type DryRunRequest, dryRun } from "../dry-run";
import type { FileKind } from "../limits";
import type {
  App,
  BotConnect,
  FormatName,
  Network,
  NetworkFetch,
  NetworkSession,
  OutgoingPost,
  Published,
} from "../network";
import { networkFormat, networkFormats } from "../network";
import { makeSession } from "../wire/fetch";
import { connectedTo, sandboxApp, submitConsent } from "./connect";
import type { RequestCheck } from "./request-checks";
import { memoryRun, newMemory } from "./run";
import { sandboxFor } from "./sandbox";

export type SandboxPerson = { name: string; session: NetworkSession; chatId?: string };

/** Settings without a default. */
const SETTINGS: { [name: string]: object } = {
  tiktok: { privacyLevel: "PUBLIC_TO_EVERYONE" },
  youtube: { title: "A title" },
};
const FILES: { [format in FormatName]: FileKind[] } = {
  text: [],
  image: ["image"],
  video: ["video"],
  carousel: ["image", "image"],
  document: ["document"],
};

/** Checks of what is sent: of requests as they arrive, or of calls before they leave. */
type Checks = { described?: RequestCheck; checked?: (fetch: NetworkFetch) => NetworkFetch };
/** What a post has in addition to its text and files. */
type More = Partial<OutgoingPost<unknown>> & { settings?: { [name: string]: unknown } };

/** Starts a sandbox for any network, with connected people and a minimal post for each format. */
export async function atSandbox(network: Network, { described, checked = (fetch) => fetch }: Checks = {}) {
  const name = platforms[network.platform];
  const sandbox = await sandboxFor(name, { described });
  const app = sandboxApp(network, sandbox.url, name);
  let people = 0;

  const parsed = (settings: object = {}) => network.settings.parse({ ...SETTINGS[name], ...settings });
  async function post(
    format: FormatName,
    content: string,
    { chatId }: SandboxPerson,
    { settings = {}, ...more }: More,
  ): Promise<OutgoingPost<unknown>> {
    const media = FILES[format].map((kind) => sandbox[kind]());
    return {
      content,
      media: await Promise.all(media),
      settings: parsed(settings),
      chatId,
      ...more,
    };
  }
  return {
    ...sandbox,
    app,
    /** The formats of posts with these settings. */
    formats: (settings?: object) => Object.keys(networkFormats(network, parsed(settings))) as FormatName[],
    /** Connects a new person, so that tests share neither posts nor limits. */
    async person(): Promise<SandboxPerson> {
      const { session, ...person } = await connected(network, app, `person${++people}`);
      return { ...person, session: { ...session, fetch: checked(session.fetch) } };
    },
    /** Publishes once with `memoryRun`; first advances the network's clock by a minute to avoid rate limits. */
    async publish(
      format: FormatName,
      content: string,
      person: SandboxPerson,
      more: More = {},
      memory = newMemory(),
    ): Promise<Published> {
      await sandbox.advance(60);
      const sent = await post(format, content, person, more);
      const found = networkFormat(network, sent.settings, format);
      if (!found) throw new Error("the network has no such format");
      return found.publish(
        sent,
        memoryRun(person.session, memory, () => sandbox.advance(5)),
      );
    },
    /** The requests that a preview shows of a post, with the files themselves. */
    async preview(
      format: FormatName,
      content: string,
      person: SandboxPerson,
      more: More = {},
    ): Promise<DryRunRequest[]> {
      const shown = await post(format, content, person, more);
      const { run, requests } = dryRun(network, accountOf(person), person.session.tokens);
      await networkFormat(network, shown.settings, format)?.publish(shown, run);
      return requests;
    },
    /** The requests that a preview shows of a first comment. */
    async previewComment(text: string, on: Published, person: SandboxPerson): Promise<DryRunRequest[]> {
      const { run, requests } = dryRun(network, accountOf(person), person.session.tokens);
      await network.comment?.publish({ text, settings: parsed(), on, chatId: person.chatId }, run);
      return requests;
    },
    /** Publishes a first comment on a post, or a first reply to it. */
    async comment(text: string, on: Published, { session, chatId }: SandboxPerson, memory = newMemory()) {
      if (!network.comment) throw new Error("the network takes no comments");
      await sandbox.advance(60);
      const run = memoryRun(session, memory, () => sandbox.advance(5));
      return network.comment.publish({ text, settings: parsed(), on, chatId }, run);
    },
    held: async ({ name: person }: SandboxPerson) =>
      (await sandbox.posts()).filter(({ account }) => account === person),
  };
}

const accountOf = ({ session: { accountId, username } }: SandboxPerson) => ({ accountId, username });

export type AtSandbox = Awaited<ReturnType<typeof atSandbox>>;

async function connected(network: Network, app: App, name: string): Promise<SandboxPerson> {
  if (network.connect.kind === "bot") return started(network, network.connect, app, name);
  const session = await connectedTo(network, app, name);
  const [destination] = (await network.destinations?.list?.(session)) ?? [];
  return { name, session, chatId: destination?.id };
}

async function started(network: Network, bot: BotConnect, app: App, name: string): Promise<SandboxPerson> {
  await submitConsent(await bot.startUrl(app, name), { account: name, decision: "allow" });
  const { events } = await bot.updates(app, 0, 0);
  const start = events.find((event) => event.kind === "start" && event.code === name);
  if (start?.kind !== "start") throw new Error(`${name} did not start the bot`);
  const { profile } = start;
  const given = events.find((event) => event.kind === "destination" && event.byAccountId === profile.accountId);
  const chatId = given?.kind === "destination" ? given.destination.id : undefined;
  return { name, session: makeSession(network, app, { ...profile, tokens: { accessToken: "" } }), chatId };
}
