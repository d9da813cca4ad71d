import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../db";
import {
  answerValues,
  assertFirst,
  assertMyTurn,
  type FirstAnswer,
  isMyTurn,
  keepingAnswer,
  ticketValues,
} from "../db/idempotency";
import { statement, value } from "../db/statement";
import { Conflict } from "../errors";
import { BeingDeleted } from "../users";
import type { Examined } from "./check/check-input";
import { type FreshIds, mediaKeys } from "./check/facts";
import { firstStatus } from "./imports/attach";
import { presentSchedule, type ShownSchedule } from "./present";

type Counts = { schedules: number; publications: number; posts: number };
type Fresh = { [K in keyof Counts]: number[] | null };

const taking = (sequence: string, count: string) =>
  sql`(select json_agg(nextval(${sql.raw(`'${sequence}'`)})) from generate_series(1, ${value(count, "int")}))`;

const take = statement<Counts, { ids: Fresh }>(
  "schedules.ids",
  sql`select json_build_object(
    'schedules', ${taking("schedules_id_seq", "schedules")},
    'publications', ${taking("publications_id_seq", "publications")},
    'posts', ${taking("posts_id_seq", "posts")}) as ids`,
);

/** Ids that nothing has yet, for each of these in turn. */
export async function freshIds(tx: Tx, all: Pick<Examined, "publishable">[]): Promise<FreshIds[]> {
  const publications = all.flatMap(({ publishable }) => publishable);
  const posts = publications.flatMap((publication) => publication.posts);
  const [row] = await take(tx, { schedules: all.length, publications: publications.length, posts: posts.length });
  const next = {
    schedules: row?.ids.schedules ?? [],
    publications: row?.ids.publications ?? [],
    posts: row?.ids.posts ?? [],
  };
  return all.map(({ publishable }) => ({
    schedule: next.schedules.shift() ?? null,
    publications: next.publications.splice(0, publishable.length),
    posts: next.posts.splice(
      0,
      publishable.reduce((sum, one) => sum + one.posts.length, 0),
    ),
  }));
}

/** The rows of a schedule as JSON arrays, with the names of their columns. */
type Rows = { publications: string; posts: string };

type Values = Rows &
  ReturnType<typeof ticketValues> &
  ReturnType<typeof answerValues> & {
    ownerId: string;
    id: number;
    scheduleStatus: string;
    at: string | null;
    accountIds: number[];
    keys: string[];
    /** What the event of a schedule that is to be published shows; null where there is none yet. */
    scheduled: string | null;
  };

/** What was found while storing; stored only where all is as it was when it was checked. */
type Outcome = { mine: boolean; stays: boolean; connected: boolean; complete: boolean; stored: boolean };

const ownerId = value("ownerId", "uuid");
const at = value("at", "timestamptz");
const keys = value("keys", "text[]");
const accountIds = value("accountIds", "bigint[]");

/**
 * Stores a new schedule or a changed one, and all that has to be true exactly when it is: its parts, each due at its time,
 * the first answer, the event. Whatever else belongs to the same moment is one more part here.
 */
const store = statement<Values, Outcome>(
  "schedules.store",
  sql`
  with held as materialized (
    -- Nobody can remove these before this is stored: either the removal comes first and is seen here, or it waits.
    select key from media where owner_id = ${ownerId} and key = any(${keys}) order by key for share
  ), found as materialized (
    select ${isMyTurn} as mine,
      exists (select from users where id = ${ownerId} and deleting_at is null) as stays,
      (select count(*) from accounts where owner_id = ${ownerId} and id = any(${accountIds}) and disconnected_at is null)
        = cardinality(${accountIds}) as connected,
      (select count(*) from held) = cardinality(${keys}) as complete
  ), unchanged as (
    select from found where mine and stays and connected and complete
  ), kept as (
    ${keepingAnswer(sql`unchanged`)}
  ), allowed as materialized (
    select from unchanged where ${value("key", "text")} is null or exists (select from kept)
  ), schedule as (
    insert into schedules (id, owner_id, status, scheduled_time) overriding system value
    select ${value("id", "bigint")}, ${ownerId}, ${value("scheduleStatus", "text")}, ${at} from allowed
    on conflict (id) do update
      set status = excluded.status, scheduled_time = excluded.scheduled_time, updated_at = now()
  ), parts as (
    insert into publications (id, schedule_id, account_id, position, settings, due_at) overriding system value
    select part.* from allowed, ${rowsOf("publications", "id bigint, schedule_id bigint, account_id bigint, position int, settings jsonb, due_at timestamptz")}
  ), texts as (
    insert into posts (id, publication_id, position, content, attachment_paths, chat_id, thumbnail_path)
      overriding system value
    select part.* from allowed, ${rowsOf("posts", "id bigint, publication_id bigint, position int, content text, attachment_paths text[], chat_id text, thumbnail_path text")}
  ), told as (
    insert into events (owner_id, partner_id, type, data)
    select u.id, u.partner_id, 'post.scheduled', ${value("scheduled", "json")} from allowed, users u
    where u.id = ${ownerId} and ${value("scheduled", "json")} is not null
  )
  select found.*, exists (select from allowed) as stored from found`,
);

function rowsOf(name: string, columns: string): SQL {
  return sql`json_to_recordset(${value(name, "json")}) as part(${sql.raw(columns)})`;
}

/**
 * @param tx the database, or a transaction that does more
 * @throws BeingDeleted; Conflict where something was removed since it was checked; with a first answer also AnsweredBefore
 */
export async function storeSchedule(
  tx: Tx,
  ownerId: string,
  schedule: ShownSchedule,
  first?: FirstAnswer<ShownSchedule>,
): Promise<void> {
  const [found] = await store(tx, {
    ownerId,
    id: schedule.id,
    scheduleStatus: schedule.status,
    at: schedule.scheduledTime,
    accountIds: [...new Set(schedule.publications.map(({ accountId }) => accountId))],
    keys: mediaKeys(schedule.publications.flatMap(({ posts }) => posts)),
    scheduled: schedule.status === "SCHEDULED" ? JSON.stringify(presentSchedule(schedule)) : null,
    ...rowsFor(schedule),
    ...ticketValues(first?.ticket),
    ...answerValues(first?.ticket, first?.of(schedule)),
  });
  assertMyTurn(found?.mine);
  if (!found?.stays) throw new BeingDeleted();
  if (!found.connected) throw new Conflict("An account was just disconnected; send it again");
  if (!found.complete) throw new Conflict("A file was just removed; send it again");
  if (found.stored) return;
  if (first) await assertFirst(tx, first.ticket);
  throw new Error("the schedule was not stored");
}

function rowsFor({ id, status, scheduledTime, publications }: ShownSchedule): Rows {
  const parts = publications.map((part, position) => ({
    id: part.id,
    schedule_id: id,
    account_id: part.accountId,
    position,
    settings: part.settings,
    due_at: status === "SCHEDULED" ? scheduledTime : null,
  }));
  const posts = publications.flatMap((part) =>
    part.posts.map((post, position) => ({
      id: post.id,
      publication_id: part.id,
      position,
      content: post.content,
      attachment_paths: post.attachmentPaths,
      chat_id: post.chatId,
      thumbnail_path: post.thumbnailPath,
    })),
  );
  return { publications: JSON.stringify(parts), posts: JSON.stringify(posts) };
}

/** What was examined, under its ids: as it will be stored and shown. */
export function scheduleOf(
  id: number | null,
  isDraft: boolean,
  { at, publishable, ids }: Pick<Examined, "at" | "publishable" | "ids">,
): ShownSchedule {
  const postIds = ids.posts?.values();
  return {
    id: given(id),
    status: firstStatus(isDraft, publishable),
    scheduledTime: at,
    pendingImports: [],
    publications: publishable.map(({ account, settings, posts }, index) => ({
      id: given(ids.publications?.[index]),
      accountId: account.id,
      settings,
      status: "PENDING",
      posts: posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => ({
        id: given(postIds?.next().value),
        content,
        attachmentPaths,
        chatId: chatId ?? null,
        thumbnailPath: thumbnailPath ?? null,
        status: "PENDING",
      })),
    })),
  };
}

function given(id: number | null | undefined): number {
  if (id === null || id === undefined) throw new Error("there are fewer fresh ids than rows to store");
  return id;
}
