import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openSession } from "../../accounts";
import { db, posts, publications, publishSteps } from "../../db";
import { env } from "../../env";
import { PlatformError } from "../../networks";
import { dueIn } from "../../testing";
import type { Post } from "../read";
import { claimedPost, reclaimPost, useUpRefresh } from "../testing/due";
import type { Claim } from "./claim";
import { recordFailure } from "./record";
import { openRun } from "./run";

type Work = { claim: Claim; post: Post };
const HOUR_SECONDS = 3600;
const nothing = async () => undefined;

/** A post that the network accepted and that is polled until the claim is released, fails, or has an answer. */
async function work({ claim, post }: Work, check: () => Promise<string | undefined>, after?: "commit") {
  const run = openRun(claim, post, await openSession(claim.account), "X");
  try {
    const before = after ? undefined : await run.poll("decided", check);
    const made = await run.commit("send", async () => (claim.isOutcomeUnknown ? "sent twice" : "sent once"));
    return [made, after ? await run.poll("decided", check, after) : before];
  } catch (error) {
    await recordFailure(claim, post, error);
    return undefined;
  }
}

/** Makes the poll look as if it had run for this long. */
const age = ({ post }: Work, seconds: number) =>
  db
    .update(publishSteps)
    .set({ startedAt: sql`now() - make_interval(secs => ${seconds / env.timeFactor}::float8)` })
    .where(and(eq(publishSteps.postId, post.id), eq(publishSteps.name, "decided")));

/** A poll that has run for this long, and the next claim. */
async function asked(seconds: number, after?: "commit"): Promise<Work> {
  const first = await claimedPost();
  await work(first, nothing, after);
  await age(first, seconds);
  return reclaimPost(first.claim.publicationId);
}

async function ended({ claim, post }: Work) {
  const [row] = await db
    .select({ publication: publications.status, post: posts.status, error: posts.error })
    .from(posts)
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(eq(posts.id, post.id));
  return { ...row, again: await dueIn(claim.publicationId) };
}

describe("a network that accepted the final call, and has no result after an hour", () => {
  test("leaves the post UNKNOWN and is still read: its later result counts, and nothing is sent twice", async () => {
    const late = await asked(HOUR_SECONDS + 60, "commit");
    await work(late, nothing, "commit");
    expect(await ended(late)).toMatchObject({
      publication: "UNKNOWN",
      post: "UNKNOWN",
      error: expect.stringMatching(/accepted the final call.*may be live/),
      again: expect.any(Number),
    });
    const again = await reclaimPost(late.claim.publicationId);
    expect(again.claim.isOutcomeUnknown).toBe(true);
    expect(await work(again, async () => "live", "commit")).toEqual(["sent once", "live"]);
  });

  test("is read for 24 hours, and no longer", async () => {
    const one = await asked(HOUR_SECONDS + 60, "commit");
    await work(one, nothing, "commit");
    for (const [hours, isReadOn] of [
      [23, true],
      [25, false],
    ] as const) {
      await age(one, hours * HOUR_SECONDS);
      const again = await reclaimPost(one.claim.publicationId);
      await work(again, nothing, "commit");
      const { publication, again: seconds } = await ended(again);
      expect([publication, seconds !== undefined]).toEqual(["UNKNOWN", isReadOn]);
    }
  });

  test("that then reports that the post was not created: FAILED, so that the user can retry", async () => {
    const late = await asked(HOUR_SECONDS + 60, "commit");
    await work(late, nothing, "commit");
    const again = await reclaimPost(late.claim.publicationId);
    await work(again, async () => "failed", "commit");
    await recordFailure(again.claim, again.post, new PlatformError("later", "It came to nothing", { undone: true }));
    expect(await ended(again)).toMatchObject({ publication: "FAILED", post: "FAILED", error: "It came to nothing" });
  });

  test.each(["reconnect", "rejected"] as const)("leaves the post UNKNOWN if %s ends the polling", async (kind) => {
    const one = await asked(60, "commit");
    await useUpRefresh(one.claim);
    await recordFailure(one.claim, one.post, new PlatformError(kind, "No more"));
    expect(await ended(one)).toMatchObject({ post: "UNKNOWN", error: expect.stringContaining("may be live") });
  });
});

test("a file that is not ready after an hour, before anything was published, fails", async () => {
  const late = await asked(HOUR_SECONDS + 60);
  await work(late, nothing);
  expect(await ended(late)).toMatchObject({
    post: "FAILED",
    error: expect.stringContaining("did not finish processing within an hour"),
  });
});
