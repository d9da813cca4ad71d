import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, db, posts, publications, publishSteps } from "../../db";
import { env } from "../../env";
import { PlatformError } from "../../networks";
import { StoreUnavailable } from "../../storage";
import { claimedPost } from "../testing/due";
import type { Claim } from "./claim";
import { reconcile } from "./reconcile";
import { recordFailure } from "./record";

const clock = async () => (await db.execute<{ now: string }>(sql`select clock_timestamp()::text as now`)).rows[0]?.now;

/**
 * Returns the stored attempts, and the seconds (times `TIME_FACTOR`) that the publication and its account wait.
 * @param since the start of the wait; the time of the call by default
 */
async function stateOf(claim: Claim, since?: string) {
  const left = (at: typeof publications.dueAt | typeof accounts.waitUntil) =>
    sql<
      number | null
    >`extract(epoch from ${at} - coalesce(${since ?? null}::timestamptz, clock_timestamp()))::float8 * ${env.timeFactor}::float8`;
  const [state] = await db
    .select({ attempts: publications.attempts, again: left(publications.dueAt), account: left(accounts.waitUntil) })
    .from(publications)
    .innerJoin(accounts, eq(accounts.id, publications.accountId))
    .where(eq(publications.id, claim.publicationId));
  if (!state) throw new Error("the publication is gone");
  return state;
}

const slowDown = (facts: { retryAfterSeconds?: number; isWaitStated?: boolean } = {}) =>
  new PlatformError("later", "Slow down", { throttled: true, answer: { status: 400, code: "80001" }, ...facts });

describe("throttled with another status than 429", () => {
  test("counts no failed attempt, and the whole account waits", async () => {
    const { claim, post } = await claimedPost();
    const since = await clock();
    await recordFailure(claim, post, slowDown());
    const [{ attempts, again, account }, later] = [await stateOf(claim, since), await stateOf(claim)];
    expect(attempts).toBe(0);
    expect(again).toBeGreaterThanOrEqual(0.8 * 60);
    expect(later.again).toBeLessThanOrEqual(1.2 * 60);
    expect(account).toBeGreaterThanOrEqual(0.8 * 60);
  });

  test("the wait grows with the time the limit has lasted", async () => {
    const { claim, post } = await claimedPost(1600 / env.timeFactor);
    const since = await clock();
    await recordFailure(claim, post, slowDown());
    expect((await stateOf(claim, since)).again).toBeGreaterThanOrEqual(0.8 * 400);
  });

  test("any other temporary error counts a failed attempt, and the account does not wait", async () => {
    const { claim, post } = await claimedPost();
    await recordFailure(claim, post, new PlatformError("later", "Not now", { answer: { status: 400, code: "1" } }));
    expect(await stateOf(claim)).toMatchObject({ attempts: 1, account: null });
  });
});

describe("an error that only the operator can end", () => {
  const refusal = () =>
    new PlatformError("operator", "The app has no plan", { fix: "Buy one", answer: { status: 403, code: "453" } });
  const accountOf = async ({ account }: Claim) =>
    (await db.select().from(accounts).where(eq(accounts.id, account.id)))[0];

  test("waits longer after each attempt, without a pause of the account, which stays connected", async () => {
    const waits: number[] = [];
    for (const attempts of [0, 3, 30]) {
      const { claim, post } = await claimedPost();
      const since = await clock();
      await recordFailure({ ...claim, attempts }, post, refusal());
      const { again, account } = await stateOf(claim, since);
      expect(account).toBeNull();
      expect(await accountOf(claim)).toMatchObject({ state: "ACTIVE", disconnectedAt: null });
      waits.push(again ?? 0);
    }
    const [first = 0, fourth = 0, last = 0] = waits;
    expect(first).toBeGreaterThanOrEqual(0.8 * 15);
    expect(fourth).toBeGreaterThanOrEqual(0.8 * 120);
    expect(last).toBeGreaterThanOrEqual(0.8 * 3600);
  });

  test("24 hours after its time, the post fails with what the operator must do, and the account stays connected", async () => {
    const { claim, post } = await claimedPost(86_390 / env.timeFactor);
    await recordFailure(claim, post, refusal());
    const [row] = await db.select().from(posts).where(eq(posts.id, post.id));
    expect(row).toMatchObject({
      status: "FAILED",
      error: expect.stringMatching(/^The app has no plan. What the operator of this service must do: Buy one\./),
    });
    expect(await accountOf(claim)).toMatchObject({ state: "ACTIVE", disconnectedAt: null });
  });
});

test("while the store is unavailable, the publication waits: no failed attempt counts, and it is not set aside as stuck", async () => {
  const { claim, post } = await claimedPost();
  await recordFailure(claim, post, new StoreUnavailable("it does not answer"));
  const [row] = await db.select().from(publications).where(eq(publications.id, claim.publicationId));
  expect(row).toMatchObject({ attempts: 0, claims: 0, status: "IN_PROGRESS" });
  expect((await stateOf(claim)).again).toBeLessThanOrEqual(5 * env.timeFactor);
});

describe("TIME_FACTOR", () => {
  const factor = env.timeFactor;
  /** The wait is at least this long from before the call, and at most this long from after it. */
  const bounded = (from: number | null, to: number | null, expected: number) => {
    expect(from).toBeGreaterThanOrEqual(expected);
    expect(to).toBeLessThanOrEqual(expected);
  };

  test("divides a wait that we chose once, whether throttled or not", async () => {
    for (const throttled of [true, false]) {
      const { claim, post } = await claimedPost();
      const since = await clock();
      await recordFailure(claim, post, new PlatformError("later", "Not now", { throttled, retryAfterSeconds: 6000 }));
      const [{ attempts, again }, later] = [await stateOf(claim, since), await stateOf(claim)];
      bounded(again, later.again, 6000);
      expect(attempts).toBe(0);
    }
  });

  test("does not divide a wait that the network stated", async () => {
    const { claim, post } = await claimedPost();
    const since = await clock();
    await recordFailure(claim, post, slowDown({ retryAfterSeconds: 100, isWaitStated: true }));
    const [{ again, account }, later] = [await stateOf(claim, since), await stateOf(claim)];
    bounded(again, later.again, 100 * factor);
    bounded(account, later.account, 100 * factor);
  });

  test.each([
    ["chosen", false, 600 / factor],
    ["told", true, 600],
  ])("a wait that is %s while a lost call is looked up", async (_, isWaitStated, seconds) => {
    const { claim, post } = await claimedPost();
    const intent = {
      postId: post.id,
      name: "post",
      state: "SENDING" as const,
      result: null,
      irreversible: true,
      workerId: claim.worker.id,
      startedAt: new Date().toISOString(),
      sentAt: null,
      finishedAt: null,
      lookalikeKey: null,
      listedBefore: null,
      seconds: 0,
    };
    const find = async () => {
      throw new PlatformError("later", "Slow down", { retryAfterSeconds: 600, isWaitStated });
    };
    const session = { statedTime: () => undefined };
    await expect(reconcile(claim, post, intent, "X", { find }, session)).rejects.toMatchObject({
      name: "Postponed",
      seconds,
    });
  });
});

test("a worker whose claim was taken does not change the steps of a post that the network discarded", async () => {
  const { claim, post } = await claimedPost();
  const call = { postId: post.id, name: "post", state: "DONE", workerId: claim.worker.id } as const;
  await db.insert(publishSteps).values({ ...call, result: { value: "1" } });
  await db
    .update(publications)
    .set({ claimFence: claim.fence + 1 })
    .where(eq(publications.id, claim.publicationId));
  const discarded = new PlatformError("later", "The upload failed", { undone: true });
  const outcome = await recordFailure(claim, post, discarded).catch((error: Error) => error.name);
  const [step] = await db.select().from(publishSteps).where(eq(publishSteps.postId, post.id));
  expect([outcome, step?.irreversible]).toEqual(["ClaimLost", true]);
});
