import { randomUUID } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { env } from "../env";
import { allNetworks, type Limits, type Network, networkFormats } from "../networks";
import { platforms } from "../platforms";
import {
  as,
  callsOn,
  clip,
  connectAccount,
  firstChat,
  newOwner,
  picture,
  read,
  readResponse,
  schedule,
} from "../testing";
import { requiredSettingsOf } from "../testing/recipe";
import type { Called } from "../testing/sandbox";
import { withApiServed } from "../testing/served";
import { claimPublication } from "./publish/claim";
import { publish } from "./publish/publish";
import { createDuePost } from "./testing/due";

withApiServed();

type Preview = {
  publications: { posts: { requests: { method: string; url: string; makesPublic: boolean }[]; problem?: string }[] }[];
};

/** The calls of a person, and those that the network attributes to no one. Other tests use the network at the same time. */
async function callsFor({ platform }: Network, person: string): Promise<Called[]> {
  const all: Called[] = await (await fetch(`${env.sandbox?.url}/_control/calls?network=${platforms[platform]}`)).json();
  return all.filter(({ account = person }) => account === person);
}

/** The sandbox's networks share a host and have a path prefix each, except for hosts of accounts. */
const pathOn = (network: Network, path: string) =>
  path.replace(new RegExp(`^/${platforms[network.platform]}(?=/)`), "");

/** The preview shows values that only the network knows in braces, and secrets as asterisks. Both match any value. */
function likeShown(network: Network, { method, url }: { method: string; url: string }) {
  const path = pathOn(network, decodeURIComponent(new URL(url).pathname));
  const parts = path.split(/\{[^}]*\}|\*\*\*/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^${method} ${parts.join("[^/]+")}$`));
}

/** A poll repeats the same call; the preview shows it once. */
const withoutRepeats = (calls: Called[]) =>
  calls.filter(({ method, path }, n) => method !== calls[n - 1]?.method || path !== calls[n - 1]?.path);

test.concurrent.each(allNetworks().map((network) => [network.name, network] as const))(
  "%s gets the calls that the preview showed, in the same order",
  { timeout: 60_000 },
  async (_, network) => {
    const one = await createDuePost(network);
    const [status, preview] = (await readResponse(one.client.get(`/v1/posts/${one.id}/preview`))) as [number, Preview];
    expect(status).toBe(200);
    const [post] = preview.publications[0]?.posts ?? [];
    expect(post?.problem).toBeUndefined();
    expect(await callsOn(platforms[network.platform], one.person, "publish")).toEqual([]);
    const before = (await callsFor(network, one.person)).length;
    await vi.waitFor(
      async () => {
        const claim = await claimPublication(one.publicationId, { id: randomUUID(), assertAlive() {} });
        if (claim) await publish(claim);
        expect((await read(one.client, one.id)).overallStatus).toBe("COMPLETED");
      },
      { timeout: 45_000, interval: 100 },
    );
    const sent = withoutRepeats((await callsFor(network, one.person)).slice(before));
    const shown = post?.requests ?? [];
    const paths = sent.map(({ method, path }) => `${method} ${pathOn(network, path)}`);
    expect(paths.slice(0, shown.length)).toEqual(shown.map((request) => likeShown(network, request)));
    const final = shown.filter((_, at) => sent[at]?.operation === "publish");
    expect(new Set(final.map(({ makesPublic }) => makesPublic))).toEqual(new Set([true]));
    // The remaining calls only read the post's address.
    const after = sent.slice(shown.length).map(({ operation }) => operation);
    expect(after.filter((operation) => ["upload", "prepare", "publish"].includes(operation))).toEqual([]);
  },
);

const HOUR_MS = 3_600_000;

/** Everything that can be published: each format with each kind of post of a network. */
const kinds = allNetworks().flatMap((network) => {
  const { variants } = network;
  const each = variants ? Object.keys(variants.formats).map((value) => ({ [variants.setting]: value })) : [{}];
  return each.flatMap((chosen) => {
    const settings = { ...requiredSettingsOf(network), ...chosen };
    const formats = Object.entries(networkFormats(network, network.settings.parse(settings)));
    return formats.map(([format, { limits }]) => [network.name, format, settings, network, limits] as const);
  });
});

/** One owner has all accounts and files, because a preview changes neither. */
let owner: string;
beforeAll(async () => {
  owner = await newOwner();
});

/** The owner's files, by what they are. */
const uploads = new Map<string, Promise<string>>();

function fileOf(name: string, upload: () => Promise<string>): Promise<string> {
  const path = uploads.get(name) ?? upload();
  uploads.set(name, path);
  return path;
}

async function filesOf(format: string, { video }: Limits): Promise<string[]> {
  if (format === "text") return [];
  const seconds = video?.minBytes ? 180 : 5;
  if (format === "video") return [await fileOf(`video of ${seconds} s`, () => clip(owner, { seconds }))];
  const names = format === "image" ? ["one"] : ["one", "another"];
  return Promise.all(names.map((name) => fileOf(name, () => picture(owner, 1080, 1080))));
}

test.each(kinds)("%s: a preview of its %s format (%o) includes the call that makes it public", async (...kind) => {
  const [, format, settings, network, limits] = kind;
  const client = as(owner);
  const { id } = await connectAccount(owner, network.platform);
  const chatId = await firstChat(client, id, network);
  const post = { content: "Ding", attachmentPaths: await filesOf(format, limits), chatId };
  const platformSettings = { type: network.settingsTypes[0], ...settings };
  const on = { socialMediaAccountId: id, platformSettings, posts: [post] };
  const made = await schedule(client, [on], new Date(Date.now() + HOUR_MS));
  const [status, preview] = (await readResponse(client.get(`/v1/posts/${made.id}/preview`))) as [number, Preview];
  expect(status).toBe(200);
  const [shown] = preview.publications[0]?.posts ?? [];
  expect(shown?.problem).toBeUndefined();
  expect(shown?.requests.some(({ makesPublic }) => makesPublic)).toBe(true);
  // Each file is shown by its name instead of its bytes or address.
  const named = decodeURIComponent(JSON.stringify(shown?.requests).replaceAll("+", " ")).match(
    /(clip\.mp4|picture\.jpg), (video|image)/g,
  );
  expect(named?.length ?? 0).toBeGreaterThanOrEqual(post.attachmentPaths.length);
});
