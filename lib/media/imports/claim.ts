import { and, asc, eq, isNull, lt, lte, or, sql } from "drizzle-orm";
import { db, mediaImports, type Tx, users } from "../../db";
import { IMPORT_CLAIM_LOCK } from "../../db/locks";
import { enqueue, type Worker } from "../../jobs";
import type { MediaImport } from "./start";
import { importDue, importKey } from "./start";

const LEASE_SECONDS = 30;
/** Imports of one owner that run at a time, so that nobody takes all places. */
const PER_OWNER = 3;

/** An import that this worker, and no other, works on. The fence tells a later claim from this one. */
export type ImportClaim = MediaImport & { workerId: string; ageSeconds: number };

/** The claim is over: somebody else has the import, or nobody needs it any more. */
export class ImportClaimLost extends Error {
  constructor() {
    super("this import is no longer this worker's");
    this.name = "ImportLost";
  }
}

const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;
const unfinished = sql`${mediaImports.state} not in ('READY', 'FAILED_PERMANENT')`;

/** Takes the import that has been due for longest, of owners who have not as many running already. */
export async function claimImport(worker: Worker): Promise<ImportClaim | undefined> {
  worker.assertAlive();
  const workerId = worker.id;
  return db.transaction(async (tx) => {
    // One claim at a time: two at once would each count the owner's running imports without the other's.
    await tx.execute(sql`select pg_advisory_xact_lock(${IMPORT_CLAIM_LOCK})`);
    const [due] = await tx
      .select({
        id: mediaImports.id,
        ageSeconds: sql<number>`extract(epoch from clock_timestamp() - ${mediaImports.createdAt})::float8`,
      })
      .from(mediaImports)
      .innerJoin(users, eq(users.id, mediaImports.ownerId))
      .where(
        and(
          unfinished,
          lte(mediaImports.dueAt, sql`clock_timestamp()`),
          or(isNull(mediaImports.claimUntil), lt(mediaImports.claimUntil, sql`clock_timestamp()`)),
          isNull(users.deletingAt),
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
 * Makes the claim last, and records how far the import is.
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
 * Ends the claim with what has become of the import; answers the import as it is now.
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

/** What a dead worker was importing is free again, and a job wakes each of them. */
export async function releaseImports(tx: Tx, workerId: string): Promise<void> {
  const rows = await tx
    .update(mediaImports)
    .set({ claimWorker: null, claimUntil: null })
    .where(eq(mediaImports.claimWorker, workerId))
    .returning({ id: mediaImports.id });
  for (const { id } of rows) await enqueue(tx, importDue, { importId: id }, { key: importKey(id) });
}

/** Leaves a wake-up for an unfinished import, for when nobody can be working on it any more. False where it is finished. */
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
