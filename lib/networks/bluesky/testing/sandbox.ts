import { afterAll, afterEach, beforeAll } from "vitest";
import type { App, FormatName, NetworkSession, OAuthConnect, OutgoingPost, Published, Tokens } from "../../network";
import { networkFormat } from "../../network";
import { connectBy, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../../testing";
import { makeApp, makeSession } from "../../wire/fetch";
import { bluesky } from "..";
import type { BlueskySettings } from "../settings";
import { validated } from "./lexicon-checks";

export const connect = bluesky.connect as OAuthConnect; // Bluesky's own definition
/** The app password of every sandbox account until it is revoked. */
export const APP_PASSWORD = "sand-box7-pass-word";

type Post = Partial<OutgoingPost<BlueskySettings>> & { content: string };

const validatedApp = (app: App): App => ({ ...app, fetch: validated(app.fetch) });

/** Starts a sandbox for the tests of one file, with helpers. */
export function blueskySandbox() {
  const own: { sandbox?: TestSandbox; app?: App } = {};
  beforeAll(async () => {
    own.sandbox = await sandboxFor("bluesky");
    own.app = validatedApp(sandboxApp(bluesky, own.sandbox.url, "bluesky"));
  });
  afterEach(() => own.sandbox?.clearFaults());
  afterAll(() => own.sandbox?.close());

  const up = () => {
    if (!own.sandbox || !own.app) throw new Error("the sandbox is not running yet");
    return { sandbox: own.sandbox, app: own.app };
  };
  const withTokens = async (tokens: Tokens): Promise<NetworkSession> => {
    const { app } = up();
    const sessionOf = (whose: { accountId: string; username: string }) => {
      const session = makeSession(bluesky, app, { ...whose, tokens });
      return { ...session, fetch: validated(session.fetch) };
    };
    return sessionOf(await bluesky.profile(sessionOf({ accountId: "", username: "" })));
  };
  return {
    get sandbox() {
      return up().sandbox;
    },
    get app() {
      return up().app;
    },
    withTokens,
    connected: async (account = "alice") => withTokens(await connectBy(up().app, connect, account)),
    /** The network with another application. */
    appAs: (clientId: string, clientSecret: string): App =>
      validatedApp(
        makeApp(bluesky, { mode: "sandbox", clientId, clientSecret, apiUrl: `${up().sandbox.url}/bluesky` }),
      ),
    publish(session: NetworkSession, format: FormatName, post: Post, memory = newMemory()): Promise<Published> {
      const found = networkFormat(bluesky, {}, format);
      if (!found) throw new Error("Bluesky has no such format");
      return found.publish({ media: [], settings: {}, ...post }, memoryRun(session, memory));
    },
    async held(text: string) {
      return (await up().sandbox.posts()).filter((one) => one.text === text);
    },
  };
}
