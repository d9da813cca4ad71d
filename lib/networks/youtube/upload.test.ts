import { describe, expect, test } from "vitest";
import type { NetworkSession } from "../network";
import { failureOf, newMemory } from "../testing";
import { bench, post } from "./testing/sandbox";

const at = bench();
/** Sent in three chunks. */
const THREE_CHUNKS = 20_000_123;
/** Sent in two chunks. What happens between two chunks does not depend on their number. */
const LARGE = 9_000_123;
const large = () => at.video({ padTo: LARGE });

test("uploads a large video in chunks and sends again what YouTube did not store", async () => {
  const person = await at.person();
  await at.publish(post(at.video({ padTo: THREE_CHUNKS })), person);
  expect((await at.held(person.name)).map(({ media }) => media[0]?.sizeBytes)).toEqual([THREE_CHUNKS]);
  expect(await at.statuses(person.name, "upload")).toEqual([308, 308]);
  expect(await at.statuses(person.name, "publish")).toEqual([200]);
});

describe("interruptions", () => {
  test.each(["drop_response", "cut_body", "http_500", "refuse", "rate_limit"])(
    "%s in the middle: continues where YouTube stopped, in the same session",
    async (fault) => {
      const person = await at.person();
      const memory = newMemory();
      const sent = post(large(), { title: `cut by ${fault}` });
      await at.sandbox.fault({ operation: "upload", fault });
      const error = await failureOf(at.publish(sent, person, memory));
      expect(["later", "unknown"]).toContain(error.kind);
      await at.publish(sent, person, memory);
      expect((await at.held(person.name)).map(({ media }) => media[0]?.sizeBytes)).toEqual([LARGE]);
      expect(await at.statuses(person.name, "prepare")).toEqual([200]);
      expect(await at.statuses(person.name, "status")).toContain(308);
    },
  );

  test.each(["drop_response", "cut_body", "http_500", "http_502_html", "refuse"])(
    "%s on the last bytes: one video",
    async (fault) => {
      const person = await at.person();
      const memory = newMemory();
      const sent = post(large(), { title: `lost by ${fault}` });
      await at.sandbox.fault({ operation: "publish", fault });
      expect(await failureOf(at.publish(sent, person, memory))).toMatchObject({ kind: "unknown" });
      const published = await at.publish(sent, person, memory);
      expect((await at.held(person.name)).map(({ id }) => id)).toEqual([published.id]);
      expect(await at.statuses(person.name, "prepare")).toEqual([200]);
    },
  );

  test("a rate limit on the last bytes: sent when it is over", async () => {
    const person = await at.person();
    const memory = newMemory();
    await at.sandbox.fault({ operation: "publish", fault: "rate_limit" });
    const sent = post(at.video());
    expect(await failureOf(at.publish(sent, person, memory))).toMatchObject({ kind: "later", refused: true });
    await at.publish(sent, person, memory);
    expect(await at.held(person.name)).toHaveLength(1);
  });

  test("a late answer: one video", async () => {
    const person = await at.person();
    const memory = newMemory();
    const hasty: NetworkSession = {
      ...person,
      fetch: (path, call) => person.fetch(path, call?.method === "PUT" ? { ...call, timeoutSeconds: 0.5 } : call),
    };
    await at.sandbox.fault({ operation: "publish", fault: "late_response", afterSeconds: 3 });
    expect(await failureOf(at.publish(post(at.video()), hasty, memory))).toMatchObject({
      kind: "unknown",
      answer: { code: "TimeoutError" },
    });
    const published = await at.publish(post(at.video()), person, memory);
    expect((await at.held(person.name)).map(({ id }) => id)).toEqual([published.id]);
  });

  test.each(["drop_response", "http_500"])(
    "%s when the session is opened: opens another one, one video",
    async (fault) => {
      const person = await at.person();
      const memory = newMemory();
      await at.sandbox.fault({ operation: "prepare", fault });
      expect(await failureOf(at.publish(post(at.video()), person, memory))).toMatchObject({ kind: "unknown" });
      await at.publish(post(at.video()), person, memory);
      expect(await at.held(person.name)).toHaveLength(1);
    },
  );
});

describe("expired session", () => {
  const WEEK = 7 * 86_400 + 1;

  test.each(["upload", "publish"])(
    "before all bytes were sent (%s): opens another one, one video",
    async (operation) => {
      const person = await at.person();
      const memory = newMemory();
      const sent = post(operation === "upload" ? large() : at.video());
      await at.sandbox.fault({ operation, fault: "rate_limit" });
      await failureOf(at.publish(sent, person, memory));
      await at.sandbox.advance(WEEK);
      // The token has expired as well.
      const later = await at.person();
      const again = { ...later, username: person.username };
      await at.publish(sent, again, memory);
      expect(await at.held(later.name)).toHaveLength(1);
      expect(await at.held(person.name)).toEqual([]);
    },
  );

  test("after all bytes were sent: finds the video among the channel's uploads", async () => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post(at.video(), { title: "Sought by its title" });
    await at.sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(at.publish(sent, person, memory));
    const published = await at.publish(sent, forgetful(person), memory);
    expect((await at.held(person.name)).map(({ id }) => id)).toEqual([published.id]);
  });

  test.each(["upload", "publish"])(
    "with 410 before all bytes were stored (%s): opens another one, one video",
    async (operation) => {
      const person = await at.person();
      await at.sandbox.fault({ operation, fault: "gone" });
      const published = await at.publish(post(operation === "upload" ? large() : at.video()), person);
      expect((await at.held(person.name)).map(({ id }) => id)).toEqual([published.id]);
      expect(await at.statuses(person.name, operation)).toContain(410);
      expect(await at.statuses(person.name, "prepare")).toEqual([200, 200]);
    },
  );

  test("with 410 after all bytes were sent: finds the video and opens no other session", async () => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post(at.video(), { title: "Gone after it was published" });
    await at.sandbox.fault({ operation: "publish", fault: "drop_response" });
    await failureOf(at.publish(sent, person, memory));
    await at.sandbox.fault({ operation: "status", fault: "gone" });
    const published = await at.publish(sent, person, memory);
    expect((await at.held(person.name)).map(({ id }) => id)).toEqual([published.id]);
    expect(await at.statuses(person.name, "prepare")).toEqual([200]);
  });

  test("with no matching upload, or several: the outcome stays open", async () => {
    const person = await at.person();
    const memory = newMemory();
    const sent = post(at.video(), { title: "Never arrived" });
    await at.sandbox.fault({ operation: "publish", fault: "refuse" });
    await failureOf(at.publish(sent, person, memory));
    expect(await failureOf(at.publish(sent, forgetful(person), memory))).toMatchObject({
      kind: "later",
      message: expect.stringContaining("no video on the channel is certainly this one"),
    });
    for (const _ of [1, 2]) await at.publish(sent, person);
    expect(await failureOf(at.publish(sent, forgetful(person), memory))).toMatchObject({ kind: "later" });
  });

  /** Answers as if the session was already forgotten. */
  function forgetful(session: NetworkSession): NetworkSession {
    return {
      ...session,
      fetch: (path, call) =>
        call?.method === "PUT" ? Promise.resolve(new Response(null, { status: 404 })) : session.fetch(path, call),
    };
  }
});

describe("errors before any byte is sent", () => {
  test("the project's quota: waits for midnight in California", async () => {
    const person = await at.person();
    await at.control("project", { insertsPerDay: 0 });
    const error = await failureOf(at.publish(post(at.video()), person));
    await at.control("project", { insertsPerDay: 100_000 });
    expect(error).toMatchObject({ kind: "operator", answer: { status: 403, code: "quotaExceeded" } });
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(error.retryAfterSeconds).toBeLessThanOrEqual(86_400);
  });

  test("the channel's own limit", async () => {
    const person = await at.person({ uploadsPerDay: 0 });
    expect(await failureOf(at.publish(post(at.video()), person))).toMatchObject({
      kind: "later",
      retryAfterSeconds: 21_600,
      answer: { status: 400, code: "uploadLimitExceeded" },
    });
  });

  test("a title that YouTube does not accept", async () => {
    const person = await at.person();
    expect(await failureOf(at.publish(post(at.video(), { title: "a < b" }), person))).toMatchObject({
      kind: "rejected",
      answer: { code: "invalidTitle" },
    });
  });

  test("a revoked token", async () => {
    const person = await at.person();
    await at.sandbox.fault({ operation: "prepare", fault: "revoke_token" });
    expect(await failureOf(at.publish(post(at.video()), person))).toMatchObject({ kind: "reconnect" });
    const other = await at.person();
    await at.sandbox.fault({ operation: "publish", fault: "revoke_token" });
    expect(await failureOf(at.publish(post(at.video()), other))).toMatchObject({ kind: "reconnect" });
  });
});
