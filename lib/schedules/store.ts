import { type SQL, sql } from "drizzle-orm";
import type { ScheduleStatus, Tx } from "../db";
import { dbOrTransaction } from "../db";
import {
  type AnswerToStore,
  answerValues,
  assertFirstRequest,
  assertTurn,
  claimTurn,
  hasTurn,
  insertAnswer,
  storeAnswer,
  ticketValues,
} from "../db/idempotency";
import { statement, value } from "../db/statement";
import { BadRequest, blockingProblems, Conflict } from "../errors";
import { isWebUrl } from "../http/outside-url";
import { currentTraceparent } from "../tracing";
import { BeingDeleted } from "../users";
import { eventValues, insertingEvents } from "../webhooks";
import type { CheckedInput } from "./check/check-input";
import { checkInput } from "./check/check-input";
import { type FreshIds, usedMediaKeys } from "./check/facts";
import type { CheckedPublication } from "./check/publication";
import { importAttachments } from "./imports/attach";
import type { FlatSchedule, NewSchedule } from "./input";
import { markOf, type ProposalMark, type Proposer, presentSchedule, proposalMark, type ShownSchedule } from "./present";
import { assertWithinDay, dayQuotaValues, isWithinDay, usedOfDay } from "./quota";
import { fileTextsOf } from "./read";

/**
 * Creates a schedule with its publications and posts. One query reads everything that the checks need, and one statement writes
 * everything, including the stored answer of a request with an `Idempotency-Key` (ADR 0007).
 * @param proposer the application that proposes it; then it must be a draft
 * @throws BadRequest with every problem at once; AlreadyAnswered; Conflict if the key was used by another request
 */
export async function createSchedule(
  ownerId: string,
  input: NewSchedule | FlatSchedule,
  first?: AnswerToStore<ShownSchedule>,
  proposer?: Proposer,
): Promise<ShownSchedule> {
  const { problems, ...checked } = await checkInput(ownerId, input, { ids: "schedule", ticket: first?.ticket });
  const blocking = blockingProblems(problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
  const planned = toSchedule(checked.ids.schedule, input.isDraft, checked);
  const mark = proposer && {
    ...proposalMark(proposer),
    fileTexts: await fileTextsOf(ownerId, [planned], dbOrTransaction),
  };
  const schedule = { ...planned, ...mark, warnings: problems };
  if (!needsImports(schedule.publications)) return storeWithImports(dbOrTransaction, ownerId, schedule, first);
  return dbOrTransaction.transaction((tx) => storeWithImports(tx, ownerId, schedule, first));
}

type Counts = { schedules: number; publications: number; posts: number };
type FreshSequences = { [K in keyof Counts]: number[] | null };

const nextIds = (sequence: string, count: string) =>
  sql`(select json_agg(nextval(${sql.raw(`'${sequence}'`)})) from generate_series(1, ${value(count, "int")}))`;

const takeSequences = statement<Counts, { ids: FreshSequences }>(
  "schedules.ids",
  sql`select json_build_object(
    'schedules', ${nextIds("schedules_id_seq", "schedules")},
    'publications', ${nextIds("publications_id_seq", "publications")},
    'posts', ${nextIds("posts_id_seq", "posts")}) as ids`,
);

/** Takes new ids from the sequences for several schedules, in order. */
export async function takeIds(tx: Tx, all: Pick<CheckedInput, "publishable">[]): Promise<FreshIds[]> {
  const publications = all.flatMap(({ publishable }) => publishable);
  const posts = publications.flatMap((publication) => publication.posts);
  const [row] = await takeSequences(tx, {
    schedules: all.length,
    publications: publications.length,
    posts: posts.length,
  });
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

/** The rows of a schedule as JSON arrays of objects with column names. */
type Rows = { publications: string; posts: string };

type Values = Rows &
  ReturnType<typeof ticketValues> &
  ReturnType<typeof answerValues> &
  ReturnType<typeof eventValues> &
  ReturnType<typeof dayQuotaValues> & {
    ownerId: string;
    id: number;
    scheduleStatus: string;
    at: string | null;
    traceparent: string | null;
    accountIds: number[];
    keys: string[];
  } & ProposalMark;

/** The checks made while storing. The schedule is stored only if nothing changed since it was checked. */
type StoreResult = {
  mine: boolean;
  stays: boolean;
  connected: boolean;
  complete: boolean;
  /** The publications of the owner's day before this request; null if they were not counted. */
  used: number | null;
  stored: boolean;
};

const ownerId = value("ownerId", "uuid");
const at = value("at", "timestamptz");
const keys = value("keys", "text[]");
const accountIds = value("accountIds", "bigint[]");

/**
 * Stores a new or changed schedule with its publications and posts, the idempotent answer and the event, in one atomic
 * statement. Anything else that must be stored together with a schedule belongs here.
 */
const store = statement<Values, StoreResult>(
  "schedules.store",
  sql`
  with held as materialized (
    -- A removal of these files either happened before and is seen here, or waits until the schedule is stored.
    select key from media where owner_id = ${ownerId} and key = any(${keys}) order by key for share
  ), found as materialized (
    select ${hasTurn} as mine,
      exists (select from users where id = ${ownerId} and deleting_at is null) as stays,
      (select count(*) from accounts where owner_id = ${ownerId} and id = any(${accountIds}) and disconnected_at is null)
        = cardinality(${accountIds}) as connected,
      (select count(*) from held) = cardinality(${keys}) as complete,
      ${usedOfDay} as used
  ), unchanged as (
    select from found where mine and stays and connected and complete and ${isWithinDay}
  ), kept as (
    ${insertAnswer(sql`unchanged`)}
  ), allowed as materialized (
    select from unchanged where ${value("key", "text")} is null or exists (select from kept)
  ), schedule as (
    -- An update keeps the mark of a proposal, and its approval only if the new content has one.
    insert into schedules (id, owner_id, status, scheduled_time, traceparent, proposed_at, proposed_by, proposed_client_id,
      approved_at, approved_digest) overriding system value
    select ${value("id", "bigint")}, ${ownerId}, ${value("scheduleStatus", "text")}, ${at}, ${value("traceparent", "text")},
      ${value("proposedAt", "timestamptz")}, ${value("proposedBy", "text")}, ${value("proposedClientId", "text")},
      ${value("approvedAt", "timestamptz")}, ${value("approvedDigest", "text")} from allowed
    on conflict (id) do update set status = excluded.status, scheduled_time = excluded.scheduled_time,
      traceparent = excluded.traceparent, approved_at = excluded.approved_at, approved_digest = excluded.approved_digest,
      updated_at = now()
  ), parts as (
    insert into publications (id, schedule_id, account_id, position, settings, due_at, platform) overriding system value
    select part.*, (select platform from accounts where id = part.account_id) from allowed, ${rowsOf("publications", "id bigint, schedule_id bigint, account_id bigint, position int, settings jsonb, due_at timestamptz")}
  ), texts as (
    insert into posts (id, publication_id, position, content, attachment_paths, chat_id, thumbnail_path, owner_id)
      overriding system value
    select part.*, ${ownerId} from allowed, ${rowsOf("posts", "id bigint, publication_id bigint, position int, content text, attachment_paths text[], chat_id text, thumbnail_path text")}
  ), emitted as (
    ${insertingEvents(sql`allowed`)}
  )
  select found.*, exists (select from allowed) as stored from found`,
);

function rowsOf(name: string, columns: string): SQL {
  return sql`json_to_recordset(${value(name, "json")}) as part(${sql.raw(columns)})`;
}

/**
 * @param tx the database, or a transaction that does more
 * @throws BeingDeleted; Conflict if an account or file was removed after the check; QuotaExceeded if the owner's day is full;
 * AlreadyAnswered if `first` is given
 */
async function storeSchedule(
  tx: Tx,
  ownerId: string,
  schedule: ShownSchedule,
  first?: AnswerToStore<ShownSchedule>,
): Promise<void> {
  const { id, status, scheduledTime, publications } = schedule;
  const use =
    status === "DRAFT" || scheduledTime === null
      ? undefined
      : { ownerId, at: scheduledTime, wanted: publications.length };
  const [found] = await store(tx, {
    ownerId,
    id,
    scheduleStatus: status,
    at: scheduledTime,
    traceparent: currentTraceparent() ?? null,
    ...markOf(schedule),
    accountIds: [...new Set(publications.map(({ accountId }) => accountId))],
    keys: usedMediaKeys(publications.flatMap(({ posts }) => posts)),
    ...dayQuotaValues(use),
    ...eventValues(
      status === "SCHEDULED" ? [{ ownerId, type: "post.scheduled", data: presentSchedule(schedule) }] : [],
    ),
    ...toRows(schedule),
    ...ticketValues(first?.ticket),
    ...answerValues(first?.ticket, first?.of(schedule)),
  });
  assertTurn(found?.mine);
  if (!found?.stays) throw new BeingDeleted();
  if (!found.connected) throw new Conflict("An account was just disconnected. Send the request again");
  if (!found.complete) throw new Conflict("A file was just deleted. Send the request again");
  if (use) assertWithinDay(use, found.used);
  if (found.stored) return;
  if (first) await assertFirstRequest(tx, first.ticket);
  throw new Error("the schedule was not stored");
}

/**
 * Stores a checked schedule and starts the imports of its public URLs, which are part of the answer.
 * @param tx a transaction; the database itself is enough for a schedule without public URLs, which takes one statement
 * @throws BeingDeleted; Conflict if an account or file was removed after the check; AlreadyAnswered
 */
export async function storeWithImports(
  tx: Tx,
  ownerId: string,
  schedule: ShownSchedule,
  first?: AnswerToStore<ShownSchedule>,
): Promise<ShownSchedule> {
  if (!needsImports(schedule.publications)) {
    await storeSchedule(tx, ownerId, schedule, first);
    return schedule;
  }
  if (first) await claimTurn(tx, first.ticket);
  if (first) await assertFirstRequest(tx, first.ticket);
  await storeSchedule(tx, ownerId, schedule);
  const shown = await importAttachments(tx, ownerId, schedule);
  if (first) await storeAnswer(tx, first.ticket, first.of(shown));
  return shown;
}

function toRows({ id, status, scheduledTime, publications }: ShownSchedule): Rows {
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

/** Returns whether any attachment is a public URL that has to be imported. */
export function needsImports(publications: { posts: { attachmentPaths: string[] }[] }[]): boolean {
  return publications.some(({ posts }) => posts.some(({ attachmentPaths }) => attachmentPaths.some(isWebUrl)));
}

/** Returns the status of a new schedule (SPEC, "States"). */
function initialStatus(isDraft: boolean, publishable: CheckedPublication[]): ScheduleStatus {
  if (isDraft) return "DRAFT";
  return needsImports(publishable) ? "AWAITING_MEDIA" : "SCHEDULED";
}

/** Builds a schedule from checked input and its new ids, in the form in which it is stored and presented. */
export function toSchedule(
  id: number | null,
  isDraft: boolean,
  { at, publishable, ids }: Pick<CheckedInput, "at" | "publishable" | "ids">,
): ShownSchedule {
  const postIds = ids.posts?.values();
  return {
    id: assertId(id),
    status: initialStatus(isDraft, publishable),
    scheduledTime: at,
    pendingImports: [],
    publications: publishable.map(({ account, settings, posts }, index) => ({
      id: assertId(ids.publications?.[index]),
      accountId: account.id,
      settings,
      status: "PENDING",
      posts: posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => ({
        id: assertId(postIds?.next().value),
        content,
        attachmentPaths,
        chatId: chatId ?? null,
        thumbnailPath: thumbnailPath ?? null,
        status: "PENDING",
      })),
    })),
  };
}

function assertId(id: number | null | undefined): number {
  if (id === null || id === undefined) throw new Error("there are fewer new ids than rows to store");
  return id;
}
