import { describe, expect, test } from "vitest";
import { openSession } from "../../accounts";
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
    const error = new PlatformError("unknown", "a fault", { answer, retryAfterSeconds: 90, isTold: true });
    expect(await firstLook(error)).toMatchObject({ outcome: "LOOKING", seconds: 90 });
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
