import { and, asc, eq, inArray, isNull, lt, lte, or, sql } from "drizzle-orm";
import type { Account } from "../accounts";
import { accounts, db, publications, schedules, type Tx, users } from "../db";
import { enqueue, type Worker } from "../jobs";
import { assertStays, BeingDeleted } from "../users";
import { publicationDue, publicationKey } from "./jobs";
import { type Post, postsOf } from "./read";

const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
const FORGOTTEN_SECONDS = 10;

/** A publication that this worker, and no other, works on. The fence tells a later claim from this one. */
export type Claim = {
  publicationId: number;
  scheduleId: number;
  ownerId: string;
  fence: number;
  attempts: number;
  settings: { type: string };
  account: Account;
  posts: Post[];
  worker: Worker;
  /** Seconds since the scheduled time, or since its person asked for another try, by the database's clock. */
  lateSeconds: number;
};

/** The claim is over: it ran out, or somebody else has it. Whatever was under way must not go on. */
export class ClaimLost extends Error {
  constructor() {
    super("this publication is no longer this worker's");
    this.name = "ClaimLost";
  }
}

const inSeconds = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;
const free = or(isNull(publications.leaseUntil), lt(publications.leaseUntil, sql`clock_timestamp()`));

/**
 * Takes a due publication, for 30 seconds at a time. Undefined where there is nothing to do: it is finished or gone, not
 * due yet, or another worker has it (then a job is left that looks again).
 */
export async function claimPublication(publicationId: number, worker: Worker): Promise<Claim | undefined> {
  worker.assertAlive();
  return db.transaction(async (tx) => {
    // The schedule first, then its publication: everybody locks in this order.
    const parent = tx
      .select({ id: publications.scheduleId })
      .from(publications)
      .where(eq(publications.id, publicationId));
    await tx.select({ id: schedules.id }).from(schedules).where(inArray(schedules.id, parent)).for("update");
    const [row] = await tx
      .select({
        publication: publications,
        schedule: schedules,
        account: accounts,
        free: sql<boolean>`${free}`,
        due: sql<boolean>`${lte(schedules.scheduledTime, sql`clock_timestamp()`)}`,
        lateSeconds: sql<number>`extract(epoch from clock_timestamp() - greatest(${schedules.scheduledTime}, ${publications.retriedAt}))::float8`,
      })
      .from(publications)
      .innerJoin(schedules, eq(schedules.id, publications.scheduleId))
      .innerJoin(accounts, eq(accounts.id, publications.accountId))
      .innerJoin(users, eq(users.id, schedules.ownerId))
      .where(
        and(
          eq(publications.id, publicationId),
          isNull(users.deletingAt),
          inArray(publications.status, ["PENDING", "IN_PROGRESS"]),
          inArray(schedules.status, ["SCHEDULED", "IN_PROGRESS"]),
        ),
      )
      .for("update", { of: publications });
    if (!row) return undefined;
    if (!row.due || !row.free) {
      const at = row.due ? (row.publication.leaseUntil ?? undefined) : (row.schedule.scheduledTime ?? undefined);
      await enqueue(tx, publicationDue, { publicationId }, { at, key: publicationKey(publicationId) });
      return undefined;
    }
    const fence = row.publication.fence + 1;
    await tx
      .update(publications)
      .set({ status: "IN_PROGRESS", leaseWorker: worker.id, leaseUntil: inSeconds(LEASE_SECONDS), fence })
      .where(eq(publications.id, publicationId));
    await tx
      .update(schedules)
      .set({ status: "IN_PROGRESS", updatedAt: sql`now()` })
      .where(eq(schedules.id, row.schedule.id));
    return {
      publicationId,
      scheduleId: row.schedule.id,
      ownerId: row.schedule.ownerId,
      fence,
      attempts: row.publication.attempts,
      settings: row.publication.settings,
      account: row.account,
      posts: await postsOf([publicationId], tx),
      worker,
      lateSeconds: row.lateSeconds,
    };
  });
}

const stillMine = (claim: Claim) =>
  and(
    eq(publications.id, claim.publicationId),
    eq(publications.fence, claim.fence),
    eq(publications.leaseWorker, claim.worker.id),
    sql`${publications.leaseUntil} > clock_timestamp()`,
  );

/**
 * Makes the claim last `seconds` from now, inside the caller's transaction where given, and locks it there.
 * @throws ClaimLost
 */
export async function holdClaim(claim: Claim, seconds = LEASE_SECONDS, tx: Tx = db): Promise<void> {
  claim.worker.assertAlive();
  const rows = await tx
    .update(publications)
    .set({ leaseUntil: sql`greatest(${publications.leaseUntil}, ${inSeconds(seconds)})` })
    .where(stillMine(claim))
    .returning({ id: publications.id });
  if (rows.length === 0) throw new ClaimLost();
}

/**
 * As `holdClaim`, for a call that cannot be taken back: either it is announced before its owner asks to be deleted, or not
 * at all.
 * @throws ClaimLost
 */
export async function holdClaimToSend(claim: Claim, seconds: number, tx: Tx): Promise<void> {
  await assertStays(tx, claim.ownerId).catch((error) => {
    throw error instanceof BeingDeleted ? new ClaimLost() : error;
  });
  await holdClaim(claim, seconds, tx);
}

/** Renews the claim in the background until stopped. A renewal that fails is noticed at the next step, which asks again. */
export function keepClaim(claim: Claim): () => void {
  const timer = setInterval(() => holdClaim(claim).catch(() => {}), RENEW_MS);
  return () => clearInterval(timer);
}

/** What a dead worker had claimed is free again, and a job wakes each of them. */
export async function releaseClaims(tx: Tx, workerId: string): Promise<void> {
  const rows = await tx
    .update(publications)
    .set({ leaseWorker: null, leaseUntil: null })
    .where(eq(publications.leaseWorker, workerId))
    .returning({ id: publications.id });
  for (const { id } of rows) await enqueue(tx, publicationDue, { publicationId: id }, { key: publicationKey(id) });
}

/** Leaves a wake-up for when a claim that was lost has surely run out; one that waits already stays at its time. */
export async function wakeLater(publicationId: number): Promise<void> {
  const at = { inSeconds: LEASE_SECONDS + 1 };
  await enqueue(db, publicationDue, { publicationId }, { at, key: publicationKey(publicationId), keep: true });
}

/**
 * Wakes publications that are due, claimed by nobody and waited for by no job. There should be none; whatever went wrong,
 * none may stay behind.
 */
export async function wakeForgotten(): Promise<number> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select p.id::int from publications p join schedules s on s.id = p.schedule_id
    where p.status in ('PENDING', 'IN_PROGRESS') and s.status in ('SCHEDULED', 'IN_PROGRESS')
      and s.scheduled_time < clock_timestamp() - make_interval(secs => ${FORGOTTEN_SECONDS})
      and (p.lease_until is null or p.lease_until < clock_timestamp() - make_interval(secs => ${FORGOTTEN_SECONDS}))
      and not exists (select 1 from graphile_worker.jobs j where j.key = 'publication:' || p.id)
    order by s.scheduled_time limit 1000`);
  for (const { id } of rows) {
    await enqueue(db, publicationDue, { publicationId: id }, { key: publicationKey(id), keep: true });
  }
  return rows.length;
}

/** Publications of a schedule in order, locked so that two of them cannot settle past each other. */
export async function lockedStatuses(tx: Tx, scheduleId: number) {
  await tx.select({ id: schedules.id }).from(schedules).where(eq(schedules.id, scheduleId)).for("update");
  return tx
    .select({ id: publications.id, status: publications.status })
    .from(publications)
    .where(eq(publications.scheduleId, scheduleId))
    .orderBy(asc(publications.position));
}
