import { sql } from "drizzle-orm";
import { getAccount, storedTokens } from "../../accounts";
import { dbOrTransaction } from "../../db";
import { assertNotAnswered, type KnownAnswer, knownAnswer, type Ticket, ticketValues } from "../../db/idempotency";
import { statement, value } from "../../db/statement";
import { isWebUrl } from "../../http/outside-url";
import { type Media, settleUploads } from "../../media";
import { type Destination, networkOf } from "../../networks";
import type { FlatSchedule, NewSchedule } from "../input";
import {
  type DestinationFacts,
  type FetchedDestinations,
  fetchDestinations,
  fetchParts,
  type KnownAccount,
  type PartsByDestination,
  type StoredDestination,
} from "./destinations";
import { needsPermission } from "./settings";

/** `sizeBytes` is absent for a video that is converted from an animated image when it is sent. */
export type KnownMedia = Partial<Pick<Media, "sizeBytes">> &
  Pick<Media, "contentType" | "width" | "height" | "durationSeconds" | "details"> &
  Partial<Pick<Media, "altText">>;

/** A post's file; undefined while it is being imported. */
export type AttachedMedia = KnownMedia | undefined;

/** New ids, in the order of a schedule's publications and posts; null if none were requested. */
export type FreshIds = { schedule: number | null; publications: number[] | null; posts: number[] | null };

/** Everything that the checks need. It is read first, so that the checks are pure functions. */
export type Facts = DestinationFacts & {
  accounts: Map<number, KnownAccount>;
  media: Map<string, KnownMedia>;
  /** Keys of uploads that cannot be used, with the reason. */
  unusable: Map<string, string>;
  /** The time by the database's clock, which all checks use. */
  now: Date;
  ids: FreshIds;
  /** The account that a flat body names; absent if it was not found. */
  named?: number;
  /** The publications that the owner has on the day of `plannedFor`; null without it. */
  publicationsOfDay: number | null;
};

/**
 * What to read in the same query: new ids, the stored answer of the same request, and the account of a flat body. Drafts skip
 * the board section lookup because their settings may still change.
 */
export type FactsOptions = {
  ids?: "schedule" | "parts";
  ticket?: Ticket;
  isDraft?: boolean;
  named?: Pick<FlatSchedule, "platform" | "accountId">;
  /** Counts the publications of this instant's day. Only for a preview: whatever stores a schedule counts them itself. */
  plannedFor?: string;
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
  plannedFor: string | null;
};

type Row = {
  accounts: KnownAccount[] | null;
  destinations: StoredDestination[] | null;
  media: (KnownMedia & { key: string })[] | null;
  uploads: { key: string; reason: string | null }[] | null;
  now: string;
  ids: FreshIds;
  known: KnownAnswer;
  named: number | null;
  publicationsOfDay: number | null;
};

const ownerId = value("ownerId", "uuid");
const accountName = value("accountName", "text");
const plannedFor = value("plannedFor", "timestamptz");

/** Yields `count` rows. For a series of unknown length, the planner assumes 1,000 rows and does not reuse its plan. */
const repeated = (count: string) => sql`unnest(array_fill(0, array[${value(count, "int")}]))`;

/** Reads everything with one query, so that a create needs only one round trip before it writes. */
const read = statement<Values, Row>(
  "schedules.facts",
  sql`
  with named as materialized (
    select id from accounts
    where owner_id = ${ownerId} and platform = ${value("platform", "text")} and disconnected_at is null
      and ${accountName} in (id::text, network_account_id)
    order by id::text = ${accountName} desc limit 1
  ), mine as materialized (
    select id, platform, held_since is not null as "isHeld", text_max as "textMax" from accounts
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
      'publications', (select json_agg(nextval('publications_id_seq')) from ${repeated("publications")}),
      'posts', (select json_agg(nextval('posts_id_seq')) from ${repeated("posts")})) as ids,
    (select to_json(id) from named) as named,
    case when ${plannedFor} is not null then publications_of_day(${ownerId}, ${plannedFor}, null, null) end as "publicationsOfDay",
    ${knownAnswer} as known`,
);

/**
 * Reads everything that the checks of these publications need. Accounts and files of other owners are treated as missing.
 * Uploads that were never confirmed are confirmed by this first use.
 * @throws AlreadyAnswered; Conflict if the ticket's key was used with another body
 */
export async function readFacts(
  ownerId: string,
  wanted: NewSchedule["publications"],
  options: FactsOptions = {},
): Promise<Facts> {
  const row = await readFactsRow(ownerId, wanted, options);
  const { named } = row;
  const publications = named ? wanted.map((one) => ({ ...one, socialMediaAccountId: named })) : wanted;
  const mine = row.accounts ?? [];
  const asked = await fetchDestinations(mine, row.destinations ?? [], publications);
  const parts: PartsByDestination = options.isDraft ? new Map() : await fetchParts(mine, publications);
  const granted = row.uploads?.filter(({ reason }) => reason === null).map(({ key }) => key) ?? [];
  const unusable = granted.length === 0 ? new Map<string, string>() : await settleUploads(ownerId, granted);
  const read = granted.length === 0 ? row : await readFactsRow(ownerId, publications, options);
  if (!options.isDraft) await readScopes(ownerId, read.accounts ?? [], publications);
  return { ...factsFrom(read, unusable, asked), parts };
}

/** Adds the granted permissions of accounts for which a setting or the first comment needs one that they may lack. */
async function readScopes(ownerId: string, mine: KnownAccount[], publications: NewSchedule["publications"]) {
  for (const account of mine) {
    const network = networkOf(account.platform);
    const isNeeded = publications.some(
      ({ socialMediaAccountId: id, platformSettings }) =>
        id === account.id && needsPermission(network, platformSettings),
    );
    if (isNeeded) account.scopes = storedTokens(await getAccount(ownerId, account.id))?.scopes;
  }
}

async function readFactsRow(
  ownerId: string,
  publications: NewSchedule["publications"],
  { ids, ticket, named, plannedFor }: FactsOptions,
) {
  const [row] = await read(dbOrTransaction, {
    ownerId,
    accountIds: publications.map(({ socialMediaAccountId: id }) => id).filter(Number.isSafeInteger),
    platform: named?.platform ?? null,
    accountName: named ? String(named.accountId) : null,
    keys: usedMediaKeys(publications.flatMap(({ posts }) => posts)),
    schedule: ids === "schedule",
    plannedFor: plannedFor ?? null,
    publications: ids ? publications.length : 0,
    posts: ids ? publications.reduce((sum, { posts }) => sum + posts.length, 0) : 0,
    ...ticketValues(ticket),
  });
  if (!row) throw new Error("the facts were not read");
  if (ticket) assertNotAnswered(ticket, row.known);
  return row;
}

function factsFrom(row: Row, unusable: Map<string, string>, asked: FetchedDestinations): Omit<Facts, "parts"> {
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
    publicationsOfDay: row.publicationsOfDay,
  };
}

function destinationsOf(
  accounts: KnownAccount[],
  rows: StoredDestination[],
  asked: FetchedDestinations,
): Facts["destinations"] {
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

/** Returns the storage keys that posts use, each once. Public URLs are not included. */
export function usedMediaKeys(posts: { attachmentPaths: string[]; thumbnailPath?: string | null }[]): string[] {
  const keys = posts.flatMap((post) => [...post.attachmentPaths, post.thumbnailPath ?? ""]);
  return [...new Set(keys.filter((key) => key && !isWebUrl(key)))];
}
