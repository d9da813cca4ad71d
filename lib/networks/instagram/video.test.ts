import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PlatformError } from "../errors";
import type { App, FormatName, NetworkSession, OutgoingPost, Published } from "../network";
import { networkFormat } from "../network";
import { connectedTo, failureOf, memoryRun, newMemory, sandboxApp, sandboxFor, type TestSandbox } from "../testing";
import { instagram } from ".";
import { type InstagramSettings, settings } from "./settings";
import { described } from "./testing/described";

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;

beforeAll(async () => {
  sandbox = await sandboxFor("instagram", { described });
  app = sandboxApp(instagram, sandbox.url, "instagram");
  alice = await connectedTo(instagram, app, "alice");
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

type Post = OutgoingPost<InstagramSettings>;
const feed = settings.parse({});
const reels = settings.parse({ publicationType: "REELS" });
const story = settings.parse({ publicationType: "STORY" });

function publish(format: FormatName, post: Post, memory = newMemory(), session = alice): Promise<Published> {
  const found = networkFormat(instagram, post.settings, format);
  if (!found) throw new Error("Instagram has no such format");
  const run = memoryRun(session, memory, () => sandbox.advance(20));
  return found.publish(post, run);
}
type Held = { settings: { [name: string]: unknown } };
const held = async (text: string) =>
  (await sandbox.posts()).filter((one) => one.text === text) as (Held &
    Awaited<ReturnType<TestSandbox["posts"]>>[number])[]; // the sandbox's posts include their settings

describe("video", () => {
  test.each([
    ["in the feed", feed],
    ["among the reels", reels],
  ])("%s is published as a reel that also appears in the feed", async (content, of) => {
    const published = await publish("video", { content, media: [sandbox.video()], settings: of });
    const [one, ...more] = await held(content);
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: expect.stringContaining("/reel/") });
    expect(one?.media).toMatchObject([{ type: "video/mp4" }]);
    expect(one?.settings).toMatchObject({ media_product_type: "REELS", share_to_feed: true });
  });

  test("has a cover from its own address and the AI label", async () => {
    const labelled = settings.parse({ publicationType: "REELS", aiContent: true });
    const thumbnail = await sandbox.image({ width: 720, height: 1280 });
    await publish("video", { content: "covered", media: [sandbox.video()], settings: labelled, thumbnail });
    const [one] = await held("covered");
    expect(one?.settings).toMatchObject({ cover_url: expect.stringContaining("image.jpeg"), is_ai_generated: true });
  });

  test("is published in a carousel with an image, in order", async () => {
    const media = [sandbox.video(), await sandbox.image()];
    await publish("carousel", { content: "both", media, settings: settings.parse({ aiContent: true }) });
    const [one] = await held("both");
    expect(one?.media.map(({ type }) => type)).toEqual(["video/mp4", "image/jpeg"]);
    expect(one?.settings).toMatchObject({ media_product_type: "FEED", is_ai_generated: true });
  });

  test("is published as a story, alone and with an image", async () => {
    const before = (await sandbox.posts()).length;
    await publish("video", { content: "", media: [sandbox.video()], settings: story });
    await publish("carousel", { content: "", media: [await sandbox.image(), sandbox.video()], settings: story });
    const stories = (await sandbox.posts()).slice(before);
    expect(stories.map(({ media }) => media.map(({ type }) => type))).toEqual([
      ["video/mp4"],
      ["image/jpeg"],
      ["video/mp4"],
    ]);
  });
});

describe("limits", () => {
  test("of reels, stories and covers", () => {
    const of = (value: InstagramSettings, format: FormatName) => networkFormat(instagram, value, format)?.limits;
    const MB = 1_048_576;
    expect(of(reels, "video")).toMatchObject({
      text: { max: 2200, hashtags: 30, mentions: 20 },
      video: {
        types: ["video/mp4", "video/quicktime"],
        maxBytes: 300 * MB,
        seconds: { min: 3, max: 900 },
        ratio: { min: 0.01, max: 10 },
        maxWidth: 1920,
        frameRate: { min: 23, max: 60 },
        codecs: ["avc", "hevc"],
      },
      cover: { types: ["image/jpeg"], maxBytes: 8 * MB },
    });
    expect(of(story, "video")).toMatchObject({
      video: { maxBytes: 100 * MB, seconds: { min: 3, max: 60 }, ratio: { min: 0.1, max: 10 } },
    });
    expect(of(feed, "carousel")?.video).toEqual(of(reels, "video")?.video);
    expect(of(reels, "image")).toBeUndefined();
    expect(of(reels, "carousel")).toBeUndefined();
  });

  test.each([
    ["too short", { seconds: 2 }],
    ["too slow", { fps: 20 }],
    ["too wide", { width: 1922, height: 1080 }],
    ["not optimized for fast start", { isFastStart: false }],
  ])("a video that is %s is rejected with a message", async (content, shape) => {
    const media = [sandbox.video(shape)];
    expect(await failureOf(publish("video", { content, media, settings: feed }))).toMatchObject({
      kind: "rejected",
      refused: true,
      message: "Instagram refused the video because of its format",
      answer: { code: "2207026" },
    });
    expect(await held(content)).toEqual([]);
  });

  test("a story longer than a minute is rejected, a reel is not", async () => {
    const media = [sandbox.video({ seconds: 62 })];
    expect(await failureOf(publish("video", { content: "", media, settings: story }))).toMatchObject({
      kind: "rejected",
    });
    await publish("video", { content: "62 seconds", media, settings: reels });
    expect(await held("62 seconds")).toHaveLength(1);
  });
});

describe("publishing limit of 24 hours", () => {
  const withQuota = (used: number, total: number, status = 200): NetworkSession => ({
    ...alice,
    fetch: (path, call) => {
      if (!path.includes("content_publishing_limit")) return alice.fetch(path, call);
      if (status !== 200) return Promise.reject(new PlatformError("unknown", "not now"));
      return Promise.resolve(Response.json({ data: [{ quota_usage: used, config: { quota_total: total } }] }));
    },
  });
  const send = async (content: string, session: NetworkSession) =>
    publish("image", { content, media: [await sandbox.image()], settings: feed }, newMemory(), session);

  test("one below the limit is published", async () => {
    await send("the last one", withQuota(49, 50));
    expect(await held("the last one")).toHaveLength(1);
  });
  test("at the limit: later, and nothing is prepared", async () => {
    const before = (await sandbox.calls()).length;
    expect(await failureOf(send("one too many", withQuota(50, 50)))).toMatchObject({
      kind: "later",
      retryAfterSeconds: 3600,
    });
    expect((await sandbox.calls()).length).toBe(before);
  });
  test("each story counts", async () => {
    const media = [await sandbox.image(), await sandbox.image({ shade: 7 })];
    const post = { content: "", media, settings: story };
    expect(await failureOf(publish("carousel", post, newMemory(), withQuota(49, 50)))).toMatchObject({ kind: "later" });
  });
  test("an unreadable limit does not block publishing", async () => {
    await send("unread", withQuota(0, 0, 500));
    expect(await held("unread")).toHaveLength(1);
  });
  test("is read from the network", async () => {
    await send("counted", alice);
    const calls = await sandbox.calls();
    expect(calls.some(({ path }) => path.endsWith("/content_publishing_limit"))).toBe(true);
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body", "http_500", "refuse"])(
    "%s of a reel: publishes once and finds it",
    async (fault) => {
      const memory = newMemory();
      const post = { content: `A reel lost by ${fault}`, media: [sandbox.video()], settings: reels };
      await sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(publish("video", post, memory))).toMatchObject({ kind: "unknown", refused: false });
      const published = await publish("video", post, memory);
      expect(await held(post.content)).toMatchObject([{ id: published.id, permalink: published.permalink }]);
    },
  );

  test("suspected spam, although published: checks the container and does not send it again", async () => {
    const memory = newMemory();
    const post = { content: "Not spam", media: [sandbox.video()], settings: reels };
    await sandbox.fault({ operation: "publish", fault: "duplicate" });
    const error = await failureOf(publish("video", post, memory));
    expect(error).toMatchObject({ kind: "unknown", refused: false, answer: { code: "4/2207051" } });
    const published = await publish("video", post, memory);
    expect((await held("Not spam")).map(({ id }) => id)).toEqual([published.id]);
  });

  test.each(["prepare", "status"])(
    "drop_response on %s: nothing is public, and the next attempt completes it",
    async (at) => {
      const memory = newMemory();
      const post = { content: `Lost at ${at}`, media: [sandbox.video()], settings: reels };
      await sandbox.fault({ operation: at, fault: "drop_response" });
      expect(await failureOf(publish("video", post, memory))).toMatchObject({ kind: "unknown" });
      expect(await held(post.content)).toEqual([]);
      await publish("video", post, memory);
      expect(await held(post.content)).toHaveLength(1);
    },
  );

  test("a video whose preparation fails gets another container", async () => {
    await sandbox.fault({ operation: "prepare", fault: "processing_fails" });
    await publish("video", { content: "Second container", media: [sandbox.video()], settings: reels });
    expect(await held("Second container")).toHaveLength(1);
  });
});
