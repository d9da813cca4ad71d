import { sql } from "drizzle-orm";
import { db, grants } from "../db";
import { perProcess } from "../db/per-process";
import { writeLater } from "../db/write-later";

const FLUSH_EVERY_MS = 2_000;
const WRITE_AGAIN_MS = 60_000;
const MAX_ENTRIES = 10_000;

type Uses = { waiting: Set<string>; recordedAt: Map<string, number> };
const uses = perProcess<Uses>("oauth.grant-use", () => ({ waiting: new Set(), recordedAt: new Map() }));
const writer = writeLater("the last use of tokens", FLUSH_EVERY_MS, writeUses);

/** Records that a token of this grant was used. Each process writes it at most once a minute, for many grants at once. */
export function recordGrantUse(grantId: string): void {
  const now = Date.now();
  if (now - (uses.recordedAt.get(grantId) ?? 0) < WRITE_AGAIN_MS) return;
  uses.recordedAt.delete(grantId); // to its place at the end: the oldest go first when there are too many
  uses.recordedAt.set(grantId, now);
  const [oldest] = uses.recordedAt.keys();
  if (uses.recordedAt.size > MAX_ENTRIES && oldest !== undefined) uses.recordedAt.delete(oldest);
  uses.waiting.add(grantId);
  writer.request();
}

/** Writes the uses since the last flush to the database. */
export const flushGrantUses = writer.flush;

async function writeUses(): Promise<void> {
  const ids = [...uses.waiting];
  uses.waiting.clear();
  if (ids.length === 0) return;
  await db.execute(sql`
    update ${grants} set last_used_at = now()
    where id = any(${sql.param(ids)}::uuid[]) and (last_used_at is null or last_used_at < now() - interval '1 minute')`);
}
