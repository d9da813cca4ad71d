import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openSession } from "../../accounts";
import { db, publications } from "../../db";
import { env } from "../../env";
import { PlatformError } from "../../networks";
import { claimedPost, reclaimPost } from "../testing/due";
import { recordFailure } from "./record";
import { openRun } from "./run";

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
