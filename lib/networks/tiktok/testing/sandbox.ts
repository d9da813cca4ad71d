import { afterAll, afterEach, beforeAll } from "vitest";
import { mp4 } from "../../../../sandbox/testing/mp4";
import type {
  App,
  FormatName,
  NetworkSession,
  OAuthConnect,
  OutgoingMedia,
  OutgoingPost,
  Published,
} from "../../network";
import { networkFormat } from "../../network";
import { connectBy, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../../testing";
import { makeSession } from "../../wire/fetch";
import { tiktok } from "..";
import { settings, type TikTokSettings } from "../settings";

type Post = OutgoingPost<TikTokSettings>;
type Shape = Parameters<typeof mp4>[0] & { padTo?: number };

export const connect = tiktok.connect as OAuthConnect; // TikTok's own definition
let people = 0;

/** Starts TikTok's sandbox for one test file, with connected people and their posts. */
export function bench() {
  let sandbox: TestSandbox;
  let app: App;
  beforeAll(async () => {
    sandbox = await sandboxFor("tiktok");
    app = sandboxApp(tiktok, sandbox.url, "tiktok");
  });
  afterEach(() => sandbox.clearFaults());
  afterAll(() => sandbox.close());

  const control = async (action: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${sandbox.url}/_control/tiktok/${action}`, init);
    if (!answer.ok) throw new Error(`_control/tiktok/${action}: ${answer.status}`);
  };
  return {
    get sandbox() {
      return sandbox;
    },
    get app() {
      return app;
    },
    control,
    /** Connects a new person, so that tests do not share rate limits. */
    async person(creator: object = {}): Promise<NetworkSession & { name: string }> {
      const name = `person${++people}`;
      await control("creator", { account: name, ...creator });
      const tokens = await connectBy(app, connect, name);
      const anonymous = makeSession(tiktok, app, { accountId: "", username: "", tokens });
      return { ...makeSession(tiktok, app, { ...(await tiktok.profile(anonymous)), tokens }), name };
    },
    publish(format: FormatName, post: Post, session: NetworkSession, memory = newMemory()): Promise<Published> {
      const found = networkFormat(tiktok, post.settings, format);
      if (!found) throw new Error("TikTok has no such format");
      return found.publish(
        post,
        memoryRun(session, memory, () => sandbox.advance(1)),
      );
    },
    video({ padTo = 0, ...shape }: Shape = {}): OutgoingMedia {
      const bytes = padded(mp4(shape), padTo);
      const facts = { kind: "video", contentType: "video/mp4", filename: "video.mp4" } as const;
      const { seconds = 5, width = 720, height = 1280 } = shape;
      return { ...sandbox.file(bytes, facts), durationSeconds: seconds, width, height };
    },
    held: async (name: string) => (await sandbox.posts()).filter((post) => post.account === name),
    calls: async (operation: string) => (await sandbox.calls()).filter((call) => call.operation === operation),
  };
}

/** Pads the file with an unused box (ISO 14496-12, "free"). */
function padded(bytes: Uint8Array, size: number): Uint8Array {
  const rest = size - bytes.length;
  if (rest < 8) return bytes;
  const box = Buffer.alloc(rest);
  box.writeUInt32BE(rest, 0);
  box.write("free", 4, "latin1");
  return Buffer.concat([bytes, box]);
}

export const post = (media: OutgoingMedia[], content = "", given: object = {}): Post => ({
  content,
  media,
  settings: settings.parse({ privacyLevel: "PUBLIC_TO_EVERYONE", ...given }),
});
