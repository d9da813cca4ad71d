import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { OutgoingPost, Session } from "../network";
import { memoryRun, newMemory, submitConsent } from "../testing";
import { linkedin } from ".";
import { publishImages, publishText, publishVideo } from "./publish";
import type { LinkedInSettings } from "./settings";
import { connect, failure, linkedInSandbox, post } from "./testing/connected";

type Sandbox = Awaited<ReturnType<typeof linkedInSandbox>>;
type Post = OutgoingPost<LinkedInSettings>;
let sandbox: Sandbox;
let alice: Session;

beforeAll(async () => {
  sandbox = await linkedInSandbox();
  alice = await sandbox.connected("alice");
});
afterEach(async () => {
  await sandbox.clearFaults();
  await sandbox.switches({});
});
afterAll(() => sandbox.close());

const held = async (text: string) => (await sandbox.posts()).filter((one) => one.text === text);
const calls = async (operation: string) => (await sandbox.calls()).filter((call) => call.operation === operation);
const run = (memory = newMemory(), session: Session = alice) => memoryRun(session, memory);
const text = (content: string, memory = newMemory(), session = alice) =>
  publishText(post(content), run(memory, session));
const images = async (content: string, count = 1): Promise<Post> =>
  post(content, { media: await Promise.all(Array.from({ length: count }, (_, n) => sandbox.image({ shade: n * 9 }))) });

describe("connecting", () => {
  test("answers a token of 60 days and the scopes granted; no refresh token, as usual", () => {
    expect(alice.tokens).toMatchObject({ accessToken: expect.any(String), refreshToken: undefined });
    expect(alice.tokens.scopes).toEqual(connect.requiredScopes);
    expect(Date.parse(alice.tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(59 * 86_400_000);
  });

  test("reads who the member is; the name stands in for a handle", async () => {
    expect(await linkedin.profile(alice)).toEqual({
      accountId: expect.stringMatching(/^\w{10}$/),
      username: "Alice Sandbox",
      displayName: "Alice Sandbox",
      avatarUrl: expect.stringMatching(/^http/),
    });
  });

  test("is denied with an error", async () => {
    const request = { state: "s", redirectUri: "http://localhost:3000/cb", challenge: "", verifier: "" };
    const { url } = await connect.begin(sandbox.app, request);
    const answer = await submitConsent(url, { account: "alice", decision: "deny" });
    expect(answer.headers.get("location")).toContain("error=user_cancelled_authorize");
  });

  test("a wrong code asks for another sign-in", async () => {
    const callback = { code: "wrong", redirectUri: "http://localhost:3000/cb", verifier: "", keep: {} };
    expect(await failure(connect.exchange(sandbox.app, callback))).toMatchObject({ kind: "reconnect", refused: true });
  });
});

describe("refreshing", () => {
  test("asks to reconnect where there is no refresh token, without a call", async () => {
    const before = (await calls("refresh")).length;
    expect(await failure(Promise.resolve(linkedin.refresh?.run(sandbox.app, alice.tokens)))).toMatchObject({
      kind: "reconnect",
      message: expect.stringContaining("60 days"),
    });
    expect((await calls("refresh")).length).toBe(before);
  });

  test("answers a new token to an approved partner, as often as it is asked within the year", async () => {
    await sandbox.switches({ refreshTokens: true });
    const bob = await sandbox.connected("bob");
    const fresh = [];
    for (let time = 0; time < 2; time++) fresh.push(await linkedin.refresh?.run(sandbox.app, bob.tokens));
    expect(new Set([bob.tokens, ...fresh].map((tokens) => tokens?.accessToken)).size).toBe(3);
    expect(fresh[0]?.refreshToken).toBe(bob.tokens.refreshToken);
    await sandbox.advance(365 * 86_400);
    expect(await failure(Promise.resolve(linkedin.refresh?.run(sandbox.app, bob.tokens)))).toMatchObject({
      kind: "reconnect",
    });
    alice = await sandbox.connected("alice");
  });
});

describe("publishing", () => {
  test("a text with everything that the format reserves", async () => {
    const content = "50% (or more) of @us: #bells_ring {now} [*] <3 ~ a_b|c \\ #1 https://example.com/a_(b)#c";
    const published = await text(content);
    const [one, ...more] = await held(content);
    expect(more).toEqual([]);
    expect(published).toEqual({ id: one?.id, permalink: `https://www.linkedin.com/feed/update/${one?.id}/` });
    expect(published.id).toMatch(/^urn:li:share:\d+$/);
  });

  test("a mention by its URN", async () => {
    await text("With @[Acme (Bells)](urn:li:organization:123) today");
    expect(await held("With Acme (Bells) today")).toHaveLength(1);
  });

  test.each(["PUBLIC", "CONNECTIONS"] as const)("to %s", async (visibility) => {
    await publishText(post(`Seen by ${visibility}`, { settings: { visibility } }), run());
    expect(await held(`Seen by ${visibility}`)).toMatchObject([{ settings: { visibility } }]);
  });

  test("to a group fails with the reason, and without a call", async () => {
    const before = (await sandbox.calls()).length;
    const sent = { ...(await images("To a group")), settings: { visibility: "GROUP" as const } };
    expect(await failure(publishImages(sent, run()))).toMatchObject({
      kind: "rejected",
      message: "LinkedIn's API no longer posts to groups",
    });
    expect((await sandbox.calls()).length).toBe(before);
  });

  test("an image, with and without a text", async () => {
    await publishImages(await images("One image"), run());
    expect(await held("One image")).toMatchObject([{ media: [{ type: "image/jpeg" }] }]);
    const published = await publishImages(await images(""), run());
    expect((await sandbox.posts()).find(({ id }) => id === published.id)?.media).toHaveLength(1);
  });

  test.each([2, 20])("%i images, in their order", async (count) => {
    const sent = await images(`${count} images`, count);
    await publishImages(sent, run());
    const [one] = await held(`${count} images`);
    expect(one?.media.map(({ sizeBytes }) => sizeBytes)).toEqual(sent.media.map(({ sizeBytes }) => sizeBytes));
  });

  test("a video in three parts, put together in their order", async () => {
    const video = sandbox.video(9_000_000);
    const before = (await calls("upload")).length;
    const published = await publishVideo(post("A long video", { media: [video] }), run());
    expect((await calls("upload")).length - before).toBe(3);
    const [one] = await held("A long video");
    expect(one?.media).toMatchObject([{ type: "video/mp4", sizeBytes: video.sizeBytes }]);
    expect(one?.id).toBe(published.id);
    expect(published.id).toMatch(/^urn:li:ugcPost:\d+$/);
  });

  test("a video with a picture that stands for it", async () => {
    const thumbnail = await sandbox.image({ shade: 3 });
    await publishVideo(post("Covered", { media: [sandbox.video()], thumbnail }), run());
    expect(await held("Covered")).toMatchObject([{ settings: { thumbnail: { sizeBytes: thumbnail.sizeBytes } } }]);
  });

  test("a cut in the middle: only the parts that are missing are sent", async () => {
    const memory = newMemory();
    const sent = post("Cut in the middle", { media: [sandbox.video(9_000_000)] });
    const flaky: Session = {
      ...alice,
      async fetch(path, call) {
        if (path.includes("/1?sau=")) await sandbox.fault({ operation: "upload", fault: "refuse" });
        return alice.fetch(path, call);
      },
    };
    const before = (await calls("upload")).length;
    expect(await failure(publishVideo(sent, run(memory, flaky)))).toMatchObject({ kind: "unknown" });
    expect((await calls("upload")).length - before).toBe(2);
    await publishVideo(sent, run(memory));
    expect((await calls("upload")).length - before).toBe(4);
    expect(await held("Cut in the middle")).toHaveLength(1);
  });

  test("an upload address that ended: the upload begins anew", async () => {
    const old: Session = {
      ...alice,
      fetch: (path, call) => alice.fetch(path.replace(/sau=\w{3}/, "sau=old"), call),
    };
    const memory = newMemory();
    const sent = post("Anew", { media: [sandbox.video()] });
    const error = await failure(publishVideo(sent, run(memory, old)));
    expect(error).toMatchObject({ kind: "later", answer: { status: 403 } });
    await publishVideo(sent, run(memory));
    expect(await held("Anew")).toHaveLength(1);
  });

  test("a video that fails in processing is sent once more, and no more than that", async () => {
    await sandbox.fault({ operation: "prepare", fault: "processing_fails" });
    await publishVideo(post("Second go", { media: [sandbox.video()] }), run());
    expect(await held("Second go")).toHaveLength(1);
    const bad = post("Never", { media: [sandbox.video(100_000, 2)] });
    expect(await failure(publishVideo(bad, run()))).toMatchObject({
      kind: "rejected",
      message: "LinkedIn could not process the video: The video must last from 3 seconds to 30 minutes",
    });
  });

  test("a video whose state may not be looked at waits instead, and LinkedIn has the last word", async () => {
    await sandbox.switches({ statusForbidden: true });
    const memory = newMemory();
    const sent = post("Not to be seen", { media: [sandbox.video()] });
    const late = memoryRun(alice, memory, async () => {
      memory.done.set("video, upload 1 sent", Date.now() - 11_000);
      throw new Error("waits");
    });
    await expect(publishVideo(sent, late)).rejects.toThrow("waits");
    expect(await failure(publishVideo(sent, run(memory)))).toMatchObject({ kind: "later", retryAfterSeconds: 120 });
    await sandbox.advance(10);
    await publishVideo(sent, run(memory));
    expect(await held("Not to be seen")).toHaveLength(1);
  });

  test("an image that is still worked on is posted later, one that failed is sent once more", async () => {
    await sandbox.switches({ imageSeconds: 60 });
    const memory = newMemory();
    const sent = await images("Slow image");
    expect(await failure(publishImages(sent, run(memory)))).toMatchObject({ kind: "later", retryAfterSeconds: 120 });
    await sandbox.advance(61);
    await publishImages(sent, run(memory));
    expect(await held("Slow image")).toHaveLength(1);

    await sandbox.switches({});
    await sandbox.fault({ operation: "upload", fault: "processing_fails" });
    await publishImages(await images("Good image"), run());
    expect(await held("Good image")).toHaveLength(1);
    await sandbox.fault({ operation: "upload", fault: "processing_fails", times: 2 });
    expect(await failure(publishImages(await images("Bad image"), run()))).toMatchObject({ kind: "rejected" });
    expect(await held("Bad image")).toEqual([]);
  });
});

describe("a lost answer", () => {
  test.each(["drop_response", "cut_body", "refuse", "http_500"])(
    "%s: asked by sending it again, and out once",
    async (fault) => {
      const memory = newMemory();
      await sandbox.fault({ operation: "publish", fault });
      expect(await failure(text(`Lost by ${fault}`, memory))).toMatchObject({ kind: "unknown", refused: false });
      const published = await text(`Lost by ${fault}`, memory);
      expect((await held(`Lost by ${fault}`)).map(({ id }) => id)).toEqual([published.id]);
    },
  );

  test("with a video: nothing is uploaded again", async () => {
    const memory = newMemory();
    const sent = post("Lost video", { media: [sandbox.video()] });
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    expect(await failure(publishVideo(sent, run(memory)))).toMatchObject({ kind: "unknown" });
    const before = (await calls("upload")).length;
    const published = await publishVideo(sent, run(memory));
    expect((await calls("upload")).length).toBe(before);
    expect((await held("Lost video")).map(({ id }) => id)).toEqual([published.id]);
  });

  test("that is older than LinkedIn remembers is not asked about, so nothing can be doubled", async () => {
    const memory = newMemory();
    await sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failure(text("Long ago", memory));
    memory.intents.set("post, upload 1", new Date(Date.now() - 9.5 * 60_000));
    const before = (await calls("publish")).length;
    expect(await failure(text("Long ago", memory))).toMatchObject({ kind: "unknown" });
    expect((await calls("publish")).length).toBe(before);
    expect(await held("Long ago")).toHaveLength(1);
  });

  test("an answer without the id: out, its address unknown, never sent again", async () => {
    const silent: Session = {
      ...alice,
      async fetch(path, call) {
        const answer = await alice.fetch(path, call);
        return path === "/rest/posts" ? new Response(null, { status: answer.status }) : answer;
      },
    };
    const memory = newMemory();
    expect(await text("Without an id", memory, silent)).toEqual({ id: "" });
    expect(await text("Without an id", memory)).toEqual({ id: "" });
    expect(await held("Without an id")).toHaveLength(1);
  });
});

describe("refusals", () => {
  test("the same post again, without an unclear attempt before it: the other one is not adopted", async () => {
    await text("Said twice");
    expect(await failure(text("Said twice"))).toMatchObject({
      kind: "rejected",
      refused: true,
      duplicate: true,
      answer: { message: expect.stringContaining("urn:li:share:") },
    });
  });

  test("a text that is too long", async () => {
    expect(await failure(text("x".repeat(3001)))).toMatchObject({
      kind: "rejected",
      message: "LinkedIn refused the text: it is too long",
    });
  });

  test("a day's calls: until midnight UTC", async () => {
    const carol = await sandbox.connected("carol");
    const call = { "linkedin-version": "202609", "x-restli-protocol-version": "2.0.0" };
    for (let n = 0; n < 150; n++) await failure(carol.fetch("/rest/posts", { headers: call }));
    const error = await failure(text("One too many", newMemory(), carol));
    expect(error).toMatchObject({ kind: "later", refused: true, answer: { status: 429 } });
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    const seconds = (midnight.getTime() - Date.now()) / 1000;
    expect(Math.abs((error.retryAfterSeconds ?? 0) - seconds)).toBeLessThan(5);
  });

  test("a version that has ended keeps the post waiting, and blames no account", async () => {
    await sandbox.switches({ retired: linkedin.version.name });
    expect(await failure(text("Of another time"))).toMatchObject({ kind: "later", retryAfterSeconds: 3600 });
  });

  test("a revoked token", async () => {
    const dave = await sandbox.connected("dave");
    await sandbox.fault({ operation: "publish", fault: "revoke_token" });
    expect(await failure(text("Revoked", newMemory(), dave))).toMatchObject({
      kind: "reconnect",
      answer: { code: "REVOKED_ACCESS_TOKEN" },
    });
  });
});
