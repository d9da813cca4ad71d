import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { db, idempotencyKeys, media, type Tx, users } from "../db";
import { accessChanged } from "../db/access";
import { auditForUser } from "../db/audit";
import { Conflict, NotFound } from "../errors";
import { defineJob, enqueue, type Job, type JobKind } from "../jobs";
import { log } from "../log";

/**
 * Deletes one kind of a user's data. It must be repeatable, because the job can end at any point and run again. Returns how
 * long to wait if it cannot finish yet.
 */
export type Erasure = (userId: string) => Promise<undefined | { againInSeconds: number }>;

const deletionDue = {
  name: "user.delete",
  payload: z.object({ userId: z.uuid() }),
} satisfies JobKind;

const deletionKey = (userId: string) => `user.delete:${userId}`;

/** 409: the user is being deleted. */
export class BeingDeleted extends Conflict {
  constructor() {
    super("User deletion is in progress");
  }
}

/**
 * Starts to delete a user. From now on, every other call for them is refused and nothing more is published. A job deletes
 * the data.
 * @throws NotFound; BeingDeleted if the deletion has started already
 */
export async function deleteUser(id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [row] = await tx
      .update(users)
      .set({ deletingAt: sql`clock_timestamp()` })
      .where(and(eq(users.id, id), isNull(users.deletingAt)))
      .returning({ id: users.id });
    if (!row) {
      const [known] = await tx.select({ id: users.id }).from(users).where(eq(users.id, id));
      throw known ? new BeingDeleted() : new NotFound("User", id);
    }
    await auditForUser(tx, id, { action: "user.deleted", subject: id });
    await enqueue(tx, deletionDue, { userId: id }, { key: deletionKey(id) });
  });
  accessChanged(id);
}

/**
 * Prevents the deletion of a user from starting until the transaction ends.
 * @throws BeingDeleted if it has started
 */
export async function assertNotBeingDeleted(tx: Tx, id: string): Promise<void> {
  const [row] = await tx.select({ deletingAt: users.deletingAt }).from(users).where(eq(users.id, id)).for("share");
  if (!row || row.deletingAt) throw new BeingDeleted();
}

/** Returns whether the database refused a row because its owner was deleted in the meantime (foreign key violation, 23503). */
export function isOwnerGone(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return (code === "23503" && /_users_id_fk$/.test(String(constraint))) || isOwnerGone(error.cause);
}

/** The job: runs each noun's erasure, then deletes the user's row with everything that still refers to it. */
export function userDeletionJob(erasures: Erasure[]): Job {
  const job = defineJob({
    ...deletionDue,
    async run({ userId }) {
      for (const erase of erasures) {
        const wait = await erase(userId);
        if (wait) return enqueueAgain(userId, wait.againInSeconds);
      }
      if (!(await removeRow(userId))) return enqueueAgain(userId, 1);
      log.info({ user: userId }, "a user was deleted");
    },
  });
  return job as Job;
}

async function enqueueAgain(userId: string, inSeconds: number): Promise<void> {
  await enqueue(db, deletionDue, { userId }, { at: { inSeconds }, key: deletionKey(userId) });
}

/**
 * Deletes the user's row. Returns false if a running request has stored another object: deleting the row would remove the
 * only reference to it.
 */
async function removeRow(userId: string): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("update");
    const [left] = await tx.select({ id: media.id }).from(media).where(eq(media.ownerId, userId)).limit(1);
    if (left) return false;
    await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.ownerId, userId));
    await tx.delete(users).where(and(eq(users.id, userId), sql`${users.deletingAt} is not null`));
    return true;
  });
}
