import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openSession } from "../../accounts";
import { db, posts } from "../../db";
import { env } from "../../env";
import { PlatformError, type Run } from "../../networks";
import type { Post } from "../read";
import { retrySchedule } from "../retry";
import { claimedPost, reclaimPost, useUpRefresh } from "../testing/due";
import type { Claim } from "./claim";
import { Postponed, TooLate } from "./outcomes";
import { recordFailure } from "./record";
import { openRun } from "./run";

type Work = { claim: Claim; post: Post };

const DAY_SECONDS = 86_400;
const refusal = new PlatformError("rejected", "No", { answer: { status: 400 } });

const runOf = async ({ claim, post }: Work): Promise<Run> =>
  openRun(claim, post, await openSession(claim.account), "X");

/** A claim of a post whose first part is out and whose second part is prepared. */
async function halfSent(): Promise<Work> {
  const work = await claimedPost();
  const run = await runOf(work);
  await run.step("upload 1", async () => "first");
  await run.commit("send 1", async () => "sent");
  await run.step("upload 2", async () => "first");
  await recordFailure(work.claim, work.post, new Postponed(0, "WAITING", "It goes on at once"));
  return reclaimPost(work.claim.publicationId);
}

async function statusOf({ post }: Work) {
  const [row] = await db.select({ status: posts.status, error: posts.error }).from(posts).where(eq(posts.id, post.id));
  return row;
}

/** What the next attempt after a retry finds: `first` if the step was kept, otherwise `again`. */
async function afterRetry({ claim }: Work) {
  await retrySchedule(claim.ownerId, claim.scheduleId, { sendAgain: false });
  const run = await runOf(await reclaimPost(claim.publicationId));
  const again = async () => "again";
  return [await run.step("upload 1", again), await run.commit("send 1", again), await run.step("upload 2", again)];
}

describe("a post that was partly sent", () => {
  test("is FAILED if the network rejects it, and the message says that a part may be public", async () => {
    const work = await halfSent();
    await recordFailure(work.claim, work.post, refusal);
    expect(await statusOf(work)).toEqual({ status: "FAILED", error: expect.stringContaining("may be public already") });
  });

  test.each([
    ["a file of it is gone", new PlatformError("rejected", "A file is gone")],
    ["its account's token is dead", new PlatformError("reconnect", "No more", { answer: { status: 401 } })],
  ])("is UNKNOWN if %s", async (_, error) => {
    const work = await halfSent();
    await useUpRefresh(work.claim);
    await recordFailure(work.claim, work.post, error);
    expect(await statusOf(work)).toEqual({ status: "UNKNOWN", error: expect.stringContaining("may be live") });
  });

  test("a day late: what was sent is found, and the rest is not sent", async () => {
    const work = await halfSent();
    const late = { ...work.claim, lateSeconds: DAY_SECONDS / env.timeFactor + 1 };
    const run = await runOf({ claim: late, post: work.post });
    expect(await run.commit("send 1", async () => "sent again")).toBe("sent");
    await expect(run.commit("send 2", async () => "sent late")).rejects.toThrow(TooLate);
    await recordFailure(late, work.post, new TooLate());
    expect(await statusOf(work)).toEqual({
      status: "FAILED",
      error: expect.stringMatching(/within 24 hours.* A part of this post may be public already/),
    });
  });
});

describe("a retry of a post that", () => {
  test("failed half-way keeps the steps that led to the sent call, and prepares the rest again", async () => {
    const work = await halfSent();
    await recordFailure(work.claim, work.post, refusal);
    expect(await afterRetry(work)).toEqual(["first", "sent", "again"]);
  });

  test("may be live keeps all steps", async () => {
    const work = await halfSent();
    await recordFailure(work.claim, work.post, new PlatformError("rejected", "A file is gone"));
    expect(await afterRetry(work)).toEqual(["first", "sent", "first"]);
  });

  test("failed before anything was sent starts over", async () => {
    const work = await claimedPost();
    await (await runOf(work)).step("upload 1", async () => "first");
    await recordFailure(work.claim, work.post, refusal);
    expect(await afterRetry(work)).toEqual(["again", "again", "again"]);
  });
});
