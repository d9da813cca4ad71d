import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { databasePool, db, rateLimits } from "../db";
import "../testing/database";
import { countHere, hashOf, type RateLimitState, rateLimiter, rateLimitHeaders } from "./rate-limit";

const T = 1_700_000_000_000;

describe("requests per minute of one process", () => {
  test("are counted down and rejected beyond the limit, and a new window begins a minute after the first request", () => {
    const ask = (seconds: number) => countHere("count", "key", 2, T + seconds * 1000);
    expect(ask(0)).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
    expect(ask(10)).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 50 });
    expect(ask(59.5)).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 1 });
    expect(ask(60)).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 });
  });

  test("are counted separately for each key and each policy", () => {
    expect(countHere("one", "a", 1, T).allowed).toBe(true);
    expect(countHere("one", "b", 1, T).allowed).toBe(true);
    expect(countHere("two", "a", 1, T).allowed).toBe(true);
    expect(countHere("one", "a", 1, T).allowed).toBe(false);
  });

  test("a flood of new keys does not fill the memory", () => {
    for (let n = 0; n < 100_001; n++) countHere("flood", `key ${n}`, 1, T);
    expect(countHere("flood", "key 100000", 1, T).allowed).toBe(false);
    expect(countHere("flood", "key 0", 1, T).allowed).toBe(true); // its window was dropped
  });
});

type Process = ReturnType<typeof rateLimiter>;
/** A process that waits for the count of all processes as long as the machine needs, so that the counts are exact. */
const patientLimiter = () => rateLimiter(45_000);
const LIMIT = 160; // a share is 10

/** Counts one request after the other. Returns how many were allowed. */
async function allowedOf(counter: Process, key: string, times: number, limit = LIMIT, isExact = false) {
  let allowed = 0;
  for (let n = 0; n < times; n++) if ((await counter.countRequest("test", key, limit, isExact)).allowed) allowed++;
  return allowed;
}

/** Counts the reports that are sent from now on. */
function watchReports(): () => number {
  const query = vi.spyOn(databasePool(), "query");
  onTestFinished(() => query.mockRestore());
  return () => query.mock.calls.filter(([asked]) => JSON.stringify(asked)?.includes('"add_requests"')).length;
}

/** Checks how many seconds of a window are left, whose first request was not before `since`. A busy machine may need some of them. */
function expectLeft({ resetSeconds }: RateLimitState, seconds: number, since: number): void {
  expect(resetSeconds).toBeLessThanOrEqual(seconds);
  expect(resetSeconds).toBeGreaterThanOrEqual(seconds - (performance.now() - since) / 1000);
}

describe("requests per minute of all processes", () => {
  test("one process alone gets exactly the limit, and counts down by one", async () => {
    const { countRequest } = patientLimiter();
    const key = randomUUID();
    const since = performance.now();
    for (let n = 1; n <= LIMIT; n++)
      expect(await countRequest("test", key, LIMIT)).toMatchObject({ allowed: true, remaining: LIMIT - n });
    const refused = await countRequest("test", key, LIMIT);
    expect(refused).toMatchObject({ allowed: false, remaining: 0 });
    expectLeft(refused, 60, since);
  });

  test("two processes get together at most a share more than the limit, one after the other and at once", async () => {
    const after = randomUUID();
    const [one, two] = [patientLimiter(), patientLimiter()];
    expect(await allowedOf(one, after, 100)).toBe(100);
    const rest = await allowedOf(two, after, LIMIT);
    expect(rest).toBeGreaterThanOrEqual(60);
    expect(rest).toBeLessThanOrEqual(70);

    const key = randomUUID();
    const asked = Array.from({ length: LIMIT }, () => [one, two].map((each) => allowedOf(each, key, 1))).flat();
    const allowed = (await Promise.all(asked)).reduce((sum, count) => sum + count);
    expect(allowed).toBeGreaterThanOrEqual(LIMIT);
    expect(allowed).toBeLessThanOrEqual(LIMIT + 10);
  });

  test("an exact limit is exact, also for requests at once and if the limit is too small for a share", async () => {
    for (const [limit, isExact] of [
      [20, true],
      [3, false],
    ] as const) {
      const key = randomUUID();
      const both = [patientLimiter(), patientLimiter()];
      const asked = Array.from({ length: limit }, () => both.map((each) => allowedOf(each, key, 1, limit, isExact)));
      const allowed = (await Promise.all(asked.flat())).reduce((sum, count) => sum + count);
      expect([limit, allowed]).toEqual([limit, limit]);
    }
  });

  test("the minute begins with the first request in any process, and then again", async () => {
    const [one, two, three] = [patientLimiter(), patientLimiter(), patientLimiter()];
    const key = randomUUID();
    const since = performance.now();
    expect(await allowedOf(one, key, 3, 3, true)).toBe(3);
    const halfAMinutePasses = () =>
      db
        .update(rateLimits)
        .set({ endsAt: sql`${rateLimits.endsAt} - interval '30 seconds'` })
        .where(eq(rateLimits.key, hashOf("test", key)));
    await halfAMinutePasses();
    const refused = await two.countRequest("test", key, 3, true);
    expect(refused.allowed).toBe(false);
    expectLeft(refused, 30, since);
    await halfAMinutePasses();
    const allowed = await three.countRequest("test", key, 3, true);
    expect(allowed.allowed).toBe(true);
    expectLeft(allowed, 60, since);
  });

  test("half of a share costs no statement, and further requests one for each half", async () => {
    const reports = watchReports();
    const { countRequest } = patientLimiter();
    const key = randomUUID();
    for (let n = 0; n < 4; n++) await countRequest("test", key, LIMIT);
    expect(reports()).toBe(0);
    for (let n = 4; n < LIMIT * 3; n++) await countRequest("test", key, LIMIT); // two thirds of them are refused
    expect(reports()).toBeLessThanOrEqual(LIMIT / 5);
  });

  test("while the database does not answer, the count of this process decides", async () => {
    const key = randomUUID();
    await allowedOf(rateLimiter(), key, 1, 20, true);
    await db.transaction(async (tx) => {
      await tx
        .select()
        .from(rateLimits)
        .where(eq(rateLimits.key, hashOf("test", key)))
        .for("update");
      expect(await allowedOf(rateLimiter(), key, 30, 20, true)).toBe(20);
    });
  });
});

test("sends the headers of draft-ietf-httpapi-ratelimit-headers, and Retry-After with a rejection", () => {
  const standing = { allowed: true, limit: 600, remaining: 599, resetSeconds: 42 };
  expect(rateLimitHeaders("api", standing)).toEqual({
    "ratelimit-policy": '"api";q=600;w=60',
    ratelimit: '"api";r=599;t=42',
  });
  expect(rateLimitHeaders("api", { ...standing, allowed: false, remaining: 0 })).toMatchObject({
    ratelimit: '"api";r=0;t=42',
    "retry-after": "42",
  });
});
