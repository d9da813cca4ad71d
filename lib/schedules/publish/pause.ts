import { sql } from "drizzle-orm";
import { db, publishingPause } from "../../db";
import { type PublishingHold, publishingHold } from "../../db/installation";
import { notifyDue } from "./claim";

export type PublishingState = {
  paused: boolean;
  since?: string;
  reason?: string;
  /** Set while publishing is held because the database may not know about publications that were sent. */
  held?: PublishingHold & { fix: string };
  waiting: number;
};
/** A pause of all publishing, with the operator's reason if one was given; or a hold after a restore (lib/db/installation.ts). */
export type PublishingPause = { reason?: string; isHeld?: true };

export const HOLD_FIX =
  "Run restore finish --taken-at T, where T is when the backup was taken. publishing resume does not end this";

/**
 * Stops every publication before its final call, in all processes at once. Calls that were sent already are completed; nothing
 * else is sent until `resumePublishing`. Publications that became due in the meantime go out late.
 * @param reason replaces the reason of a pause that has begun already
 */
export async function pausePublishing(reason?: string): Promise<PublishingState> {
  await db
    .insert(publishingPause)
    .values({ id: 1, reason: reason ?? null })
    .onConflictDoUpdate({
      target: publishingPause.id,
      set: { reason: sql`coalesce(excluded.reason, ${publishingPause.reason})` },
    });
  return publishingState();
}

export async function resumePublishing(): Promise<PublishingState> {
  await db.transaction(async (tx) => {
    await tx.delete(publishingPause);
    await notifyDue(tx);
  });
  return publishingState();
}

/** Returns the current pause or hold; undefined while there is neither. */
export async function publishingPauseNow(): Promise<PublishingPause | undefined> {
  const hold = await publishingHold();
  if (hold) return { reason: hold.reason, isHeld: true };
  const [pause] = await db.select({ reason: publishingPause.reason }).from(publishingPause);
  return pause && (pause.reason ? { reason: pause.reason } : {});
}

/** Returns whether publishing is paused or held, since when and why, and how many due publications are waiting. */
export async function publishingState(): Promise<PublishingState> {
  const [pause] = await db.select().from(publishingPause);
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from publications where due_at <= now() and claim_worker is null`,
  );
  const hold = await publishingHold();
  const since = pause ? { since: new Date(pause.pausedAt).toISOString() } : {};
  return {
    paused: pause !== undefined,
    ...since,
    ...(pause?.reason ? { reason: pause.reason } : {}),
    ...(hold ? { held: { ...hold, fix: HOLD_FIX } } : {}),
    waiting: rows[0]?.n ?? 0,
  };
}

/** Fields that tell the user that publishing is paused or held, with the reason if there is one; none otherwise. */
export function presentPause(pause: PublishingPause | undefined) {
  if (!pause) return {};
  const held = pause.isHeld ? { publishingHeld: true } : {};
  return { publishingPaused: true, ...held, ...(pause.reason ? { publishingPausedReason: pause.reason } : {}) };
}
