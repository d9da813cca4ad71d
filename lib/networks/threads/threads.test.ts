import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { PlatformError } from "../errors";
import type {
  App,
  FormatName,
  NetworkSession,
  OAuthConnect,
  OutgoingMedia,
  OutgoingPost,
  Published,
  Run,
} from "../network";
import { networkFormat } from "../network";
import {
  connectBy,
  failureOf,
  killedEverywhere,
  memoryRun,
  newMemory,
  sandboxApp,
  sandboxFor,
  submitConsent,
  type TestSandbox,
} from "../testing";
import { makeSession } from "../wire/fetch";
import { threads } from ".";
import { isSamePost } from "./containers";
import { settings, type ThreadsSettings } from "./settings";
import { described } from "./testing/described";

let sandbox: TestSandbox;
let app: App;
let alice: NetworkSession;
const connect = threads.connect as OAuthConnect; // Threads' own definition
const DAY = 86_400;

async function connected(account: string): Promise<NetworkSession> {
  const tokens = await connectBy(app, connect, account);
  const anonymous = makeSession(threads, app, { accountId: "", username: "", tokens });
  const { accountId, username } = await threads.profile(anonymous);
  return makeSession(threads, app, { accountId, username, tokens });
}

beforeAll(async () => {
  sandbox = await sandboxFor("threads", { described });
  app = sandboxApp(threads, sandbox.url, "threads");
  alice = await connected("alice");
});
afterEach(() => sandbox.clearFaults());
afterAll(() => sandbox.close());

type Post = OutgoingPost<ThreadsSettings>;
const plain = settings.parse({});
const text = (content: string, more: Partial<Post> = {}): Post => ({ content, media: [], settings: plain, ...more });

function publishOn(run: Run, format: FormatName, post: Post): Promise<Published> {
  const found = networkFormat(threads, post.settings, format);
  if (!found) throw new Error("Threads has no such format");
  return found.publish(post, run);
}
const wait = () => sandbox.advance(20);
const publish = (format: FormatName, post: Post, memory = newMemory(), session = alice) =>
  publishOn(memoryRun(session, memory, wait), format, post);
const held = async (content: string) => (await sandbox.posts()).filter((one) => one.text === content);
const images = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => sandbox.image({ shade: 11 * index })));
function film(shape: Parameters<typeof mp4>[0] = {}): OutgoingMedia {
  const facts = { kind: "video", contentType: "video/mp4", filename: "film.mp4" } as const;
  return sandbox.file(mp4({ seconds: 2, ...shape }), facts);
}
describe("settings", () => {
  const settingsOf = async (content: string) => {
    const { media_type: _, ...rest } = (await held(content))[0]?.settings ?? {};
    return rest;
  };

  test.each([
    ["EVERYONE", "everyone"],
    ["FOLLOWING", "accounts_you_follow"],
    ["FOLLOWERS", "followers_only"],
    ["MENTIONED", "mentioned_only"],
  ] as const)("limits replies to %s as %s, in the first post of a thread", async (whoCanReply, sent) => {
    const first = await publish("text", text(`Replies by ${sent}`, { settings: { whoCanReply } }));
    await publish("text", text(`After ${sent}`, { settings: { whoCanReply }, after: first }));
    expect(await settingsOf(`Replies by ${sent}`)).toEqual({ reply_control: sent });
    expect(await settingsOf(`After ${sent}`)).toEqual({});
  });

  test("publishes a poll", async () => {
    await publish("text", text("A poll", { settings: { pollOptions: [" Yes", "No ", "Maybe"] } }));
    expect(await settingsOf("A poll")).toEqual({
      poll_attachment: { option_a: "Yes", option_b: "No", option_c: "Maybe" },
    });
  });

  test("publishes a link attachment, and a location with an image", async () => {
    const linkAttachment = "https://example.com/a?b=1";
    await publish("text", text("A card", { settings: { linkAttachment } }));
    await publish("image", text("A place", { settings: { locationId: "12345" }, media: await images(1) }));
    expect(await settingsOf("A card")).toEqual({ link_attachment: linkAttachment });
    expect(await settingsOf("A place")).toEqual({ location_id: "12345" });
  });

  test("rejects a location before anything is sent if the account has not granted the permission for it", async () => {
    const scopes = alice.tokens.scopes?.filter((scope) => scope !== "threads_location_tagging");
    const earlier = { ...alice, tokens: { ...alice.tokens, scopes } };
    const sent = text("No place", { settings: { locationId: "12345" } });
    expect(await failureOf(publish("text", sent, newMemory(), earlier))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("Reconnect the account"),
    });
    expect(await held("No place")).toEqual([]);
  });

  test("quotes a post by its ID", async () => {
    const quoted = await publish("text", text("Quote me"));
    await publish("text", text("A quote", { settings: { quote: quoted.id } }));
    expect(await settingsOf("A quote")).toEqual({ quote_post_id: quoted.id });
  });

  test("finds a poll whose answer was lost, and publishes it once", async () => {
    const sent = text("Lost with a poll", { settings: { pollOptions: ["Yes", "No"] } });
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish("text", sent, memory))).toMatchObject({ kind: "unknown" });
    const published = await publish("text", sent, memory);
    expect((await held("Lost with a poll")).map(({ id }) => id)).toEqual([published.id]);
  });
});

describe("connect", () => {
  test("returns a 60-day token and the granted scopes, read from the token", () => {
    const days = (Date.parse(alice.tokens.expiresAt ?? "") - Date.now()) / 1000 / DAY;
    expect(days).toBeGreaterThan(59);
    expect(alice.tokens.scopes).toEqual([
      "threads_basic",
      "threads_content_publish",
      "threads_manage_replies",
      "threads_location_tagging",
    ]);
  });

  test("reads the account with its full ID, although the token answer rounds it", async () => {
    expect(await threads.profile(alice)).toEqual({
      accountId: expect.stringMatching(/^178414\d{11}$/),
      username: "alice",
      displayName: "Alice",
      avatarUrl: expect.stringMatching(/^http/),
    });
  });

  test("reports a declined consent as access_denied", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=access_denied&error_reason=user_denied");
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
    const fresh = await threads.refresh?.run(app, bob.tokens);
    expect(fresh).toMatchObject({ scopes: bob.tokens.scopes, expiresAt: expect.any(String) });
    expect(fresh?.accessToken).not.toBe(bob.tokens.accessToken);
  });

  test("requires connecting again after expiry, without a call", async () => {
    const tokens = { ...alice.tokens, expiresAt: new Date(Date.now() - 1000).toISOString() };
    expect(await failureOf(Promise.resolve(threads.refresh?.run(app, tokens)))).toMatchObject({ kind: "reconnect" });
  });
});

describe("publish", () => {
  test("publishes a text with links and mentions unchanged", async () => {
    const published = await publish("text", text("See https://example.com/a, @bob"));
    const [one, ...more] = await held("See https://example.com/a, @bob");
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
    expect(published.permalink).toMatch(/^https:\/\/www\.threads\.com\/@alice\/post\/\w+$/);
  });

  test("publishes a topic, and treats the first tag of a text as topic", async () => {
    await publish("text", text("With a topic", { settings: settings.parse({ topicTag: "#Bell ringing" }) }));
    await publish("text", text("About #bells and #more"));
    const told = JSON.stringify([await held("With a topic"), await held("About bells and #more")]);
    expect(told).toContain('"topic_tag":"Bell ringing"');
    expect(told).toContain('"topic_tag":"bells"');
  });

  test("publishes a JPEG, a PNG and a video", async () => {
    const png = await sandbox.image({ format: "png" });
    const video = film();
    await publish("image", text("A picture", { media: await images(1) }));
    await publish("image", text("A PNG", { media: [png] }));
    await publish("video", text("A film", { media: [video] }));
    const kinds = [await held("A picture"), await held("A PNG"), await held("A film")].map(([one]) => one?.media);
    expect(kinds).toMatchObject([
      [{ type: "image/jpeg" }],
      [{ type: "image/png", sizeBytes: png.sizeBytes }],
      [{ type: "video/mp4", sizeBytes: video.sizeBytes }],
    ]);
  });

  test("publishes a carousel of images and videos, in order", async () => {
    const [one, two] = await images(2);
    const media = [one, film(), two].filter((item) => item !== undefined);
    await publish("carousel", text("Mixed", { media }));
    const [post] = await held("Mixed");
    expect(post?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(media.map(({ sizeBytes }) => sizeBytes));
  });

  test("sends alternative texts of images and videos", async () => {
    const [bell, tower] = [
      { ...(await sandbox.image()), altText: "A bell" },
      { ...film(), altText: "A tower" },
    ];
    await publish("image", text("Picture described", { media: [bell] }));
    await publish("video", text("Film described", { media: [tower] }));
    await publish("carousel", text("Both described", { media: [bell, tower] }));
    expect(await held("Picture described")).toMatchObject([{ settings: { altTexts: ["A bell"] } }]);
    expect(await held("Film described")).toMatchObject([{ settings: { altTexts: ["A tower"] } }]);
    expect(await held("Both described")).toMatchObject([{ settings: { altTexts: ["A bell", "A tower"] } }]);
  });

  test("publishes a carousel of twenty", async () => {
    await publish("carousel", text("Twenty", { media: await images(20) }));
    expect((await held("Twenty"))[0]?.media).toHaveLength(20);
  });

  test("publishes a chain: each post replies to the previous one, only the root has the topic", async () => {
    const topical = { settings: settings.parse({ topicTag: "bells" }) };
    const root = await publish("text", text("One", topical));
    const second = await publish("image", text("Two", { ...topical, media: await images(1), after: root }));
    await publish("text", text("Three", { ...topical, after: second }));
    const chain = await Promise.all(["One", "Two", "Three"].map(async (part) => (await held(part))[0]));
    expect(chain.map((post) => post?.replyTo)).toEqual([undefined, root.id, second.id]);
    expect(chain.map((post) => JSON.stringify(post).includes("topic_tag"))).toEqual([true, false, false]);
  });

  test("builds the permalink from the short code if Threads shows it late", async () => {
    await sandbox.fault({ operation: "status", fault: "late_permalink", times: 9 });
    const published = await publish("text", text("Late link"));
    await sandbox.clearFaults();
    expect(published.permalink).toBe((await held("Late link"))[0]?.permalink);
  });

  test("publishes even if the permalink cannot be read", async () => {
    const blind: NetworkSession = {
      ...alice,
      fetch: (path, call) =>
        path.includes("permalink%2Cshortcode") && !path.includes("/me/")
          ? Promise.reject(new PlatformError("later", "not yet"))
          : alice.fetch(path, call),
    };
    const published = await publish("text", text("Without a link"), newMemory(), blind);
    expect(published).toEqual({ id: (await held("Without a link"))[0]?.id });
  });
});

describe("lost answers", () => {
  test.each(["drop_response", "cut_body", "refuse", "http_500", "http_502_html"])(
    "%s on the final call: one post, found or sent once more",
    async (fault) => {
      const memory = newMemory();
      const post = text(`Lost by ${fault}`);
      await sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(publish("text", post, memory))).toMatchObject({ kind: "unknown" });
      const published = await publish("text", post, memory);
      const [one, ...more] = await held(post.content);
      expect(more).toEqual([]);
      expect(published).toEqual({ id: one?.id, permalink: one?.permalink });
    },
  );

  test("of a reply, and of a text whose tag became its topic", async () => {
    const root = await publish("text", text("Root of a lost reply"));
    for (const [post, kept] of [
      [text("Same #words", { after: root }), "Same words"],
      [text("Only #once"), "Only once"],
    ] as const) {
      const memory = newMemory();
      await sandbox.fault({ operation: "publish", fault: "drop_response" });
      await failureOf(publish("text", post, memory));
      expect(await publish("text", post, memory)).toMatchObject({ id: (await held(kept))[0]?.id });
      expect(await held(kept)).toHaveLength(1);
    }
  });

  test("suspected spam, although published: checks the container and does not send it again", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "duplicate" });
    expect(await failureOf(publish("text", text("Suspected"), memory))).toMatchObject({
      kind: "unknown",
      message: "Threads stopped the post as suspected spam",
    });
    const published = await publish("text", text("Suspected"), memory);
    expect((await held("Suspected")).map(({ id }) => id)).toEqual([published.id]);
  });

  test("finds the lost one of two identical posts, and sends neither again", async () => {
    const first = await publish("text", text("Twice"));
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(publish("text", text("Twice"), memory));
    const published = await publish("text", text("Twice"), memory);
    expect((await held("Twice")).map(({ id }) => id)).toEqual([first.id, published.id]);
  });

  test("rejects replies to a post known only by its container's ID, without sending anything", async () => {
    const memory = newMemory();
    const fetch: NetworkSession["fetch"] = (path, call) =>
      /\/me\/threads\?/.test(path) ? alice.fetch(path, call).then(() => Response.json(both)) : alice.fetch(path, call);
    const timestamp = new Date().toISOString();
    const both = { data: ["1", "2"].map((id) => ({ id, text: "Two alike", timestamp, media_type: "TEXT_POST" })) };
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(publish("text", text("Two alike"), memory));
    const root = await publish("text", text("Two alike"), memory, { ...alice, fetch });
    const [live, ...more] = await held("Two alike");
    expect(more).toEqual([]);
    expect(root.id).not.toBe(live?.id);

    const prepared = async () => (await sandbox.calls()).filter(({ operation }) => operation === "prepare").length;
    const before = await prepared();
    for (const format of ["text", "image", "carousel"] as const) {
      const media = await images({ text: 0, image: 1, carousel: 2 }[format]);
      expect(await failureOf(publish(format, text("Below it", { after: root, media })))).toMatchObject({
        kind: "rejected",
        message: "Threads did not report the ID of the previous post, so this reply cannot be added to it",
      });
    }
    expect(await prepared()).toBe(before);
    // A post that only lacks its permalink is treated normally.
    await publish("text", text("Below the real one", { after: { id: live?.id ?? "" } }));
    expect((await held("Below the real one"))[0]?.replyTo).toBe(live?.id);
  });

  test("matches only posts with the same text, type and parent", () => {
    const media = { id: "1", text: "a b", timestamp: "2026-11-20T10:00:01+0000", media_type: "TEXT_POST" };
    const expected = { text: "#a  b", mediaType: "TEXT_POST" };
    expect(isSamePost(media, expected)).toBe(true);
    expect(isSamePost({ ...media, text: "a c" }, expected)).toBe(false);
    expect(isSamePost({ ...media, media_type: "IMAGE" }, expected)).toBe(false);
    expect(isSamePost({ ...media, replied_to: { id: "7" } }, { ...expected, inReplyTo: "8" })).toBe(false);
  });
});

test("publishes once, killed before and after every step", async () => {
  const media = await images(2);
  const outcomes = await killedEverywhere(
    alice,
    (run, point) => publishOn(run, "carousel", text(`Killed at ${point}`, { media })),
    wait,
  );
  expect(outcomes.length).toBeGreaterThan(12);
  for (const [index, { id }] of outcomes.entries()) {
    expect((await held(`Killed at ${index + 1}`)).map((post) => post.id)).toEqual([id]);
  }
});

describe("errors", () => {
  test("fails for a topic that Threads does not allow, and does not publish without it", async () => {
    const post = text("Refused topic", { settings: settings.parse({ topicTag: "NotPermitted" }) });
    expect(await failureOf(publish("text", post))).toMatchObject({
      kind: "rejected",
      message: "Threads does not allow this topic. Choose another one or none",
      answer: { code: "100/4279071" },
    });
    expect(await held("Refused topic")).toEqual([]);
  });

  test("tries a new container after one processing error, and fails after two", async () => {
    const post = text("Second try", { media: await images(1) });
    await sandbox.fault({ operation: "prepare", fault: "processing_fails" });
    await publish("image", post);
    expect(await held("Second try")).toHaveLength(1);
    await sandbox.fault({ operation: "prepare", fault: "processing_fails", times: 2 });
    expect(await failureOf(publish("image", { ...post, content: "No third" }))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("check that the file opens, or export it again"),
    });
  });

  test.each([
    ["301 seconds", { seconds: 301, fps: 23 }, "at most 300 seconds"],
    ["22 frames per second", { fps: 22 }, "23 to 60"],
    ["61 frames per second", { fps: 61 }, "23 to 60"],
  ])("rejects a video of %s with the container's message", async (_, shape, says) => {
    const post = text("Wrong film", { media: [film(shape)] });
    expect(await failureOf(publish("video", post))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining(says),
    });
  });

  test("creates a new container after one expired while waiting", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "rate_limit" });
    expect(await failureOf(publish("text", text("Waited for a day"), memory))).toMatchObject({ kind: "later" });
    await sandbox.advance(DAY + 60);
    await publish("text", text("Waited for a day"), memory);
    expect(await held("Waited for a day")).toHaveLength(1);
  });

  test("reports a permission that ends between two posts of a chain", async () => {
    const dave = await connected("dave");
    const root = await publish("text", text("Before it ended"), newMemory(), dave);
    await sandbox.fault({ operation: "prepare", fault: "revoke_token" });
    const next = publish("text", text("After it ended", { after: root }), newMemory(), dave);
    expect(await failureOf(next)).toMatchObject({ kind: "reconnect" });
  });
});

test("reads the publishing limit of 24 hours before the final call", { timeout: 60_000 }, async () => {
  const carol = await connected("carol");
  const calls = async () => (await sandbox.calls()).filter(({ operation }) => operation === "publish").length;
  const full: NetworkSession = {
    ...carol,
    async fetch(path, call) {
      if (!path.includes("publishing_limit")) return carol.fetch(path, call);
      return Response.json({ data: [{ quota_usage: 3, config: { quota_total: 3, quota_duration: 86_400 } }] });
    },
  };
  const before = await calls();
  expect(await failureOf(publish("text", text("One too many"), newMemory(), full))).toMatchObject({
    kind: "later",
    retryAfterSeconds: 3600,
  });
  expect(await calls()).toBe(before);
});
