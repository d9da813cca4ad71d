import { and, eq, sql } from "drizzle-orm";
import { media, mediaImports, type Tx, uploads } from "../db";
import { mediaQuotaLockText } from "../db/locks";
import { env } from "../env";
import { QuotaExceeded } from "../errors";

/**
 * Lets one call at a time use an owner's quota until the transaction ends, so that two parallel uploads cannot both take the
 * last free bytes.
 */
async function lockQuota(tx: Tx, ownerId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${mediaQuotaLockText(ownerId)}, 0))`);
}

/**
 * Returns the bytes of a user's stored files and of the grants that were not confirmed yet, which count with the size that they
 * promise.
 * @param exceptGrant a grant that does not count
 */
export async function countMediaBytes(tx: Tx, ownerId: string, exceptGrant = ""): Promise<number> {
  const { rows } = await tx.execute<{ used: number }>(sql`
    select ((select coalesce(sum(size_bytes), 0) from ${media} where owner_id = ${ownerId})
      + (select coalesce(sum(size_bytes), 0) from ${uploads}
        where owner_id = ${ownerId} and state = 'GRANTED' and key <> ${exceptGrant}))::float8 as used`);
  return rows[0]?.used ?? 0;
}

/**
 * Checks that a file fits into its owner's quota, and keeps the quota locked until the transaction ends.
 * @param grantKey the grant that this file fulfils, whose bytes are reserved already
 * @throws QuotaExceeded
 */
export async function assertBytesAvailable(tx: Tx, ownerId: string, sizeBytes: number, grantKey = ""): Promise<void> {
  await lockQuota(tx, ownerId);
  const used = await countMediaBytes(tx, ownerId, grantKey);
  const limit = env.quotas.mediaBytes;
  if (used + sizeBytes <= limit) return;
  const measured = `Your files use ${used.toLocaleString("en")} of ${limit.toLocaleString("en")} bytes`;
  throw new QuotaExceeded(
    `${measured}, and this file has ${sizeBytes.toLocaleString("en")}. Delete files that you no longer need, or ask the operator of this service for more space`,
  );
}

/**
 * Checks that the owner may get another grant.
 * @throws QuotaExceeded
 */
export async function assertGrantAvailable(tx: Tx, ownerId: string): Promise<void> {
  await lockQuota(tx, ownerId);
  const isOpen = and(eq(uploads.ownerId, ownerId), eq(uploads.state, "GRANTED"), sql`${uploads.expiresAt} > now()`);
  const [found] = await tx.select({ count: sql<number>`count(*)::int` }).from(uploads).where(isOpen);
  const { openGrants: limit } = env.quotas;
  if ((found?.count ?? 0) < limit) return;
  throw new QuotaExceeded(
    `You have ${found?.count} open upload grants, and the limit is ${limit}. Confirm the files that you have uploaded, or wait until the grants expire after ten minutes`,
  );
}

/**
 * Checks that the owner may start another import.
 * @throws QuotaExceeded
 */
export async function assertImportAvailable(tx: Tx, ownerId: string): Promise<void> {
  await lockQuota(tx, ownerId);
  const unfinished = sql`${mediaImports.state} not in ('READY', 'FAILED_PERMANENT')`;
  const [found] = await tx
    .select({ count: sql<number>`count(*)::int` })
    .from(mediaImports)
    .where(and(eq(mediaImports.ownerId, ownerId), unfinished));
  const { queuedImports: limit } = env.quotas;
  if ((found?.count ?? 0) < limit) return;
  throw new QuotaExceeded(
    `You have ${found?.count} unfinished imports, and the limit is ${limit}. Start more when some of them have ended`,
  );
}
