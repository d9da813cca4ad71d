import { sql } from "drizzle-orm";
import type { Account } from "../../accounts";
import { db } from "../../db";
import { assertUnknown, type Known, knownAnswer, type Ticket, ticketValues } from "../../db/idempotency";
import { statement, value } from "../../db/statement";
import { isWebUrl } from "../../http/outside-url";
import { type Media, settleUploads } from "../../media";
import { type Destination, networkOf } from "../../networks";
import type { FlatSchedule, NewSchedule } from "../input";
import { type Asked, askPartsWhereNamed, askWhereNeeded, type Parts, type StoredDestination } from "./destinations";

export type KnownAccount = Pick<Account, "id" | "platform"> & { isHeld?: boolean };
/** Without `sizeBytes`: a film that is made only when it is sent. */
export type KnownMedia = Partial<Pick<Media, "sizeBytes">> &
  Pick<Media, "contentType" | "width" | "height" | "durationSeconds" | "details"> &
  Partial<Pick<Media, "altText">>;

/** A post's medium; undefined while it is being imported and nothing is known of it. */
export type Attached = KnownMedia | undefined;

/** Ids that nothing has yet, in the order of a schedule's publications and posts; null where none were asked for. */
export type FreshIds = { schedule: number | null; publications: number[] | null; posts: number[] | null };

/** What the checks need to know; all of it read beforehand, so that they are pure. */
export type Facts = {
  accounts: Map<number, KnownAccount>;
  media: Map<string, KnownMedia>;
  /** Keys that were granted and cannot be used, with the reason that confirming them gives. */
  unusable: Map<string, string>;
  /** Known destinations by account; absent where they could not be learnt just now, so that nothing can be said of them. */
  destinations: Map<number, Destination[]>;
  /** The parts of destinations whose parts are named, where they could be learnt. */
  parts: Parts;
  /** The database's clock, which decides everything about time. */
  now: Date;
  ids: FreshIds;
  /** The account that a flat body names; absent where there is none. */
  named?: number;
};

/**
 * What to read besides: ids for what is to be stored, whether the same request was answered before, and the account that a
 * flat body names, whose the one publication then is. Of a draft, whose settings may still change, no network is asked for parts.
 */
export type Besides = {
  ids?: "schedule" | "parts";
  ticket?: Ticket;
  isDraft?: boolean;
  named?: Pick<FlatSchedule, "platform" | "accountId">;
};

type Values = ReturnType<typeof ticketValues> & {
  ownerId: string;
  accountIds: number[];
  platform: string | null;
  accountName: string | null;
  keys: string[];
  publications: number;
  posts: number;
  schedule: boolean;
};

type Row = {
  accounts: KnownAccount[] | null;
  destinations: StoredDestination[] | null;
  media: (KnownMedia & { key: string })[] | null;
  uploads: { key: string; reason: string | null }[] | null;
  now: string;
  ids: FreshIds;
  known: Known;
  named: number | null;
};

const ownerId = value("ownerId", "uuid");
const accountName = value("accountName", "text");

/** So many rows. The planner takes a series of unknown length for 1,000 rows, and would then plan each request anew. */
const times = (count: string) => sql`unnest(array_fill(0, array[${value(count, "int")}]))`;

/** Everything at once: a create has one question for the database before it writes. */
const read = statement<Values, Row>(
  "schedules.facts",
  sql`
  with named as materialized (
    select id from accounts
    where owner_id = ${ownerId} and platform = ${value("platform", "text")} and disconnected_at is null
      and ${accountName} in (id::text, network_account_id)
    order by id::text = ${accountName} desc limit 1
  ), mine as materialized (
    select id, platform, held_since is not null as "isHeld" from accounts
    where owner_id = ${ownerId} and id = any(${value("accountIds", "bigint[]")} || array(select id from named)) and disconnected_at is null
  )
  select
    (select json_agg(mine) from mine) as accounts,
    (select json_agg(json_build_object('accountId', account_id, 'id', chat_id, 'title', title, 'type', type,
       'isFresh', updated_at > now() - interval '1 hour') order by title, chat_id)
     from destinations where account_id in (select id from mine) and usable) as destinations,
    (select json_agg(json_build_object('key', key, 'contentType', content_type, 'sizeBytes', size_bytes,
       'width', width, 'height', height, 'durationSeconds', duration_seconds, 'altText', alt_text, 'details', details - 'placeholder'))
     from media where owner_id = ${ownerId} and key = any(${value("keys", "text[]")})) as media,
    (select json_agg(json_build_object('key', key, 'reason', reason))
     from uploads where owner_id = ${ownerId} and key = any(${value("keys", "text[]")}) and state <> 'CONFIRMED') as uploads,
    to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as now,
    json_build_object(
      'schedule', case when ${value("schedule", "boolean")} then nextval('schedules_id_seq') end,
      'publications', (select json_agg(nextval('publications_id_seq')) from ${times("publications")}),
      'posts', (select json_agg(nextval('posts_id_seq')) from ${times("posts")})) as ids,
    (select to_json(id) from named) as named,
    ${knownAnswer} as known`,
);

/**
 * Reads what the checks of these publications need to know; what is foreign is as absent as what never was. Uploads that were
 * granted and never confirmed are settled by this first use.
 * @throws AnsweredBefore; Conflict where the ticket's key came with another body
 */
export async function factsOf(
  ownerId: string,
  wanted: NewSchedule["publications"],
  besides: Besides = {},
): Promise<Facts> {
  const row = await rowOf(ownerId, wanted, besides);
  const { named } = row;
  const publications = named ? wanted.map((one) => ({ ...one, socialMediaAccountId: named })) : wanted;
  const mine = row.accounts ?? [];
  const asked = await askWhereNeeded(mine, row.destinations ?? [], publications);
  const parts: Parts = besides.isDraft ? new Map() : await askPartsWhereNamed(mine, publications);
  const granted = row.uploads?.filter(({ reason }) => reason === null).map(({ key }) => key) ?? [];
  if (granted.length === 0) return { ...factsIn(row, new Map(), asked), parts };
  const unusable = await settleUploads(ownerId, granted);
  return { ...factsIn(await rowOf(ownerId, publications, besides), unusable, asked), parts };
}

async function rowOf(ownerId: string, publications: NewSchedule["publications"], { ids, ticket, named }: Besides) {
  const [row] = await read(db, {
    ownerId,
    accountIds: publications.map(({ socialMediaAccountId: id }) => id).filter(Number.isSafeInteger),
    platform: named?.platform ?? null,
    accountName: named ? String(named.accountId) : null,
    keys: mediaKeys(publications.flatMap(({ posts }) => posts)),
    schedule: ids === "schedule",
    publications: ids ? publications.length : 0,
    posts: ids ? publications.reduce((sum, { posts }) => sum + posts.length, 0) : 0,
    ...ticketValues(ticket),
  });
  if (!row) throw new Error("the facts were not read");
  if (ticket) assertUnknown(ticket, row.known);
  return row;
}

function factsIn(row: Row, unusable: Map<string, string>, asked: Asked): Omit<Facts, "parts"> {
  const accounts = row.accounts ?? [];
  const refused = row.uploads?.flatMap(({ key, reason }) => (reason === null ? [] : [[key, reason] as const])) ?? [];
  return {
    accounts: new Map(accounts.map((account) => [account.id, account])),
    media: new Map(row.media?.map(({ key, ...item }) => [key, item])),
    unusable: new Map([...unusable, ...refused]),
    destinations: destinationsOf(accounts, row.destinations ?? [], asked),
    now: new Date(row.now),
    ids: row.ids,
    named: row.named ?? undefined,
  };
}

function destinationsOf(accounts: KnownAccount[], rows: StoredDestination[], asked: Asked): Facts["destinations"] {
  const known = new Map<number, Destination[]>();
  for (const { id, platform } of accounts) {
    if (!networkOf(platform).destinations) continue;
    const own = rows.filter(({ accountId }) => accountId === id);
    const listed = asked.has(id) ? asked.get(id) : own;
    if (listed)
      known.set(
        id,
        listed.map(({ id: chatId, title, type }) => ({ id: chatId, title, type })),
      );
  }
  return known;
}

/** Every storage key that posts name, each once; public URLs are none. */
export function mediaKeys(posts: { attachmentPaths: string[]; thumbnailPath?: string | null }[]): string[] {
  const keys = posts.flatMap((post) => [...post.attachmentPaths, post.thumbnailPath ?? ""]);
  return [...new Set(keys.filter((key) => key && !isWebUrl(key)))];
}
