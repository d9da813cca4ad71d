import { sql } from "drizzle-orm";
import { db, type PublicationStatus, type ScheduleStatus, type Tx } from "../../db";
import { batch } from "../../db/batch";
import { fewRows, statement, value } from "../../db/statement";
import { countOutcome } from "../../metrics";
import type { NetworkAnswer, Published } from "../../networks";
import { emitOutcomes } from "../events";
import type { Post } from "../read";
import { recordAttempts } from "./attempts";
import type { Claim } from "./claim";
import { destinationKeyOf } from "./lookup";

/** A locked post of a schedule. `whole` is its publication's status; `heldBy` is the worker that holds a valid claim, or null. */
type LockedPost = {
  scheduleId: number;
  publicationId: number;
  postId: number;
  status: PublicationStatus;
  whole: PublicationStatus;
  fence: number;
  heldBy: string | null;
};

const lockSchedules = statement<{ ids: number[] }, { id: number; status: ScheduleStatus }>(
  "schedules.lock",
  sql`select id::float8 as id, status from schedules where id = any(${value("ids", "bigint[]")}) order by id for update`,
);

const readPosts = statement<{ ids: number[] }, LockedPost>(
  "publications.parts",
  sql`
  with whole as materialized (
    select * from publications where schedule_id = any(${value("ids", "bigint[]")}) order by id for no key update
  )
  select p.schedule_id::float8 as "scheduleId", p.id::float8 as "publicationId", q.id::float8 as "postId", q.status,
    p.status as whole, p.claim_fence as fence, case when p.claim_until > clock_timestamp() then p.claim_worker end as "heldBy"
  from whole p join posts q on q.publication_id = p.id order by p.position, q.position`,
);

/** Locks schedules and their publications. Returns the schedules' statuses and the posts of all their publications. */
async function lockPosts(
  tx: Tx,
  scheduleIds: number[],
): Promise<{ schedules: Map<number, ScheduleStatus>; parts: LockedPost[] }> {
  const locked = await lockSchedules(tx, { ids: scheduleIds });
  const parts = await readPosts(tx, { ids: scheduleIds });
  return { schedules: new Map(locked.map(({ id, status }) => [id, status])), parts };
}

export type PostOutcome = {
  status: Extract<PublicationStatus, "PUBLISHED" | "FAILED" | "UNKNOWN">;
  message: string;
  published?: Published;
  answer?: NetworkAnswer;
  /** It failed because its account needs reconnecting. */
  isMissed?: boolean;
  /** Seconds until the network is read again; absent if it is not read again automatically. */
  lookAgainSeconds?: number;
};

type Settlement = { claim: Claim; post: Post; outcome: PostOutcome };
type Statuses = { publication: PublicationStatus; schedule: ScheduleStatus };

/** Settles a post together with others that end at the same moment. Returns whether its claim still held. */
export const settleInBatch = batch(settleBatch);

async function settleBatch(all: Settlement[]): Promise<boolean[]> {
  const recorded = await db.transaction(async (tx) => {
    const { schedules, parts } = await lockPosts(tx, [...new Set(all.map(({ claim }) => claim.scheduleId))]);
    const isHeld = ({ claim }: Settlement) =>
      parts.some(
        (part) =>
          part.publicationId === claim.publicationId && part.fence === claim.fence && part.heldBy === claim.worker.id,
      );
    const held = all.filter(isHeld);
    if (held.length === 0) return all.map(() => false);
    await storeOutcomes(tx, held, statusesAfter(held, parts));
    const attempts = held.map(({ claim, post, outcome: { status: outcome, message, answer, lookAgainSeconds } }) => ({
      claim,
      post,
      attempt: { outcome, message, answer, againSeconds: lookAgainSeconds },
    }));
    await recordAttempts(tx, attempts);
    await emitOutcomes(tx, { schedules, publications: new Map(parts.map((part) => [part.publicationId, part.whole])) });
    return all.map(isHeld);
  });
  for (const [index, { claim, outcome }] of all.entries())
    if (recorded[index]) countOutcome(claim.account.platform, outcome.status);
  return recorded;
}

/** Returns the statuses of publications and schedules once all these outcomes apply. */
function statusesAfter(held: Settlement[], before: LockedPost[]): (settling: Settlement) => Statuses {
  const outcomes = new Map(held.map(({ post, outcome }) => [post.id, outcome.status]));
  const touched = new Set(held.map(({ claim }) => claim.publicationId));
  const parts = before.map((part) => ({ ...part, status: outcomes.get(part.postId) ?? part.status }));
  const statusOf = (publicationId: number): PublicationStatus => {
    const posts = parts.filter((part) => part.publicationId === publicationId);
    const unchanged = touched.has(publicationId) ? undefined : posts[0]?.whole;
    return unchanged ?? publicationStatus(posts.map(({ status }) => status));
  };
  return ({ claim }) => {
    const siblings = parts.filter(({ scheduleId }) => scheduleId === claim.scheduleId);
    const ids = [...new Set(siblings.map(({ publicationId }) => publicationId))];
    const isLive = (id: number) => siblings.some((part) => part.publicationId === id && part.status === "PUBLISHED");
    const schedule = scheduleStatus(ids.map((id) => ({ status: statusOf(id), isLiveInPart: isLive(id) })));
    return { publication: statusOf(claim.publicationId), schedule };
  };
}

/**
 * An ID that the network gave twice, as Telegram does for videos that it still processes, gets no place and is not looked up.
 * `published_at` is the time of the answer to the last step, which is the closest known time of publication.
 */
const updateOutcomes = statement<{ ends: string }, never>(
  "publications.settle",
  sql`
  with ends as materialized (
    select * from jsonb_to_recordset(${value("ends", "jsonb")}) as e("scheduleId" bigint, "publicationId" bigint,
      "postId" bigint, status text, publication text, schedule text, "isOver" boolean, "lookAgainSeconds" float8, "isMissed" boolean, id text,
      place text, permalink text, error text) ${fewRows}
  ), publication as (
    update publications p set status = e.publication, claims = 0, is_missed = e."isMissed", left_at = null,
      claim_worker = case when e."isOver" then null else p.claim_worker end,
      claim_until = case when e."isOver" then null else p.claim_until end,
      due_at = case when e."isOver" then clock_timestamp() + make_interval(secs => e."lookAgainSeconds") else p.due_at end
    from ends e where p.id = e."publicationId"
  ), post as (
    update posts q set status = e.status, network_post_id = e.id, permalink = e.permalink, error = e.error,
      network_place = case when e.id <> '' and not exists (select from posts other where other.network_place = e.place
        and other.network_post_id = e.id and other.id <> q.id) then e.place end,
      published_at = case when e.status = 'PUBLISHED' then coalesce(
        (select max(finished_at) from publish_steps where post_id = q.id), clock_timestamp()) end
    from ends e where q.id = e."postId"
  )
  update schedules s set status = e.schedule, updated_at = now()
  from (select distinct "scheduleId", schedule from ends) e where s.id = e."scheduleId"`,
);

async function storeOutcomes(
  tx: Tx,
  held: Settlement[],
  statusesOf: (settling: Settlement) => Statuses,
): Promise<void> {
  const ends = held.map((settling) => {
    const { claim, post, outcome } = settling;
    const statuses = statusesOf(settling);
    return {
      scheduleId: claim.scheduleId,
      publicationId: claim.publicationId,
      postId: post.id,
      status: outcome.status,
      ...statuses,
      isOver: statuses.publication !== "IN_PROGRESS" && statuses.publication !== "PENDING",
      lookAgainSeconds: outcome.lookAgainSeconds,
      isMissed: outcome.isMissed ?? false,
      id: outcome.published?.id,
      place: destinationKeyOf(claim, post),
      permalink: outcome.published?.permalink,
      error: outcome.published ? undefined : outcome.message,
    };
  });
  await updateOutcomes(tx, { ends: JSON.stringify(ends) });
}

/**
 * Returns a publication's status from the statuses of its posts: published if all are, otherwise the worst one. UNKNOWN is
 * worse than FAILED because the post may be live.
 */
export function publicationStatus(posts: readonly PublicationStatus[]): PublicationStatus {
  if (posts.every((status) => status === "PUBLISHED")) return "PUBLISHED";
  if (posts.includes("UNKNOWN")) return "UNKNOWN";
  if (posts.includes("FAILED")) return "FAILED";
  return posts.every((status) => status === "PENDING") ? "PENDING" : "IN_PROGRESS";
}

/** `isLiveInPart`: at least one of its posts is published, as in a thread that stopped half-way. */
type PublicationState = { status: PublicationStatus; isLiveInPart: boolean };

/**
 * Returns a schedule's status from its publications (SPEC, "States"). `UNKNOWN` counts as not published. `FAILED` means that
 * no post is live, so half a thread makes the schedule `PARTIALLY_COMPLETED`.
 */
export function scheduleStatus(publications: readonly PublicationState[]): ScheduleStatus {
  const statuses = publications.map(({ status }) => status);
  if (statuses.every((status) => status === "PENDING")) return "SCHEDULED";
  if (statuses.some((status) => status === "PENDING" || status === "IN_PROGRESS")) return "IN_PROGRESS";
  if (statuses.every((status) => status === "PUBLISHED")) return "COMPLETED";
  return publications.some(({ status, isLiveInPart }) => status === "PUBLISHED" || isLiveInPart)
    ? "PARTIALLY_COMPLETED"
    : "FAILED";
}
