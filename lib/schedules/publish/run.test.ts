import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openSession } from "../../accounts";
import { db, publications, publishSteps } from "../../db";
import { env } from "../../env";
import { PlatformError } from "../../networks";
import { claimedPost, reclaimPost, refuseTwice } from "../testing/due";
import { ClaimLost } from "./claim";
import { recordFailure } from "./record";
import { openRun } from "./run";
import { storeIntent, storeOutcome } from "./steps";

/** Returns the wait before the network is read, after a final call that ended with this error. */
async function firstLook(error: PlatformError) {
  const { claim, post } = await claimedPost();
  const run = openRun(claim, post, await openSession(claim.account), "X");
  const fail = async () => {
    throw error;
  };
  return run.commit("post", fail, { find: async () => undefined }).catch((thrown: unknown) => thrown);
}

describe("a final call with an unknown outcome", () => {
  const answer = { status: 503 };

  test("is looked up after a few seconds", async () => {
    const error = new PlatformError("unknown", "a fault", { answer });
    expect(await firstLook(error)).toMatchObject({ outcome: "LOOKING", seconds: 5 / env.timeFactor });
  });

  test("is not looked up before the time that the network stated (Retry-After of a 503)", async () => {
    const error = new PlatformError("unknown", "a fault", { answer, retryAfterSeconds: 90, isWaitStated: true });
    expect(await firstLook(error)).toMatchObject({ outcome: "LOOKING", seconds: 90 });
  });
});

describe("a post with an unknown outcome that the user allowed to be sent again", () => {
  const unread = async (error: PlatformError, allow: (id: number) => Promise<unknown>) => {
    const { claim, post } = await claimedPost();
    let calls = 0;
    const send = async () => {
      calls += 1;
      if (calls === 1) throw new PlatformError("unknown", "no answer");
      return "sent";
    };
    const find = async () => {
      throw error;
    };
    const first = openRun(claim, post, await openSession(claim.account), "X");
    await first.commit("post", send, { find }).catch((waits: unknown) => recordFailure(claim, post, waits));
    await allow(claim.publicationId);
    const again = await reclaimPost(claim.publicationId);
    const next = openRun(again.claim, again.post, await openSession(again.claim.account), "X");
    const end = await next.commit("post", send, { find }).catch((thrown: unknown) => thrown);
    return { end, calls };
  };
  const allowed = (id: number) => db.update(publications).set({ sendAgain: true }).where(eq(publications.id, id));
  const refused = new PlatformError("rejected", "Your plan does not include reading posts", {
    answer: { status: 403 },
  });
  const busy = new PlatformError("later", "Try later", { answer: { status: 503 } });

  test("is sent if the network refuses to be read", async () => {
    expect(await unread(refused, allowed)).toEqual({ end: "sent", calls: 2 });
  });

  test("is not sent while the network cannot be read for a moment", async () => {
    expect(await unread(busy, allowed)).toMatchObject({ end: { outcome: "LOOKING" }, calls: 1 });
  });

  test("is not sent without the permission", async () => {
    expect(await unread(refused, async () => undefined)).toMatchObject({ end: { outcome: "LOOKING" }, calls: 1 });
  });
});

test("a final call is told whether it repeats one whose answer was lost", async () => {
  const { claim, post } = await claimedPost();
  const told: boolean[] = [];
  const send = async (isRepeated: boolean) => {
    told.push(isRepeated);
    if (told.length === 1) throw new PlatformError("unknown", "no answer");
    return "sent";
  };
  const recovery = { find: async () => undefined, repeatable: true };
  const first = openRun(claim, post, await openSession(claim.account), "X");
  await first.commit("post", send, recovery).catch((waits: unknown) => recordFailure(claim, post, waits));
  const again = await reclaimPost(claim.publicationId);
  const next = openRun(again.claim, again.post, await openSession(again.claim.account), "X");
  expect(await next.commit("post", send, recovery)).toBe("sent");
  expect(told).toEqual([false, true]);
});

describe("the answer to a final call", () => {
  test("is kept while the database is away for a moment", async () => {
    const { claim, post } = await claimedPost();
    const run = openRun(claim, post, await openSession(claim.account), "X");
    const stored = `update on publish_steps for each row when (new.post_id = ${post.id} and new.state = 'DONE')`;
    const back = await refuseTwice(stored);
    let calls = 0;
    const send = async () => `sent ${++calls}`;
    const end = await run.commit("post", send).catch((thrown: unknown) => thrown);
    await back();
    const steps = await db.select().from(publishSteps).where(eq(publishSteps.postId, post.id));
    expect([end, steps]).toMatchObject(["sent 1", [{ state: "DONE", result: { value: "sent 1" } }]]);
  });

  test("that refuses the post is kept too: it is not looked up as a call with a lost answer", async () => {
    const { claim, post } = await claimedPost();
    const run = openRun(claim, post, await openSession(claim.account), "X");
    const back = await refuseTwice(`delete on publish_steps for each row when (old.post_id = ${post.id})`);
    const refusal = new PlatformError("later", "X cannot be reached", { refused: true });
    const end = await run.commit("post", () => Promise.reject(refusal)).catch((thrown: unknown) => thrown);
    await back();
    expect(end).toBe(refusal);
    expect(await db.select().from(publishSteps).where(eq(publishSteps.postId, post.id))).toEqual([]);
  });

  test("can be stored again, after a connection that broke during the commit", async () => {
    const { claim, post } = await claimedPost();
    await storeIntent(claim, post.id, "post");
    await storeOutcome(claim, post.id, "post", { id: "1" });
    await storeOutcome(claim, post.id, "post", { id: "1" });
    await expect(storeOutcome(claim, post.id, "post", { id: "2" })).rejects.toThrow(ClaimLost);
  });
});

test("steps that a previous attempt completed are distinguished from those that it only started", async () => {
  const { claim, post } = await claimedPost();
  const run = openRun(claim, post, await openSession(claim.account), "X");
  await run.step("upload", async () => "done");
  const begun = await run.poll("ready", async () => undefined).catch((waits: unknown) => waits);
  await recordFailure(claim, post, begun); // gives the claim back
  const again = await reclaimPost(claim.publicationId);
  const next = openRun(again.claim, again.post, await openSession(again.claim.account), "X");
  expect(["upload", "ready", "other"].map(next.isDone)).toEqual([true, false, false]);
});
