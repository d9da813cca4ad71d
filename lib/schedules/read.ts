import { and, asc, between, desc, eq, gte, inArray, lt, lte, max, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { accounts, db, posts, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { NotFound } from "../errors";
import { usesFile } from "../media";
import type { Platform } from "../platforms";
import { type ImportLink, pendingImportsOf } from "./imports/attach";
import { saying } from "./search";

export type Post = typeof posts.$inferSelect;
export type Publication = typeof publications.$inferSelect & { posts: Post[] };
export type Schedule = typeof schedules.$inferSelect & { publications: Publication[]; pendingImports: ImportLink[] };

/** Which schedules are meant; all of the owner's where nothing is said. */
export type Filters = {
  status?: ScheduleStatus;
  platform?: Platform;
  /** An Account id, or a network's own. */
  accountId?: string;
  /** Words that stand in its texts, all of them; in any case, with or without accents. */
  text?: string;
  /** The storage key of a file that one of its posts has, as an attachment or as its cover. */
  attachment?: string;
  /** Bounds of `scheduledTime`, both included; a draft without a time is outside of any. */
  from?: Date;
  to?: Date;
};

export type Page = Filters & {
  limit: number;
  /** The id to go on before. Ids grow, so what is added while a list is read comes before its first page. */
  before?: number;
};

/** @throws NotFound, the same for a foreign schedule and for one that never was */
export async function getSchedule(ownerId: string, id: number, tx: Tx = db): Promise<Schedule> {
  const [schedule] = await schedulesUnder(ownerId, [id], tx);
  if (!schedule) throw new NotFound("Posting schedule", id);
  return schedule;
}

/** Those of these schedules that are there, in no order. */
export async function schedulesUnder(ownerId: string, ids: number[], tx: Tx = db): Promise<Schedule[]> {
  const rows = await tx
    .select()
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), isAnyOf(schedules.id, ids)));
  return withPublications(tx, rows);
}

/** The owner's schedules, newest first; `next` is the id to go on before, absent on the last page. */
export async function listSchedules(
  ownerId: string,
  { limit, before, ...filters }: Page,
): Promise<{ items: Schedule[]; next?: number }> {
  const meant = await conditionOf(ownerId, filters);
  if (!meant) return { items: [] };
  const rows = await db
    .select()
    .from(schedules)
    .where(and(meant, before === undefined ? undefined : lt(schedules.id, before)))
    .orderBy(...newestFirst(filters.status))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  return { items: await withPublications(db, shown), next: rows.length > limit ? shown.at(-1)?.id : undefined };
}

/** How many posts the longest publication among these schedules has; 0 where there is none. */
export async function longestOf(ownerId: string, filters: Filters): Promise<number> {
  const meant = await conditionOf(ownerId, filters);
  if (!meant) return 0;
  const [row] = await db
    .select({ last: max(posts.position) })
    .from(schedules)
    .innerJoin(publications, eq(publications.scheduleId, schedules.id))
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(meant);
  return typeof row?.last === "number" ? row.last + 1 : 0;
}

/** Undefined where no account is as the filters say, and so no schedule either. */
async function conditionOf(
  ownerId: string,
  { status, platform, accountId, text, attachment, from, to }: Filters,
): Promise<SQL | undefined> {
  const accountIds = platform || accountId ? await accountIdsOf(ownerId, platform, accountId) : undefined;
  if (accountIds?.length === 0) return undefined;
  return and(
    between(schedules.ownerId, ownerId, ownerId),
    status && between(schedules.status, status, status),
    from && gte(schedules.scheduledTime, from.toISOString()),
    to && lte(schedules.scheduledTime, to.toISOString()),
    accountIds && publishesOn(accountIds),
    attachment === undefined ? undefined : inArray(schedules.id, using(attachment)),
    text === undefined ? undefined : saying(text),
  );
}

/**
 * In the order of the owner's own index, which a range asks for and equality would not: to the planner an owner with most of
 * the rows looks as if the newest of all schedules were theirs, and it would read through everybody else's first.
 */
function newestFirst(status: ScheduleStatus | undefined): SQL[] {
  return [schedules.ownerId, ...(status ? [schedules.status] : []), schedules.id].map((column) => desc(column));
}

/**
 * The owner's accounts on a platform or under an id, disconnected ones too. Read beforehand: only where the planner sees the
 * ids themselves does it know whether to begin with the few publications of an account or with the newest schedules.
 */
async function accountIdsOf(ownerId: string, platform?: Platform, accountId?: string): Promise<number[]> {
  const isId = accountId !== undefined && /^\d{1,15}$/.test(accountId);
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.ownerId, ownerId),
        platform && eq(accounts.platform, platform),
        accountId === undefined
          ? undefined
          : or(eq(accounts.networkAccountId, accountId), isId ? eq(accounts.id, Number(accountId)) : undefined),
      ),
    );
  return rows.map(({ id }) => id);
}

/** Whether one publication of a schedule is for one of these accounts. */
function publishesOn(accountIds: number[]): SQL {
  const one = db
    .select({ one: sql`1` })
    .from(publications)
    .where(and(eq(publications.scheduleId, schedules.id), inArray(publications.accountId, accountIds)));
  return sql`exists (${one})`;
}

/** The schedules with a post that has this file. */
function using(key: string) {
  return db
    .select({ id: publications.scheduleId })
    .from(posts)
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(usesFile(key));
}

async function withPublications(tx: Tx, rows: (typeof schedules.$inferSelect)[]): Promise<Schedule[]> {
  if (rows.length === 0) return [];
  const parts = await tx
    .select()
    .from(publications)
    .where(isAnyOf(publications.scheduleId, idsOf(rows)))
    .orderBy(asc(publications.position));
  const texts = parts.length > 0 ? await postsOf(idsOf(parts), tx) : [];
  const postsUnder = grouped(texts, ({ publicationId }) => publicationId);
  const pendingUnder = grouped(await pendingImportsOf(rows, tx), ({ scheduleId }) => scheduleId);
  const whole = parts.map((part) => ({ ...part, posts: postsUnder(part.id) }));
  const publicationsUnder = grouped(whole, ({ scheduleId }) => scheduleId);
  return rows.map((row) => ({
    ...row,
    pendingImports: pendingUnder(row.id),
    publications: publicationsUnder(row.id),
  }));
}

/** The posts of these publications, in order. */
async function postsOf(publicationIds: number[], tx: Tx): Promise<Post[]> {
  return tx.select().from(posts).where(isAnyOf(posts.publicationId, publicationIds)).orderBy(asc(posts.position));
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

/** Finds the things under an id, each list in the order of the whole. */
function grouped<T>(things: T[], idOf: (thing: T) => number): (id: number) => T[] {
  const groups = new Map<number, T[]>();
  for (const thing of things) {
    const group = groups.get(idOf(thing));
    if (group) group.push(thing);
    else groups.set(idOf(thing), [thing]);
  }
  return (id) => groups.get(id) ?? [];
}

/** One array and not a list of values, so that the statement stays as short as it is for one. */
function isAnyOf(column: PgColumn, ids: number[]): SQL {
  return sql`${column} = any(${sql.param(ids)}::bigint[])`;
}
