import {
  type AnyColumn,
  and,
  asc,
  between,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  max,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { accounts, dbOrTransaction, posts, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { fieldsAsJson, statement, value } from "../db/statement";
import { NotFound, RETRY_AFTER_RECONNECT } from "../errors";
import { MAX_CHARACTERS } from "../http/page-size";
import { mediaByKeys, usesFile } from "../media";
import type { Platform } from "../platforms";
import { parseId } from "../text";
import { type ImportLink, pendingImportsOf } from "./imports/links";
import type { NewSchedule } from "./input";
import { findByIndex, matchesText } from "./search";

export type Post = typeof posts.$inferSelect;
export type Publication = typeof publications.$inferSelect & { posts: Post[] };
export type Schedule = typeof schedules.$inferSelect & {
  publications: Publication[];
  pendingImports: ImportLink[];
  /** Only of a proposal, whose approval also counts for these. */
  fileTexts?: FileTexts;
};

/** The texts of a post's files that are sent with them, by storage key. */
export type FileTexts = { [key: string]: [filename: string, altText: string | null] };

/** Filters for a list of schedules; without any, all of the owner's schedules match. */
export type Filters = {
  /** One of these statuses. */
  status?: ScheduleStatus[];
  platform?: Platform;
  /** The id of an account, or the network's own account id. */
  accountId?: string;
  /** Words that all occur in its texts, ignoring case and accents. */
  text?: string;
  /** The storage key of an attachment or cover of one of its posts. */
  attachment?: string;
  /** Only schedules with a publication that failed because its account needed reconnecting, which has been done since. */
  isMissed?: boolean;
  /** Only schedules with a publication on an account that needs reconnecting. */
  needsReconnecting?: boolean;
  /** True: only schedules that an application proposed. False: only others. */
  proposed?: boolean;
  /** False: only drafts without a time. True: only schedules with one. */
  hasTime?: boolean;
  /** Only schedules with something that did not go out and that their owner did not leave unpublished. */
  needsAttention?: boolean;
  /** Inclusive bounds of `scheduledTime`; a draft without a time never matches. */
  from?: Date;
  to?: Date;
};

export type Page = Filters & {
  limit: number;
  /** Returns only schedules with smaller ids. Ids grow, so schedules added during paging come before the first page. */
  before?: number;
};

/** The place of a schedule in a list that is sorted by time. The id separates schedules with the same time. */
type TimePlace = [scheduledTime: string, id: number];

export type PageByTime = Filters & {
  limit: number;
  /** `scheduledTime`: the earliest is first. `-scheduledTime`: the latest is first. */
  sort: "scheduledTime" | "-scheduledTime";
  /** The place of the last schedule of the previous page. */
  after?: TimePlace;
};

/** @throws NotFound, also for another owner's schedule, so ids cannot be probed */
export async function getSchedule(ownerId: string, id: number, tx: Tx = dbOrTransaction): Promise<Schedule> {
  const [schedule] = await findSchedules(ownerId, [id], tx);
  if (!schedule) throw new NotFound("Posting schedule", id);
  return schedule;
}

/** The fields that a list reads. Parsing the other columns would take a fifth of the CPU time of a page. */
const LISTED = {
  schedule: [
    ...(["id", "status", "scheduledTime", "changesRequested"] as const),
    ...(["proposedAt", "proposedBy", "approvedAt", "updatedAt"] as const),
  ],
  publication: ["id", "accountId", "platform", "settings", "status", "isMissed", "leftAt", "comment"],
  post: [
    ...(["id", "content", "attachmentPaths", "chatId", "thumbnailPath", "status"] as const),
    ...(["networkPostId", "permalink", "publishedAt", "error"] as const),
  ],
} as const;

type ListedPost = Pick<Post, (typeof LISTED.post)[number]>;
type ListedPublication = Pick<Publication, (typeof LISTED.publication)[number]> & { posts: ListedPost[] };

/** A schedule of a list, with the fields that are presented. */
export type ListedSchedule = Pick<Schedule, (typeof LISTED.schedule)[number] | "pendingImports" | "fileTexts"> & {
  publications: ListedPublication[];
};

/**
 * SQL: each schedule with its publications and posts as a JSON value. Mapping every row in the query builder would cost most of
 * the CPU time of a list, and parsing one value with all schedules would delay other requests if they are long.
 */
function scheduleAsJson(only?: typeof LISTED): SQL {
  return sql`json_build_object(${fieldsAsJson(schedules, "s", only?.schedule)}, 'publications', coalesce(
      (select json_agg(json_build_object(${fieldsAsJson(publications, "p", only?.publication)}, 'posts', coalesce(
          (select json_agg(json_build_object(${fieldsAsJson(posts, "t", only?.post)}) order by t.position)
            from posts t where t.publication_id = p.id), '[]'))
        order by p.position) from publications p where p.schedule_id = s.id), '[]'))`;
}

/**
 * SQL: the first of these rows, so that their texts have at most 8 MB together, but at least one. The database knows the length
 * of a text without reading it. `chosen` is the number of all rows.
 */
function firstMegabytes(rows: SQL, order: SQL): SQL {
  return sql`select * from (
    select c.*, count(*) over () as chosen, row_number() over in_order as place, sum((
      select coalesce(sum(octet_length(t.content)), 0) from publications p join posts t on t.publication_id = p.id
      where p.schedule_id = c.id)) over in_order as bytes
    from (${rows}) c window in_order as (order by ${order})) measured
  where place = 1 or bytes <= ${MAX_CHARACTERS}`;
}

type ListedRow = { schedule: Omit<ListedSchedule, "pendingImports">; chosen: number };

const LISTED_AS_JSON = scheduleAsJson(LISTED);

/** SQL: the listed schedules of a page. `chosen` is a query for its rows, in the same order. */
function pageAsJson(chosen: SQL, order: SQL): SQL {
  return sql`select ${LISTED_AS_JSON} as schedule, s.chosen::int as chosen
    from (${firstMegabytes(chosen, order)}) s order by ${order}`;
}

const NEWEST_FIRST = sql`id desc`;

/**
 * The page of a list without filters, which every client reads first. Building its query and planning it would take a third of
 * the CPU time. Its conditions and its order are those of `newestFirst`, so one plan is good for every owner.
 */
const readNewest = statement<{ ownerId: string; before: number; most: number }, ListedRow>(
  "schedules.list",
  pageAsJson(
    sql`select * from schedules where owner_id between ${value("ownerId", "uuid")} and ${value("ownerId", "uuid")}
      and id < ${value("before", "bigint")} order by owner_id desc, id desc limit ${value("most", "int")}`,
    NEWEST_FIRST,
  ),
);

const readSchedules = statement<{ ownerId: string; ids: number[] }, { schedule: Omit<Schedule, "pendingImports"> }>(
  "schedules.read",
  sql`select ${scheduleAsJson()} as schedule from schedules s
    where owner_id = ${value("ownerId", "uuid")} and id = any(${value("ids", "bigint[]")})`,
);

/** Returns those of these schedules that exist, in no particular order. */
export async function findSchedules(ownerId: string, ids: number[], tx: Tx = dbOrTransaction): Promise<Schedule[]> {
  const rows = await readSchedules(tx, { ownerId, ids });
  const found = rows.map(({ schedule }) => schedule);
  return withPendingImports(tx, ownerId, found);
}

/**
 * Lists the owner's schedules, newest first. `next` is the `before` of the next page; absent on the last page. A page of very
 * long texts has fewer schedules than `limit`.
 */
export async function listSchedules(
  ownerId: string,
  { limit, before = Number.MAX_SAFE_INTEGER, ...filters }: Page,
): Promise<{ items: ListedSchedule[]; next?: number }> {
  const { items, isLast } = isUnfiltered(filters)
    ? await pageOf(ownerId, limit, await readNewest(dbOrTransaction, { ownerId, before, most: limit + 1 }))
    : await readPage(ownerId, { ...filters, limit }, lt(schedules.id, before), {
        columns: [schedules.id],
        direction: desc,
        inPage: NEWEST_FIRST,
      });
  return { items, next: isLast ? undefined : items.at(-1)?.id };
}

/** `false` means no filter for some filters; for others it is one. */
function isUnfiltered({ isMissed, needsAttention, needsReconnecting, ...others }: Filters): boolean {
  const isOff = !isMissed && !needsAttention && !needsReconnecting;
  return isOff && Object.values(others).every((value) => value === undefined);
}

/** Lists the owner's schedules that have a time, sorted by it. Otherwise like `listSchedules`; `next` is the next `after`. */
export async function listSchedulesByTime(
  ownerId: string,
  { limit, sort, after, ...filters }: PageByTime,
): Promise<{ items: ListedSchedule[]; next?: TimePlace }> {
  const isAscending = sort === "scheduledTime";
  const [comparison, direction] = isAscending ? [sql`>`, asc] : [sql`<`, desc];
  const place = after
    ? sql`(${schedules.scheduledTime}, ${schedules.id}) ${comparison} (${after[0]}::timestamptz, ${after[1]}::bigint)`
    : isNotNull(schedules.scheduledTime);
  const inPage = isAscending ? sql`scheduled_time, id` : sql`scheduled_time desc, id desc`;
  const order = { columns: [schedules.scheduledTime, schedules.id], direction, inPage };
  const { items, isLast } = await readPage(ownerId, { ...filters, limit }, place, order);
  const last = items.at(-1);
  return { items, next: isLast || !last?.scheduledTime ? undefined : [last.scheduledTime, last.id] };
}

type Order = {
  columns: AnyColumn[];
  direction: (column: AnyColumn) => SQL;
  /** The same order for the chosen rows. */
  inPage: SQL;
};

/**
 * Reads a page. An index has the schedules of each status in order, so each of several statuses is read separately, and the
 * first of all these rows are the page.
 */
async function readPage(
  ownerId: string,
  { status: statuses, limit, ...filters }: Filters & { limit: number },
  place: SQL | undefined,
  { columns, direction, inPage }: Order,
) {
  const meant = await filterCondition(ownerId, filters);
  if (!meant) return { items: [], isLast: true };
  const rowsOf = (status?: ScheduleStatus) => {
    const sorted = [schedules.ownerId, ...(status ? [schedules.status] : []), ...columns].map(direction);
    const condition = and(meant, status && hasStatus([status]), place);
    return sql`(select * from ${schedules} where ${condition} order by ${sql.join(sorted, sql`, `)} limit ${limit + 1})`;
  };
  const parts = statuses ? [...new Set(statuses)].map(rowsOf) : [rowsOf()];
  const union = sql.join(parts, sql` union all `);
  const chosen = parts.length === 1 ? union : sql`${union} order by ${inPage} limit ${limit + 1}`;
  const { rows } = await dbOrTransaction.execute<ListedRow>(pageAsJson(chosen, inPage));
  return pageOf(ownerId, limit, rows);
}

/** The rows of a page have one more than `limit` if there are more schedules. */
async function pageOf(ownerId: string, limit: number, rows: ListedRow[]) {
  const found = rows.slice(0, limit).map(({ schedule }) => schedule);
  const items = await withPendingImports(dbOrTransaction, ownerId, found);
  return { items, isLast: (rows[0]?.chosen ?? 0) === items.length };
}

/** The length of all texts of a schedule. */
export function charactersOf({ publications }: Schedule): number {
  return publications.reduce((sum, { posts }) => posts.reduce((total, { content }) => total + content.length, sum), 0);
}

/** A count stops here, so that it is fast at any number of schedules. */
export const MAX_COUNTED = 10_000;

/**
 * Counts the schedules of each of these statuses, up to `MAX_COUNTED` each. Without other filters, each count reads only an
 * index. A status that `filters.status` excludes has the count 0.
 */
export async function countSchedules<S extends ScheduleStatus>(
  ownerId: string,
  statuses: readonly S[],
  { status: chosen, ...filters }: Filters,
): Promise<Record<S, number>> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<S, number>; // it has every key
  const counted = statuses.filter((status) => !chosen || chosen.includes(status));
  const meant = await filterCondition(ownerId, filters);
  if (!meant || counted.length === 0) return counts;
  const countOf = (status: S) =>
    sql`select ${status}::text as status, (select count(*)::int from
      (select from ${schedules} where ${and(meant, hasStatus([status]))} limit ${MAX_COUNTED}) one) as count`;
  const { rows } = await dbOrTransaction.execute<{ status: S; count: number }>(
    sql.join(counted.map(countOf), sql` union all `),
  );
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/**
 * Returns the number of posts of the longest publication among these schedules, at least 1. It reads only posts after the first
 * one, which few schedules have. Posts of a release that did not store their owner are not counted.
 */
export async function maxPostsPerPublication(ownerId: string, filters: Filters): Promise<number> {
  const meant = await filterCondition(ownerId, filters);
  if (!meant) return 1;
  const [row] = await dbOrTransaction
    .select({ last: max(posts.position) })
    .from(posts)
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .innerJoin(schedules, eq(schedules.id, publications.scheduleId))
    .where(and(eq(posts.ownerId, ownerId), gt(posts.position, 0), meant));
  return (row?.last ?? 0) + 1;
}

/** Returns undefined if no account or text matches the filters, so that no schedule can match. */
export async function filterCondition(
  ownerId: string,
  { status, text, attachment, isMissed, needsAttention, proposed, hasTime, from, to, ...account }: Filters,
): Promise<SQL | undefined> {
  const { platform, accountId, needsReconnecting } = account;
  const accountIds = platform || accountId || needsReconnecting ? await findAccountIds(ownerId, account) : undefined;
  if (accountIds?.length === 0) return undefined;
  const found = text === undefined ? undefined : await findByIndex(ownerId, text);
  if (found?.length === 0) return undefined;
  return and(
    between(schedules.ownerId, ownerId, ownerId),
    status && hasStatus(status),
    from && gte(schedules.scheduledTime, from.toISOString()),
    to && lte(schedules.scheduledTime, to.toISOString()),
    proposed === undefined ? undefined : (proposed ? isNotNull : isNull)(schedules.proposedAt),
    hasTime === undefined ? undefined : (hasTime ? isNotNull : isNull)(schedules.scheduledTime),
    isMissed ? hasMissedPublication() : undefined,
    needsAttention ? needsItsOwner() : undefined,
    accountIds && publishesOnAccounts(accountIds),
    attachment === undefined ? undefined : inArray(schedules.id, scheduleIdsUsingFile(attachment)),
    found && sql`${schedules.id} = any(${sql.param(found)}::bigint[])`,
    text === undefined ? undefined : matchesText(text),
  );
}

/**
 * Sorts by the columns of the owner's index, which also needs range conditions (so does `readPage`). With equality, the planner
 * assumes for an owner with most of the rows that the newest schedules are theirs, and scans those of all other owners.
 */
export function newestFirst({ status }: Filters): SQL[] {
  return [schedules.ownerId, ...(status?.length === 1 ? [schedules.status] : []), schedules.id].map((column) =>
    desc(column),
  );
}

function hasStatus([status, ...others]: ScheduleStatus[]): SQL | undefined {
  if (!status || others.length > 0) return status && inArray(schedules.status, [status, ...others]);
  return between(schedules.status, status, status);
}

/**
 * Returns the owner's accounts with a platform or id, including disconnected ones. They are read first because the planner
 * needs the ids to decide whether to start with the publications of a few accounts or with the newest schedules.
 */
async function findAccountIds(
  ownerId: string,
  { platform, accountId, needsReconnecting }: Pick<Filters, "platform" | "accountId" | "needsReconnecting">,
): Promise<number[]> {
  const id = accountId === undefined ? undefined : parseId(accountId);
  const rows = await dbOrTransaction
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.ownerId, ownerId),
        platform && eq(accounts.platform, platform),
        needsReconnecting ? and(eq(accounts.state, "RECONNECT_REQUIRED"), isNull(accounts.disconnectedAt)) : undefined,
        accountId === undefined
          ? undefined
          : or(eq(accounts.networkAccountId, accountId), id === undefined ? undefined : eq(accounts.id, id)),
      ),
    );
  return rows.map(({ id }) => id);
}

/** SQL condition: one of the schedule's publications is for one of these accounts. */
function publishesOnAccounts(accountIds: number[]): SQL {
  const one = dbOrTransaction
    .select({ one: sql`1` })
    .from(publications)
    .where(and(eq(publications.scheduleId, schedules.id), inArray(publications.accountId, accountIds)));
  return sql`exists (${one})`;
}

/** SQL condition: a publication failed because its account needed reconnecting, and the account is connected now. */
function hasMissedPublication(): SQL | undefined {
  // Releases without the column `is_missed` stored it only in the message.
  const saidToReconnect = dbOrTransaction
    .select({ one: sql`1` })
    .from(posts)
    .where(and(eq(posts.publicationId, publications.id), like(posts.error, `%${RETRY_AFTER_RECONNECT}%`)));
  const failed = dbOrTransaction
    .select({ one: sql`1` })
    .from(publications)
    .innerJoin(accounts, eq(accounts.id, publications.accountId))
    .where(
      and(
        eq(publications.scheduleId, schedules.id),
        eq(publications.status, "FAILED"),
        sql`coalesce(${publications.isMissed}, exists (${saidToReconnect}))`,
        isNull(publications.leftAt),
        eq(accounts.state, "ACTIVE"),
        isNull(accounts.disconnectedAt),
      ),
    );
  return and(inArray(schedules.status, ["FAILED", "PARTIALLY_COMPLETED"]), sql`exists (${failed})`);
}

type Failable = Pick<Publication, "status"> &
  Partial<Pick<Publication, "isMissed">> & { posts: Partial<Pick<Post, "error">>[] };

/** Returns whether a publication failed because its account needed reconnecting. */
export function isMissed({ status, isMissed, posts }: Failable): boolean {
  if (status !== "FAILED") return false;
  return isMissed ?? posts.some(({ error }) => error?.includes(RETRY_AFTER_RECONNECT));
}

/** SQL condition: something did not go out, or may not have, and the owner did not leave it unpublished. */
function needsItsOwner(): SQL | undefined {
  const open = dbOrTransaction
    .select({ one: sql`1` })
    .from(publications)
    .where(
      and(
        eq(publications.scheduleId, schedules.id),
        isNull(publications.leftAt),
        or(eq(schedules.status, "MEDIA_IMPORT_FAILED"), inArray(publications.status, ["FAILED", "UNKNOWN"])),
      ),
    );
  const ended: ScheduleStatus[] = ["FAILED", "PARTIALLY_COMPLETED", "MEDIA_IMPORT_FAILED"];
  return and(inArray(schedules.status, ended), sql`exists (${open})`);
}

/** Subquery: the ids of the schedules with a post that uses this file. */
export function scheduleIdsUsingFile(key: string) {
  return dbOrTransaction
    .select({ id: publications.scheduleId })
    .from(posts)
    .innerJoin(publications, eq(publications.id, posts.publicationId))
    .where(usesFile(key));
}

type WithoutImports = Pick<Schedule, "id" | "status" | "proposedAt"> & WithFiles;
type WithImports = Pick<Schedule, "pendingImports" | "fileTexts">;

async function withPendingImports<T extends WithoutImports>(
  tx: Tx,
  ownerId: string,
  found: T[],
): Promise<(T & WithImports)[]> {
  const pendingUnder = grouped(await pendingImportsOf(found, tx), ({ scheduleId }) => scheduleId);
  const proposals = found.filter(({ proposedAt }) => proposedAt);
  const fileTexts = await fileTextsOf(ownerId, proposals, tx);
  return found.map((schedule) => ({
    ...schedule,
    pendingImports: pendingUnder(schedule.id),
    ...(schedule.proposedAt ? { fileTexts } : {}),
  }));
}

type WithFiles = { publications: { posts: Pick<Post, "attachmentPaths" | "thumbnailPath">[] }[] };

/** Reads the names and alt texts of the files of an owner's schedules. */
export async function fileTextsOf(ownerId: string, of: WithFiles[], tx: Tx): Promise<FileTexts> {
  const posts = of.flatMap(({ publications }) => publications.flatMap(({ posts }) => posts));
  const keys = posts.flatMap(({ attachmentPaths, thumbnailPath }) => [...attachmentPaths, thumbnailPath ?? []].flat());
  const found = await mediaByKeys(ownerId, keys, tx);
  return Object.fromEntries([...found].map(([key, { filename, altText }]) => [key, [filename, altText]]));
}

/** Groups items by id and keeps their order. Returns a function that gives the items of an id. */
function grouped<T>(things: T[], idOf: (thing: T) => number): (id: number) => T[] {
  const groups = new Map<number, T[]>();
  for (const thing of things) {
    const group = groups.get(idOf(thing));
    if (group) group.push(thing);
    else groups.set(idOf(thing), [thing]);
  }
  return (id) => groups.get(id) ?? [];
}

/** Returns a schedule's publications in the form of the request body that would create them. */
export function toPublicationInputs({ publications }: { publications: Publication[] }): NewSchedule["publications"] {
  return publications.map(({ accountId, settings, posts }) => ({
    socialMediaAccountId: accountId,
    platformSettings: settings,
    posts: posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => ({
      ...{ content, attachmentPaths, chatId, thumbnailPath },
    })),
  }));
}
