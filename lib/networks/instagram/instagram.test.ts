import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PlatformError } from "../errors";
import type { App, FormatName, NetworkSession, OAuthConnect, OutgoingPost, Published } from "../network";
import { networkFormat } from "../network";
import {
  connectBy,
  failureOf,
  memoryRun,
  newMemory,
  sandboxApp,
  sandboxFor,
  submitConsent,
  type TestSandbox,
} from "../testing";
import { makeSession } from "../wire/fetch";
import { instagram } from ".";
import { type InstagramSettings, settings } from "./settings";
import { described } from "./testing/described";

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
const connect = instagram.connect as OAuthConnect; // Instagram's own definition
const DAY = 86_400;

async function connected(account: string): Promise<NetworkSession> {
  const tokens = await connectBy(app, connect, account);
  const anonymous = makeSession(instagram, app, { accountId: "me", username: "", tokens });
  return makeSession(instagram, app, { ...(await instagram.profile(anonymous)), tokens });
}

beforeAll(async () => {
  sandbox = await sandboxFor("instagram", { described });
  app = sandboxApp(instagram, sandbox.url, "instagram");
  alice = await connected("alice");
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

type Post = OutgoingPost<InstagramSettings>;
const feed = settings.parse({});
const story = settings.parse({ publicationType: "STORY" });

function publish(format: FormatName, post: Post, memory = newMemory(), session = alice): Promise<Published> {
  const found = networkFormat(instagram, post.settings, format);
  if (!found) throw new Error("Instagram has no such format");
  return found.publish(
    post,
    memoryRun(session, memory, () => sandbox.advance(20)),
  );
}
const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text === text);
const images = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => sandbox.image({ shade: 20 * index })));
describe("settings", () => {
  test("have defaults and an alias, and reject unknown fields", () => {
    expect(feed).toEqual({ publicationType: "FEED", aiContent: false });
    expect(settings.parse({ publicationType: "REEL" })).toEqual({ publicationType: "REELS", aiContent: false });
    expect(settings.safeParse({ publicationTyp: "FEED" }).success).toBe(false);
    expect(settings.safeParse({ publicationType: "feed" }).success).toBe(false);
  });

  test("decide what can be published", () => {
    const reels = settings.parse({ publicationType: "REELS" });
    expect([feed, story, reels].map((one) => networkFormat(instagram, one, "image")?.limits.image?.ratio)).toEqual([
      { min: 0.5625, max: 1.91, certainMin: 0.8 },
      undefined,
      undefined,
    ]);
    expect(networkFormat(instagram, reels, "image")).toBeUndefined();
  });
});

describe("connect", () => {
  test("returns a 60-day token and the granted scopes", () => {
    const days = (Date.parse(alice.tokens.expiresAt ?? "") - Date.now()) / 1000 / DAY;
    expect(days).toBeGreaterThan(58);
    expect(alice.tokens.scopes).toEqual(expect.arrayContaining(connect.requiredScopes));
  });

  test("reads the account with its full ID", async () => {
    expect(await instagram.profile(alice)).toMatchObject({
      accountId: expect.stringMatching(/^\d{15,}$/),
      username: expect.any(String),
      displayName: expect.any(String),
    });
  });

  test("offers no sign-in with Facebook, whose tokens do not fit this API", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { searchParams } = new URL((await connect.begin(app, request)).url);
    expect(searchParams.get("enable_fb_login")).toBe("0");
  });

  test("reports a declined consent as access_denied", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=access_denied");
  });

  test("asks to sign in again after a wrong code", async () => {
    const callback = { code: "wrong", redirectUri: "http://localhost:3000/cb", verifier: "", keep: {} };
    expect(await failureOf(connect.exchange(app, callback))).toMatchObject({ kind: "reconnect" });
  });
});

describe("refresh", () => {
  test("exchanges a token of two days for a new one", async () => {
    const bob = await connected("bob");
    await sandbox.advance(2 * DAY);
    const fresh = await instagram.refresh?.run(app, bob.tokens);
    expect(fresh).toMatchObject({ scopes: bob.tokens.scopes, expiresAt: expect.any(String) });
    expect(fresh?.accessToken).not.toBe(bob.tokens.accessToken);
  });

  test("requires connecting again after expiry, without a call", async () => {
    const tokens = { ...alice.tokens, expiresAt: new Date(Date.now() - 1000).toISOString() };
    expect(await failureOf(Promise.resolve(instagram.refresh?.run(app, tokens)))).toMatchObject({ kind: "reconnect" });
  });
});

describe("publish", () => {
  test("publishes an image with its caption", async () => {
    const published = await publish("image", { content: "One image #one", media: await images(1), settings: feed });
    const [one, ...more] = await held("One image #one");
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
  });

  test("sets the AI label if requested", async () => {
    const labelled = settings.parse({ aiContent: true });
    await publish("image", { content: "Made by a machine", media: await images(1), settings: labelled });
    expect(JSON.stringify(await held("Made by a machine"))).toMatch(/"is_?ai_?generated":"?true/i);
  });

  test("publishes a carousel of three, in order", async () => {
    const media = await images(3);
    await publish("carousel", { content: "Three images", media, settings: feed });
    const [one] = await held("Three images");
    expect(one?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(media.map(({ sizeBytes }) => sizeBytes));
  });

  test("sends alternative texts of images, but not for stories", async () => {
    const [one, two] = (await images(2)).map((image, index) => ({ ...image, altText: `Bell ${index + 1}` }));
    if (!one || !two) throw new Error("two images were asked for");
    await publish("image", { content: "One described", media: [one], settings: feed });
    await publish("carousel", { content: "Two described", media: [one, two], settings: feed });
    expect(await held("One described")).toMatchObject([{ settings: { alt_text: "Bell 1" } }]);
    expect(await held("Two described")).toMatchObject([{ settings: { alt_texts: ["Bell 1", "Bell 2"] } }]);
    const tall = { ...(await sandbox.image({ width: 360, height: 640 })), altText: "A bell" };
    await publish("image", { content: "", media: [tall], settings: story });
    expect(JSON.stringify((await sandbox.posts()).at(-1))).not.toContain("A bell");
  });

  test("publishes several images as separate stories", async () => {
    const before = (await sandbox.posts()).length;
    const tall = await Promise.all([1, 2].map((shade) => sandbox.image({ width: 360, height: 640, shade })));
    const published = await publish("carousel", { content: "", media: tall, settings: story });
    const stories = (await sandbox.posts()).slice(before);
    expect(stories.map(({ media }) => media.length)).toEqual([1, 1]);
    expect(published.id).toBe(stories[0]?.id);
  });

  test("builds the permalink from the short code if Instagram shows it late", async () => {
    await sandbox.fault({ operation: "status", fault: "late_permalink", times: 9 });
    const published = await publish("image", { content: "Late link", media: await images(1), settings: feed });
    await sandbox.clearFaults();
    expect(published).toEqual({ id: expect.any(String), permalink: (await held("Late link"))[0]?.permalink });
  });

  test("publishes even if the permalink cannot be read", async () => {
    const memory = newMemory();
    const blind: NetworkSession = {
      ...alice,
      fetch: (path, call) =>
        path.includes("permalink") ? Promise.reject(new PlatformError("later", "not yet")) : alice.fetch(path, call),
    };
    const sent = { content: "Without a link", media: await images(1), settings: feed };
    expect(await publish("image", sent, memory, blind)).toEqual({ id: expect.any(String) });
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body", "http_500", "refuse"])("%s: publishes once", async (fault) => {
    const memory = newMemory();
    const post = { content: `Lost by ${fault}`, media: await images(1), settings: feed };
    await sandbox.fault({ operation: "publish", fault });
    expect(await failureOf(publish("image", post, memory))).toMatchObject({ kind: "unknown", refused: false });
    const published = await publish("image", post, memory);
    expect((await held(post.content)).map(({ id }) => id)).toEqual([published.id]);
  });

  test("in the middle of several stories: publishes each once", async () => {
    const before = (await sandbox.posts()).length;
    const memory = newMemory();
    const post = { content: "", media: await images(2), settings: story };
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish("carousel", post, memory))).toMatchObject({ kind: "unknown" });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish("carousel", post, memory))).toMatchObject({ kind: "unknown" });
    await publish("carousel", post, memory);
    expect((await sandbox.posts()).length - before).toBe(2);
  });
});

describe("errors", () => {
  test("creates a new container after a failed one", async () => {
    await sandbox.fault({ operation: "prepare", fault: "processing_fails" });
    const post = { content: "Second try", media: await images(1), settings: feed };
    await publish("image", post).catch((error) => {
      // The first container's status decides whether its failure is final; a later attempt creates a new one.
      if (!(error instanceof PlatformError) || error.kind === "rejected") throw error;
      return publish("image", post);
    });
    expect(await held("Second try")).toHaveLength(1);
  });

  test("rejects an image whose ratio Instagram refuses", async () => {
    const media = [await sandbox.image({ width: 360, height: 640 })];
    expect(await failureOf(publish("image", { content: "Too tall", media, settings: feed }))).toMatchObject({
      kind: "rejected",
      message: "Instagram refused the image because its ratio is not between 4:5 and 1.91:1",
    });
  });

  test.each([
    ["9:16", 360],
    ["3:4", 480],
  ])("publishes an image of %s if Instagram accepts it", async (ratio, width) => {
    await sandbox.control("instagram/switches", { imageRatioMin: 0.5625 });
    const media = [await sandbox.image({ width, height: 640 })];
    await publish("image", { content: `Tall ${ratio}`, media, settings: feed });
    await sandbox.control("instagram/switches", {});
    expect(await held(`Tall ${ratio}`)).toHaveLength(1);
  });

  test("creates a new container after one expired while waiting", async () => {
    const memory = newMemory();
    const post = { content: "Waited for a day", media: await images(1), settings: feed };
    await sandbox.fault({ operation: "publish", fault: "rate_limit", afterSeconds: 1 });
    expect(await failureOf(publish("image", post, memory))).toMatchObject({ kind: "later", refused: true });
    await sandbox.clearFaults();
    await sandbox.advance(DAY + 60);
    await publish("image", post, memory);
    expect(await held("Waited for a day")).toHaveLength(1);
  });

  test("requires connecting again after the token was revoked", async () => {
    const dave = await connected("dave");
    await sandbox.fault({ operation: "publish", fault: "revoke_token" });
    const post = { content: "Revoked", media: await images(1), settings: feed };
    expect(await failureOf(publish("image", post, newMemory(), dave))).toMatchObject({ kind: "reconnect" });
  });
});
