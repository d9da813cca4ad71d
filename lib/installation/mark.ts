import { z } from "zod";

/**
 * A mark is a copy of the database's counts of announced final calls that is kept outside of the database. A database with
 * lower counts than a mark has lost transactions: it was restored, or a failover lost some. Each worker counts its own calls,
 * because a process knows the newest count of its own worker only.
 */
const markSchema = z.object({
  installationId: z.string(),
  /** A completed `restore finish` raises it. A mark of an earlier epoch says nothing about the database any more. */
  epoch: z.number().int(),
  /** All announced calls. */
  published: z.number().int(),
  /** The announced calls of each worker. */
  counts: z.record(z.string(), z.number().int()),
  /** By the database's clock, ISO 8601. */
  at: z.string(),
});
export type Mark = z.output<typeof markSchema>;

/** Marks list the workers that have announced a call within this many days. */
export const LISTED_DAYS = 5;
/** The counts of older workers are part of the total only after this many days (`foldOldCounts`). */
export const COUNTS_KEPT_DAYS = 7;
const DAY_MS = 86_400_000;

/** Returns undefined for a text that is not a mark, such as a file of a machine that lost power while it was written. */
export function parseMark(text: string): Mark | undefined {
  try {
    return markSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Whether a database with these counts lacks calls that the mark knows about. */
export function isBehind(database: Mark, mark: Mark): boolean {
  if (mark.epoch !== database.epoch) return mark.epoch > database.epoch;
  if (mark.published > database.published) return true;
  // The database may have folded the counts that an older mark still lists. Marks are rewritten every hour.
  if (Date.parse(database.at) - Date.parse(mark.at) > (COUNTS_KEPT_DAYS - LISTED_DAYS - 1) * DAY_MS) return false;
  return Object.entries(mark.counts).some(([worker, count]) => count > (database.counts[worker] ?? 0));
}

/** Whether the database has exactly the calls that the mark knows about: nothing was announced after the mark was written. */
export function isEqual(database: Mark, mark: Mark): boolean {
  return mark.epoch === database.epoch && mark.published === database.published && !isBehind(database, mark);
}
