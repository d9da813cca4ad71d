import { sql } from "drizzle-orm";
import { db, publishingPause } from "../../db";
import { announceDue } from "./claim";

export type PublishingState = { paused: boolean; since?: string; reason?: string; waiting: number };
/** Why nothing is published at present, if whoever paused it said so. */
export type PublishingPause = { reason?: string };

/**
 * Stops every publication before its final call, in every process, at once: what has been sent already comes to its end,
 * nothing else is sent until `resumePublishing`. What was due meanwhile goes out late.
 */
export async function pausePublishing(reason?: string): Promise<PublishingState> {
  await db
    .insert(publishingPause)
    .values({ id: 1, reason: reason ?? null })
    .onConflictDoNothing();
  return publishingState();
}

export async function resumePublishing(): Promise<PublishingState> {
  await db.transaction(async (tx) => {
    await tx.delete(publishingPause);
    await announceDue(tx);
  });
  return publishingState();
}

/** Absent while publishing goes on. */
export async function publishingPauseNow(): Promise<PublishingPause | undefined> {
  const [pause] = await db.select({ reason: publishingPause.reason }).from(publishingPause);
  return pause && (pause.reason ? { reason: pause.reason } : {});
}

/** Whether publishing is paused, since when and why, and how many publications are due and wait. */
export async function publishingState(): Promise<PublishingState> {
  const [pause] = await db.select().from(publishingPause);
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from publications where due_at <= now() and claim_worker is null`,
  );
  const since = pause ? { since: new Date(pause.pausedAt).toISOString() } : {};
  return {
    paused: pause !== undefined,
    ...since,
    ...(pause?.reason ? { reason: pause.reason } : {}),
    waiting: rows[0]?.n ?? 0,
  };
}
