import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { accounts, db, queueSlots } from "../db";
import { NotFound } from "../errors";
import { minuteOf, type Slot } from "../time/weekly";

/** An account's weekly slots; `timeZone` is null until the slots are set. */
export type Queue = {
  accountId: number;
  timeZone: string | null;
  /** Minutes since Monday 00:00 of the zone's wall clock, ascending. */
  minutes: number[];
};

export type QueueInput = { timeZone: string; slots: Slot[] };

const live = isNull(accounts.disconnectedAt);

/** The queues of the owner's connected accounts, or only those with these ids. Another owner's account is missing, like an unknown one. */
export async function listQueues(ownerId: string, ids?: number[]): Promise<Queue[]> {
  const rows = await db
    .select({ accountId: accounts.id, timeZone: queueSlots.timeZone, minutes: queueSlots.minutes })
    .from(accounts)
    .leftJoin(queueSlots, eq(queueSlots.accountId, accounts.id))
    .where(and(eq(accounts.ownerId, ownerId), live, ids && inArray(accounts.id, ids)))
    .orderBy(accounts.id);
  return rows.map((row) => ({ ...row, minutes: row.minutes ?? [] }));
}

/** @throws NotFound, the same whether the account is missing or belongs to someone else */
export async function getQueue(ownerId: string, accountId: number): Promise<Queue> {
  const [queue] = await listQueues(ownerId, [accountId]);
  if (!queue) throw new NotFound("Account", accountId);
  return queue;
}

/**
 * Replaces an account's slots.
 * @throws NotFound
 */
export async function setQueue(ownerId: string, accountId: number, { timeZone, slots }: QueueInput): Promise<Queue> {
  const minutes = slots.map(minuteOf).sort((a, b) => a - b);
  const mine = db
    .select({
      accountId: accounts.id,
      timeZone: sql<string>`${timeZone}::text`.as("time_zone"),
      minutes: sql<number[]>`${sql.param(minutes)}::integer[]`.as("minutes"),
    })
    .from(accounts)
    .where(and(eq(accounts.ownerId, ownerId), eq(accounts.id, accountId), live));
  const [queue] = await db
    .insert(queueSlots)
    .select(mine)
    .onConflictDoUpdate({ target: queueSlots.accountId, set: { timeZone, minutes } })
    .returning();
  if (!queue) throw new NotFound("Account", accountId);
  return queue;
}
