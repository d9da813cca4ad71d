import { afterAll, afterEach, beforeAll } from "vitest";
import { mp4 } from "../../../../sandbox/testing/mp4";
import type { App, NetworkSession, OAuthConnect, OutgoingMedia, OutgoingPost, Published } from "../../network";
import { networkFormat } from "../../network";
import { connectBy, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../../testing";
import { makeSession } from "../../wire/fetch";
import { youtube } from "..";
import { settings, type YouTubeSettings } from "../settings";
import { described } from "./described";

type Post = OutgoingPost<YouTubeSettings>;
type Shape = Parameters<typeof mp4>[0] & { padTo?: number };

export const connect = youtube.connect as OAuthConnect; // YouTube's own definition
let people = 0;

/** Starts YouTube's sandbox for one test file, with connected channels and their videos. */
export function bench() {
  let sandbox: TestSandbox;
  let app: App;
  beforeAll(async () => {
    sandbox = await sandboxFor("youtube", { described });
    app = sandboxApp(youtube, sandbox.url, "youtube");
  });
  afterEach(() => sandbox.clearFaults());
  afterAll(() => sandbox.close());

  const control = async (action: string, body: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${sandbox.url}/_control/youtube/${action}`, init);
    if (!answer.ok) throw new Error(`_control/youtube/${action}: ${answer.status}`);
  };
  return {
    get sandbox() {
      return sandbox;
    },
    get app() {
      return app;
    },
    control,
    async person(channel: object = {}): Promise<NetworkSession & { name: string }> {
      const name = `person${++people}`;
      const tokens = await connectBy(app, connect, name);
      const anonymous = makeSession(youtube, app, { accountId: "", username: "", tokens });
      const profile = await youtube.profile(anonymous);
      await control("channel", { account: name, ...channel });
      return { ...makeSession(youtube, app, { ...profile, tokens }), name };
    },
    publish(post: Post, session: NetworkSession, memory = newMemory()): Promise<Published> {
      const found = networkFormat(youtube, post.settings, "video");
      if (!found) throw new Error("YouTube has no such format");
      return found.publish(
        post,
        memoryRun(session, memory, () => sandbox.advance(1)),
      );
    },
    video({ padTo = 0, ...shape }: Shape = {}): OutgoingMedia {
      const bytes = padded(mp4(shape), padTo);
      const facts = { kind: "video", contentType: "video/mp4", filename: "video.mp4" } as const;
      const { seconds = 5, width = 720, height = 1280 } = shape;
      return { ...sandbox.file(bytes, facts), durationSeconds: Math.ceil(seconds), width, height };
    },
    held: async (name: string) => (await sandbox.posts()).filter((post) => post.account === name),
    /** The statuses of the answers to a person's calls of one type. */
    statuses: async (name: string, operation: string) =>
      (await sandbox.calls())
        .filter((call) => call.operation === operation && "account" in call && call.account === name)
        .map(({ status }) => status),
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

export const post = (video: OutgoingMedia, given: object = {}, more: Partial<Post> = {}): Post => ({
  content: "",
  media: [video],
  settings: settings.parse({ title: "A title", ...given }),
  ...more,
});
