import { sql } from "drizzle-orm";
import { databaseNow, dbOrTransaction, type Tx } from "../db";
import { publicationQuotaLockText } from "../db/locks";
import { statement, value } from "../db/statement";
import { env } from "../env";
import { type Problem, QuotaExceeded } from "../errors";

/**
 * The limit on an owner's publications per day. A publication counts on the UTC day of its time, and on the day on which it was
 * last retried. One that was published and then deleted still counts on the day on which it was published, so deleting makes no
 * room for more. A day of the calendar has a fixed start, so a full day can be named to the user and read from one range of an
 * index. Drafts do not count. Near the limit, requests of an owner take turns and the limit is exact. Far from it, this process
 * skips the count for a few seconds, so that a busy owner's creates do not count thousands of rows each time.
 */

/** Within this many publications of the limit, or half of it if that is more, requests of an owner take turns. */
const LEAST_MARGIN = 500;
/** Other processes can use up the margin only if they plan that many publications within this time. */
const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 10_000;

/** What this process last counted, with what it has planned since, by owner and day. */
const remembered = new Map<string, { used: number; until: number }>();

/** The publications that a request adds to the day of an instant. */
export type DayUse = { ownerId: string; at: string; wanted: number };

const dayOf = (at: string) => new Date(at).toISOString().slice(0, 10);
const keyOf = ({ ownerId, at }: DayUse) => `${ownerId} ${dayOf(at)}`;

/** SQL: the publications of the owner's day before this request; null if they need not be counted. */
export const usedOfDay = sql`case when ${value("dayLock", "text")} is not null then
  publications_of_day(${value("ownerId", "uuid")}, ${value("at", "timestamptz")}, ${value("dayLock", "text")}, ${value("dayLockFrom", "int")}) end`;

/** SQL: whether the limit allows the publications of this request. `used` is the column of `usedOfDay`. */
export const isWithinDay = sql`(used is null or used + ${value("dayWanted", "int")} <= ${value("dayLimit", "int")})`;

/** The values for the two fragments above. @param use absent for a draft, which is not counted */
export function dayQuotaValues(use: DayUse | undefined) {
  const limit = env.quotas.publicationsPerDay;
  const wanted = use?.wanted ?? 0;
  const lockFrom = limit - wanted - Math.max(LEAST_MARGIN, Math.floor(limit / 2));
  const isCounted = use !== undefined && !isFarFromLimit(use, lockFrom);
  return {
    dayLock: isCounted ? publicationQuotaLockText(use.ownerId) : null,
    dayLockFrom: lockFrom,
    dayWanted: wanted,
    dayLimit: limit,
  };
}

function isFarFromLimit(use: DayUse, lockFrom: number): boolean {
  const known = remembered.get(keyOf(use));
  if (!known || known.until < Date.now() || known.used >= lockFrom) return false;
  known.used += use.wanted;
  return true;
}

/**
 * Evaluates what `usedOfDay` returned.
 * @throws QuotaExceeded
 */
export function assertWithinDay(use: DayUse, used: number | null): void {
  if (used === null) return;
  const problem = dayProblem(use, used);
  if (problem) throw new QuotaExceeded(`${problem.message}. ${problem.fix}`);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(keyOf(use), { used: used + use.wanted, until: Date.now() + REMEMBERED_MS });
}

/** Returns the problem of a request that exceeds the limit, given what was used before it. */
export function dayProblem({ at, wanted }: Omit<DayUse, "ownerId">, used: number): Problem | undefined {
  const limit = env.quotas.publicationsPerDay;
  if (used + wanted <= limit) return undefined;
  const text = (count: number) => count.toLocaleString("en");
  return {
    path: "scheduledTime",
    message: `You have ${text(used)} of ${text(limit)} publications on ${dayOf(at)} (UTC), so ${text(Math.max(0, limit - used))} more fit, and this request adds ${text(wanted)}`,
    rule: "quota.publications",
    measured: used + wanted,
    limit: { max: limit },
    fix: "Choose another day, delete or move posts of that day, or ask the operator of this service for a higher limit",
  };
}

type CountValues = { ownerId: string; at: string; dayLock: string | null; dayLockFrom: number | null };

const count = statement<CountValues, { used: number }>(
  "schedules.of-day",
  sql`select publications_of_day(${value("ownerId", "uuid")}, ${value("at", "timestamptz")}, ${value("dayLock", "text")}, ${value("dayLockFrom", "int")}) as used`,
);

/**
 * Checks today's limit after publications were marked as retried now, in the same transaction.
 * @throws QuotaExceeded
 */
export async function assertRetryWithinDay(tx: Tx, ownerId: string, retried: number): Promise<void> {
  const at = (await databaseNow(tx)).toISOString();
  const use = { ownerId, at, wanted: retried };
  const { dayLock, dayLockFrom } = dayQuotaValues(use);
  const [row] = await count(tx, { ownerId, at, dayLock, dayLockFrom });
  assertWithinDay(use, (row?.used ?? 0) - retried);
}

/** Returns how many publications the owner has today, by the UTC day of the database's clock. */
export async function countPublicationsToday(ownerId: string): Promise<number> {
  const at = (await databaseNow()).toISOString();
  const [row] = await count(dbOrTransaction, { ownerId, at, dayLock: null, dayLockFrom: null });
  return row?.used ?? 0;
}
