import { and, asc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { db, mediaImports, type Tx, users } from "../../db";
import { IMPORT_CLAIM_LOCK } from "../../db/locks";
import { enqueue, type Worker } from "../../jobs";
import { isOwnerActive } from "../../users";
import type { MediaImport } from "./start";
import { importDue, importKey } from "./start";

const LEASE_SECONDS = 30;
/** How many imports of one owner run at a time, so that one owner cannot use all places. */
const PER_OWNER = 3;

/** An import claimed by this worker. The fence distinguishes this claim from a later one. */
export type ImportClaim = MediaImport & { workerId: string; ageSeconds: number };

/** The claim is lost: another worker has the import, or it is no longer needed. */
export class ImportClaimLost extends Error {
  constructor() {
    super("this worker has lost its claim on the import");
    this.name = "ImportClaimLost";
  }
}

/** The alias that `isOwnerActive` refers to. */
const owner = alias(users, "u");

const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;
const unfinished = sql`${mediaImports.state} not in ('READY', 'FAILED_PERMANENT')`;

/** Claims the import that has been due for longest, of active owners below their limit. */
export async function claimImport(worker: Worker): Promise<ImportClaim | undefined> {
  worker.assertAlive();
  const workerId = worker.id;
  return db.transaction(async (tx) => {
    // One claim at a time. Otherwise two could each miss the other's import when they count an owner's running imports.
    await tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_CLAIM_LOCK})`);
    const [due] = await tx
      .select({
        id: mediaImports.id,
        ageSeconds: sql<number>`extract(epoch from clock_timestamp() - ${mediaImports.createdAt})::float8`,
      })
      .from(mediaImports)
      .innerJoin(owner, eq(owner.id, mediaImports.ownerId))
      .where(
        and(
          unfinished,
          lte(mediaImports.dueAt, sql`clock_timestamp()`),
          or(isNull(mediaImports.claimUntil), lt(mediaImports.claimUntil, sql`clock_timestamp()`)),
          isOwnerActive,
          sql`(select count(*) from media_imports running where running.owner_id = ${mediaImports.ownerId} and running.claim_until > clock_timestamp()) < ${PER_OWNER}`,
        ),
      )
      .orderBy(asc(mediaImports.dueAt), asc(mediaImports.id))
      .limit(1)
      .for("update", { of: mediaImports, skipLocked: true });
    if (!due) return undefined;
    const [row] = await tx
      .update(mediaImports)
      .set({
        state: "DOWNLOADING",
        claimWorker: workerId,
        claimUntil: leaseEnd,
        claimFence: sql`${mediaImports.claimFence} + 1`,
        errorCode: null,
        errorMessage: null,
      })
      .where(eq(mediaImports.id, due.id))
      .returning();
    return row && { ...row, workerId, ageSeconds: due.ageSeconds };
  });
}

/**
 * Extends the claim and records the progress.
 * @throws ImportClaimLost
 */
export async function extendClaim(claim: ImportClaim, progress: Partial<MediaImport> = {}, tx: Tx = db): Promise<void> {
  const rows = await tx
    .update(mediaImports)
    .set({ ...progress, claimUntil: leaseEnd })
    .where(isStillClaimed(claim))
    .returning({ id: mediaImports.id });
  if (rows.length === 0) throw new ImportClaimLost();
}

/**
 * Ends the claim with an outcome. Returns the updated import.
 * @throws ImportClaimLost
 */
export async function endClaim(
  tx: Tx,
  claim: ImportClaim,
  outcome: Partial<MediaImport>,
  dueIn = 0,
): Promise<MediaImport> {
  const [row] = await tx
    .update(mediaImports)
    .set({
      ...outcome,
      claimWorker: null,
      claimUntil: null,
      dueAt: sql`clock_timestamp() + make_interval(secs => ${dueIn}::double precision)`,
    })
    .where(isStillClaimed(claim))
    .returning();
  if (!row) throw new ImportClaimLost();
  return row;
}

function isStillClaimed(claim: ImportClaim) {
  return and(
    eq(mediaImports.id, claim.id),
    eq(mediaImports.claimFence, claim.claimFence),
    eq(mediaImports.claimWorker, claim.workerId),
    unfinished,
  );
}

/** Releases the imports of a dead worker and enqueues a job for each of them. */
export async function releaseImports(tx: Tx, workerId: string): Promise<void> {
  const rows = await tx
    .update(mediaImports)
    .set({ claimWorker: null, claimUntil: null })
    .where(eq(mediaImports.claimWorker, workerId))
    .returning({ id: mediaImports.id });
  for (const { id } of rows) await enqueue(tx, importDue, { importId: id }, { key: importKey(id) });
}

/** Schedules a job for the time when no worker can hold the claim any more. Returns false if the import is finished. */
export async function scheduleWakeUp(importId: number): Promise<boolean> {
  const [row] = await db
    .select({
      at: sql<string>`greatest(${mediaImports.dueAt}, coalesce(${mediaImports.claimUntil}, now()), clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))::text`,
    })
    .from(mediaImports)
    .where(and(eq(mediaImports.id, importId), unfinished));
  if (row) await enqueue(db, importDue, { importId }, { at: row.at, key: importKey(importId) });
  return row !== undefined;
}
