import { describe, expect, test } from "vitest";
import type { NetworkSession } from "../network";
import { failureOf, newMemory } from "../testing";
import { initVideo } from "./api";
import { bench, post } from "./testing/sandbox";
import { chunkBytesFor, chunkPlan, SMALLER_CHUNK_BYTES } from "./upload";

const at = bench();
/** Sent in six chunks. */
const LARGE = 65_000_123;
/** Three of the smallest chunks: a first, a middle and a last one. */
const THREE_CHUNKS = 16_000_123;

describe("chunks", () => {
  const C = 10_485_760;
  test.each([
    [1, 1, [1]],
    [10_485_761, 10_485_761, [10_485_761]],
    [64_000_000, 64_000_000, [64_000_000]],
    [64_000_001, C, [C, C, C, C, C, 64_000_001 - 5 * C]],
    [7 * C, C, [C, C, C, C, C, C, C]],
    [8 * C - 1, C, [C, C, C, C, C, C, 2 * C - 1]],
  ])("a file of %i bytes", (size, chunkSize, lengths) => {
    const plan = chunkPlan(size, chunkBytesFor(size));
    expect(plan.chunkSize).toBe(chunkSize);
    expect(plan.chunks.map(({ first, last }) => last - first + 1)).toEqual(lengths);
    expect(plan.chunks.at(-1)?.last).toBe(size - 1);
  });

  test("up to 64,000,000 bytes are sent whole", async () => {
    const person = await at.person();
    await at.publish("video", post([at.video({ padTo: 20_000_000 })], "whole"), person);
    expect(await statuses(person.name)).toEqual([201]);
  });

  test("are sent in order, the last one is longer, and the file arrives completely", async () => {
    const person = await at.person();
    await at.publish("video", post([at.video({ padTo: LARGE })], "large"), person);
    const [one] = await at.held(person.name);
    expect(one?.media).toMatchObject([{ sizeBytes: LARGE, type: "video/mp4" }]);
    expect(await statuses(person.name)).toEqual([206, 206, 206, 206, 206, 201]);
  });

  test("refused by their size: one new upload with chunks of 5,242,880 bytes, and one post", async () => {
    const person = await at.person();
    await at.sandbox.fault({ operation: "prepare", fault: "chunk_size", times: 9 });
    await at.publish("video", post([at.video({ padTo: LARGE })], "smaller"), person);
    expect((await at.held(person.name)).map(({ media }) => media[0]?.sizeBytes)).toEqual([LARGE]);
    expect(await statuses(person.name)).toEqual([...Array(11).fill(206), 201]);
    expect(await begun(person.name)).toBe(1);
  });
});

const statuses = async (name: string) =>
  (await at.sandbox.calls())
    .filter((call) => call.path.endsWith("/video/") && "account" in call && call.account === name)
    .map(({ status }) => status);
const begun = async (name: string) =>
  (await at.sandbox.calls()).filter(
    (call) => call.path.endsWith("/init/") && call.status === 200 && "account" in call && call.account === name,
  ).length;

/**
 * A video whose upload has begun with the smallest chunks. What happens between two chunks depends neither on their number nor on their
 * size, and a video that is too large to be sent whole takes four times as long.
 */
async function inThreeChunks(person: NetworkSession, text: string) {
  const memory = newMemory();
  const source = { video_size: THREE_CHUNKS, chunk_size: SMALLER_CHUNK_BYTES, total_chunk_count: 3 };
  const upload = await initVideo(person, { privacy_level: "PUBLIC_TO_EVERYONE" }, source);
  memory.done.set("video, begin", { ...upload, chunkBytes: SMALLER_CHUNK_BYTES });
  return { memory, sent: post([at.video({ padTo: THREE_CHUNKS })], text) };
}

describe("interruptions", () => {
  test.each(["drop_response", "cut_body", "http_500", "refuse", "rate_limit"])(
    "%s in the middle: continues where TikTok stopped, in the same upload",
    async (fault) => {
      const person = await at.person();
      const { memory, sent } = await inThreeChunks(person, `cut by ${fault}`);
      await at.sandbox.fault({ operation: "upload", fault });
      const error = await failureOf(at.publish("video", sent, person, memory));
      expect(["later", "unknown"]).toContain(error.kind);
      await at.publish("video", sent, person, memory);
      expect((await at.held(person.name)).map(({ media }) => media[0]?.sizeBytes)).toEqual([THREE_CHUNKS]);
      expect(await begun(person.name)).toBe(1);
    },
  );

  test("does not send a chunk twice after a 416: TikTok's progress decides", async () => {
    const person = await at.person();
    const { memory, sent } = await inThreeChunks(person, "arrived");
    await at.sandbox.fault({ operation: "upload", fault: "drop_response" });
    await failureOf(at.publish("video", sent, person, memory));
    await at.publish("video", sent, person, memory);
    expect(await statuses(person.name)).toEqual([0, 416, 206, 201]);
  });

  test.each(["drop_response", "cut_body", "http_500", "http_502_html", "refuse"])(
    "%s on the last chunk: one post",
    async (fault) => {
      const person = await at.person();
      const memory = newMemory();
      const sent = post([at.video()], `lost by ${fault}`);
      await at.sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(at.publish("video", sent, person, memory))).toMatchObject({ kind: "unknown" });
      const publishedPost = await at.publish("video", sent, person, memory);
      expect((await at.held(person.name)).map(({ id }) => id)).toEqual([publishedPost.id]);
      expect(await begun(person.name)).toBe(1);
    },
  );

  test("a last chunk whose answer times out: one post", async () => {
    const person = await at.person();
    const memory = newMemory();
    const hasty: NetworkSession = {
      ...person,
      fetch: (path, call) => person.fetch(path, call?.method === "PUT" ? { ...call, timeoutSeconds: 0.5 } : call),
    };
    await at.sandbox.fault({ operation: "publish", fault: "late_response", afterSeconds: 3 });
    expect(await failureOf(at.publish("video", post([at.video()], "late"), hasty, memory))).toMatchObject({
      kind: "unknown",
      answer: { code: "TimeoutError" },
    });
    const publishedPost = await at.publish("video", post([at.video()], "late"), person, memory);
    expect((await at.held(person.name)).map(({ id }) => id)).toEqual([publishedPost.id]);
  });

  test("an expired upload address, in the middle or at the end: a new upload, one post", async () => {
    for (const operation of ["upload", "publish"]) {
      const person = await at.person();
      const { memory, sent } = await inThreeChunks(person, `ended at ${operation}`);
      await at.sandbox.fault({ operation, fault: "rate_limit" });
      expect(await failureOf(at.publish("video", sent, person, memory))).toMatchObject({
        kind: "later",
        refused: true,
      });
      await at.sandbox.advance(3601);
      await at.publish("video", sent, person, memory);
      expect(await at.held(person.name)).toHaveLength(1);
      expect(await begun(person.name)).toBe(2);
    }
  });

  test.each(["drop_response", "http_500"])(
    "%s at the start: nothing is public, so a new upload is started",
    async (fault) => {
      const person = await at.person();
      const memory = newMemory();
      await at.sandbox.fault({ operation: "prepare", fault });
      expect(await failureOf(at.publish("video", post([at.video()], "begun twice"), person, memory))).toMatchObject({
        kind: "unknown",
      });
      await at.publish("video", post([at.video()], "begun twice"), person, memory);
      expect(await at.held(person.name)).toHaveLength(1);
    },
  );
});

describe("a video that TikTok rejects", () => {
  test("because of an internal error: retried after a while, one post", async () => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post([at.video()], "second try");
    await at.sandbox.fault({ operation: "prepare", fault: "processing_fails" });
    const error = await failureOf(at.publish("video", sent, person, memory));
    expect(error).toMatchObject({ kind: "later", answer: { code: "internal" } });
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    memory.done.set("video, outcome", { failed: "internal", ids: [], at: Date.now() - 60_000 });
    await at.publish("video", sent, person, memory);
    expect(await at.held(person.name)).toHaveLength(1);
  });

  test("three times: rejected", async () => {
    const person = await at.person();
    const memory = newMemory();
    for (const part of ["video", "video, time 2"])
      memory.done.set(`${part}, outcome`, { failed: "internal", ids: [], at: Date.now() - 60_000 });
    await at.sandbox.fault({ operation: "prepare", fault: "processing_fails", times: 3 });
    const error = await failureOf(at.publish("video", post([at.video()], "no more"), person, memory));
    expect(error).toMatchObject({ kind: "rejected", answer: { code: "internal" } });
  });

  test("because of the daily limit: retried every hour", async () => {
    const person = await at.person();
    const memory = newMemory();
    const failed = "spam_risk_too_many_posts";
    memory.done.set("video, outcome", { failed, ids: [], at: Date.now() });
    const error = await failureOf(at.publish("video", post([at.video()], "capped"), person, memory));
    expect(error).toMatchObject({ kind: "later", refused: true });
    expect(error.retryAfterSeconds).toBeGreaterThan(3500);
    memory.done.set("video, outcome", { failed, ids: [], at: Date.now() - 3_600_000 });
    await at.publish("video", post([at.video()], "capped"), person, memory);
    expect((await at.held(person.name)).length).toBe(2); // the first failure was retried
  });

  test.each([
    ["frame rate", { fps: 20 }, "frame_rate_check_failed"],
    ["size", { width: 320, height: 640 }, "picture_size_check_failed"],
  ])("because of its %s", async (_, shape, code) => {
    const person = await at.person();
    const error = await failureOf(at.publish("video", post([at.video(shape)], "unfit"), person));
    expect(error).toMatchObject({ kind: "rejected", answer: { code } });
  });
});

test("reports a permission removed while the video is uploaded", async () => {
  const person = await at.person();
  await at.sandbox.fault({ operation: "publish", fault: "revoke_token" });
  const error = await failureOf(at.publish("video", post([at.video()], "revoked"), person));
  expect(error).toMatchObject({ kind: "reconnect" });
  expect(await at.held(person.name)).toEqual([]);
});
