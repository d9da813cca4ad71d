import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { db, schedules } from "../../db";
import { as, connect, newOwner, schedule } from "../../testing";
import { type Claim, claimPublication } from "../publish/claim";
import type { Post } from "../read";

const HOUR = 3_600_000;

/** A post on X of which nobody else knows that its time has come, claimed. */
export async function claimed(lateSeconds = 0): Promise<{ claim: Claim; post: Post }> {
  const owner = await newOwner();
  const { id: account } = await connect(owner, "X_TWITTER");
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "one" }] };
  const made = await schedule(as(owner), [on], new Date(Date.now() + HOUR));
  await db
    .update(schedules)
    .set({ scheduledTime: sql`now() - make_interval(secs => ${lateSeconds})` })
    .where(eq(schedules.id, made.id));
  return claimedAgain(made.publications[0]?.id ?? 0);
}

/** The same by another worker, once the claim before is given back. */
export async function claimedAgain(publicationId: number): Promise<{ claim: Claim; post: Post }> {
  const claim = await claimPublication(publicationId, { id: randomUUID(), assertAlive() {} });
  const [post] = claim?.posts ?? [];
  if (!claim || !post) throw new Error("the publication could not be claimed");
  return { claim, post };
}
