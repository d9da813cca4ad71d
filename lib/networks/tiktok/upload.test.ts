import { describe, expect, test } from "vitest";
import type { NetworkSession } from "../network";
import { newMemory } from "../testing";
import { bench, failure, post } from "./testing/sandbox";
import { chunkPlan } from "./upload";

const at = bench();
const LARGE = 25_000_123;

describe("chunks", () => {
  test.each([
    [1, 1, [1]],
    [5_000_000, 5_000_000, [5_000_000]],
    [9_999_999, 9_999_999, [9_999_999]],
    [10_000_000, 10_000_000, [10_000_000]],
    [19_999_999, 10_000_000, [19_999_999]],
    [20_000_000, 10_000_000, [10_000_000, 10_000_000]],
    [50_000_123, 10_000_000, [10_000_000, 10_000_000, 10_000_000, 10_000_000, 10_000_123]],
  ])("a file of %i bytes", (size, chunkSize, lengths) => {
    const plan = chunkPlan(size);
    expect(plan.chunkSize).toBe(chunkSize);
    expect(plan.chunks.map(({ first, last }) => last - first + 1)).toEqual(lengths);
    expect(plan.chunks.at(-1)?.last).toBe(size - 1);
  });

  test("are sent in order, the last one is longer, and the file arrives completely", async () => {
    const somebody = await at.person();
    await at.publish("video", post([at.video({ padTo: LARGE })], "large"), somebody);
    const [one] = await at.held(somebody.name);
    expect(one?.media).toMatchObject([{ sizeBytes: LARGE, type: "video/mp4" }]);
    expect(await statuses(somebody.name)).toEqual([206, 201]);
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

describe("interruptions", () => {
  test.each(["drop_response", "cut_body", "http_500", "refuse", "rate_limit"])(
    "%s in the middle: continues where TikTok stopped, in the same upload",
    async (fault) => {
      const somebody = await at.person();
      const memory = newMemory();
      const sent = post([at.video({ padTo: LARGE })], `cut by ${fault}`);
      await at.sandbox.fault({ operation: "upload", fault });
      const error = await failure(at.publish("video", sent, somebody, memory));
      expect(["later", "unknown"]).toContain(error.kind);
      await at.publish("video", sent, somebody, memory);
      expect((await at.held(somebody.name)).map(({ media }) => media[0]?.sizeBytes)).toEqual([LARGE]);
      expect(await begun(somebody.name)).toBe(1);
    },
  );

  test("does not send a chunk twice after a 416: TikTok's progress decides", async () => {
    const somebody = await at.person();
    const memory = newMemory();
    const sent = post([at.video({ padTo: LARGE })], "arrived");
    await at.sandbox.fault({ operation: "upload", fault: "drop_response" });
    await failure(at.publish("video", sent, somebody, memory));
    await at.publish("video", sent, somebody, memory);
    expect(await statuses(somebody.name)).toEqual([0, 416, 201]);
  });

  test.each(["drop_response", "cut_body", "http_500", "http_502_html", "refuse"])(
    "%s on the last chunk: one post",
    async (fault) => {
      const somebody = await at.person();
      const memory = newMemory();
      const sent = post([at.video({ padTo: LARGE })], `lost by ${fault}`);
      await at.sandbox.fault({ operation: "publish", fault });
      expect(await failure(at.publish("video", sent, somebody, memory))).toMatchObject({ kind: "unknown" });
      const publishedPost = await at.publish("video", sent, somebody, memory);
      expect((await at.held(somebody.name)).map(({ id }) => id)).toEqual([publishedPost.id]);
      expect(await begun(somebody.name)).toBe(1);
    },
  );

  test("a last chunk whose answer times out: one post", async () => {
    const somebody = await at.person();
    const memory = newMemory();
    const hasty: NetworkSession = {
      ...somebody,
      fetch: (path, call) => somebody.fetch(path, call?.method === "PUT" ? { ...call, timeoutSeconds: 0.5 } : call),
    };
    await at.sandbox.fault({ operation: "publish", fault: "late_response", afterSeconds: 3 });
    expect(await failure(at.publish("video", post([at.video()], "late"), hasty, memory))).toMatchObject({
      kind: "unknown",
      answer: { code: "TimeoutError" },
    });
    const publishedPost = await at.publish("video", post([at.video()], "late"), somebody, memory);
    expect((await at.held(somebody.name)).map(({ id }) => id)).toEqual([publishedPost.id]);
  });

  test("an expired upload address, in the middle or at the end: a new upload, one post", async () => {
    for (const operation of ["upload", "publish"]) {
      const somebody = await at.person();
      const memory = newMemory();
      const sent = post([at.video({ padTo: LARGE })], `ended at ${operation}`);
      await at.sandbox.fault({ operation, fault: "rate_limit" });
      expect(await failure(at.publish("video", sent, somebody, memory))).toMatchObject({
        kind: "later",
        refused: true,
      });
      await at.sandbox.advance(3601);
      await at.publish("video", sent, somebody, memory);
      expect(await at.held(somebody.name)).toHaveLength(1);
      expect(await begun(somebody.name)).toBe(2);
    }
  });

  test.each(["drop_response", "http_500"])(
    "%s at the start: nothing is public, so a new upload is started",
    async (fault) => {
      const somebody = await at.person();
      const memory = newMemory();
      await at.sandbox.fault({ operation: "prepare", fault });
      expect(await failure(at.publish("video", post([at.video()], "begun twice"), somebody, memory))).toMatchObject({
        kind: "unknown",
      });
      await at.publish("video", post([at.video()], "begun twice"), somebody, memory);
      expect(await at.held(somebody.name)).toHaveLength(1);
    },
  );
});

describe("a video that TikTok rejects", () => {
  test("because of an internal error: retried after a while, one post", async () => {
    const somebody = await at.person();
    const memory = newMemory();
    const sent = post([at.video()], "second try");
    await at.sandbox.fault({ operation: "prepare", fault: "processing_fails" });
    const error = await failure(at.publish("video", sent, somebody, memory));
    expect(error).toMatchObject({ kind: "later", answer: { code: "internal" } });
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    memory.done.set("video, outcome", { failed: "internal", ids: [], at: Date.now() - 60_000 });
    await at.publish("video", sent, somebody, memory);
    expect(await at.held(somebody.name)).toHaveLength(1);
  });

  test("three times: rejected", async () => {
    const somebody = await at.person();
    const memory = newMemory();
    for (const part of ["video", "video, time 2"])
      memory.done.set(`${part}, outcome`, { failed: "internal", ids: [], at: Date.now() - 60_000 });
    await at.sandbox.fault({ operation: "prepare", fault: "processing_fails", times: 3 });
    const error = await failure(at.publish("video", post([at.video()], "no more"), somebody, memory));
    expect(error).toMatchObject({ kind: "rejected", answer: { code: "internal" } });
  });

  test("because of the daily limit: retried every hour", async () => {
    const somebody = await at.person();
    const memory = newMemory();
    const failed = "spam_risk_too_many_posts";
    memory.done.set("video, outcome", { failed, ids: [], at: Date.now() });
    const error = await failure(at.publish("video", post([at.video()], "capped"), somebody, memory));
    expect(error).toMatchObject({ kind: "later", refused: true });
    expect(error.retryAfterSeconds).toBeGreaterThan(3500);
    memory.done.set("video, outcome", { failed, ids: [], at: Date.now() - 3_600_000 });
    await at.publish("video", post([at.video()], "capped"), somebody, memory);
    expect((await at.held(somebody.name)).length).toBe(2); // the first failure was retried
  });

  test.each([
    ["frame rate", { fps: 20 }, "frame_rate_check_failed"],
    ["size", { width: 320, height: 640 }, "picture_size_check_failed"],
  ])("because of its %s", async (_, shape, code) => {
    const somebody = await at.person();
    const error = await failure(at.publish("video", post([at.video(shape)], "unfit"), somebody));
    expect(error).toMatchObject({ kind: "rejected", answer: { code } });
  });
});

test("reports a permission removed while the video is uploaded", async () => {
  const somebody = await at.person();
  await at.sandbox.fault({ operation: "publish", fault: "revoke_token" });
  const error = await failure(at.publish("video", post([at.video()], "revoked"), somebody));
  expect(error).toMatchObject({ kind: "reconnect" });
  expect(await at.held(somebody.name)).toEqual([]);
});
