import { sql } from "drizzle-orm";
import { db, type PublicationStatus, type ScheduleStatus, type Tx } from "../../db";
import { statement, value } from "../../db/statement";
import { batch } from "../../db/together";
import type { NetworkAnswer, Published } from "../../networks";
import { tellEnds } from "../events";
import type { Post } from "../read";
import { tell } from "./attempts";
import type { Claim } from "./claim";

/** A post of a schedule; `whole` is its publication's status, `heldBy` its worker, null where its claim has run out. */
type Part = {
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

const readParts = statement<{ ids: number[] }, Part>(
  "publications.parts",
  sql`
  with whole as materialized (
    select * from publications where schedule_id = any(${value("ids", "bigint[]")}) order by id for no key update
  )
  select p.schedule_id::float8 as "scheduleId", p.id::float8 as "publicationId", q.id::float8 as "postId", q.status,
    p.status as whole, p.claim_fence as fence, case when p.claim_until > clock_timestamp() then p.claim_worker end as "heldBy"
  from whole p join posts q on q.publication_id = p.id order by p.position, q.position`,
);

/** These schedules' statuses and the posts of all their publications, as they are; schedules and publications stay locked. */
async function lockedParts(
  tx: Tx,
  scheduleIds: number[],
): Promise<{ schedules: Map<number, ScheduleStatus>; parts: Part[] }> {
  const locked = await lockSchedules(tx, { ids: scheduleIds });
  const parts = await readParts(tx, { ids: scheduleIds });
  return { schedules: new Map(locked.map(({ id, status }) => [id, status])), parts };
}

export type Outcome = {
  status: Extract<PublicationStatus, "PUBLISHED" | "FAILED" | "UNKNOWN">;
  says: string;
  published?: Published;
  answer?: NetworkAnswer;
  /** When the network is read once more; absent: not by itself. */
  lookAgainSeconds?: number;
};

type Settling = { claim: Claim; post: Post; outcome: Outcome };
type Statuses = { publication: PublicationStatus; schedule: ScheduleStatus };

/** Settles a post, with all others that end in the same moment; answers whether its claim still held. */
export const settleOne = batch(settleAll);

async function settleAll(all: Settling[]): Promise<boolean[]> {
  return db.transaction(async (tx) => {
    const { schedules, parts } = await lockedParts(tx, [...new Set(all.map(({ claim }) => claim.scheduleId))]);
    const isHeld = ({ claim }: Settling) =>
      parts.some(
        (part) =>
          part.publicationId === claim.publicationId && part.fence === claim.fence && part.heldBy === claim.worker.id,
      );
    const held = all.filter(isHeld);
    if (held.length === 0) return all.map(() => false);
    await store(tx, held, statusesAfter(held, parts));
    const told = held.map(({ claim, post, outcome: { status: outcome, says, answer, lookAgainSeconds } }) => ({
      claim,
      post,
      chapter: { outcome, says, answer, againSeconds: lookAgainSeconds },
    }));
    await tell(tx, told);
    await tellEnds(tx, { schedules, publications: new Map(parts.map((part) => [part.publicationId, part.whole])) });
    return all.map(isHeld);
  });
}

/** What these outcomes, all of them together, make of their publications and schedules. */
function statusesAfter(held: Settling[], before: Part[]): (settling: Settling) => Statuses {
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

/** When the call that made a post public was answered, as near as it is known, is when it was published. */
const storeEnds = statement<{ ends: string }, never>(
  "publications.settle",
  sql`
  with ends as materialized (
    select * from jsonb_to_recordset(${value("ends", "jsonb")}) as e("scheduleId" bigint, "publicationId" bigint,
      "postId" bigint, status text, publication text, schedule text, "isOver" boolean, "lookAgainSeconds" float8, id text,
      permalink text, error text)
  ), publication as (
    update publications p set status = e.publication, claims = 0,
      claim_worker = case when e."isOver" then null else p.claim_worker end,
      claim_until = case when e."isOver" then null else p.claim_until end,
      due_at = case when e."isOver" then clock_timestamp() + make_interval(secs => e."lookAgainSeconds") else p.due_at end
    from ends e where p.id = e."publicationId"
  ), post as (
    update posts q set status = e.status, network_post_id = e.id, permalink = e.permalink, error = e.error,
      published_at = case when e.status = 'PUBLISHED' then coalesce(
        (select max(finished_at) from publish_steps where post_id = q.id), clock_timestamp()) end
    from ends e where q.id = e."postId"
  )
  update schedules s set status = e.schedule, updated_at = now()
  from (select distinct "scheduleId", schedule from ends) e where s.id = e."scheduleId"`,
);

async function store(tx: Tx, held: Settling[], statusesOf: (settling: Settling) => Statuses): Promise<void> {
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
      id: outcome.published?.id,
      permalink: outcome.published?.permalink,
      error: outcome.published ? undefined : outcome.says,
    };
  });
  await storeEnds(tx, { ends: JSON.stringify(ends) });
}

/**
 * A publication's status from its posts': published when all are, else as bad as the worst that is decided. A post whose
 * outcome nobody can tell outweighs a failed one: it may be live.
 */
export function publicationStatus(posts: readonly PublicationStatus[]): PublicationStatus {
  if (posts.every((status) => status === "PUBLISHED")) return "PUBLISHED";
  if (posts.includes("UNKNOWN")) return "UNKNOWN";
  if (posts.includes("FAILED")) return "FAILED";
  return posts.every((status) => status === "PENDING") ? "PENDING" : "IN_PROGRESS";
}

/** A publication as its schedule sees it; in part live where some of its posts are out (a thread that ended half-way). */
type PublicationPart = { status: PublicationStatus; isLiveInPart: boolean };

/**
 * A schedule's status from its publications' (SPEC, "States"). `UNKNOWN` counts as not published. `FAILED` says that
 * nothing is out, so half a thread makes it `PARTIALLY_COMPLETED`.
 */
export function scheduleStatus(publications: readonly PublicationPart[]): ScheduleStatus {
  const statuses = publications.map(({ status }) => status);
  if (statuses.every((status) => status === "PENDING")) return "SCHEDULED";
  if (statuses.some((status) => status === "PENDING" || status === "IN_PROGRESS")) return "IN_PROGRESS";
  if (statuses.every((status) => status === "PUBLISHED")) return "COMPLETED";
  return publications.some(({ status, isLiveInPart }) => status === "PUBLISHED" || isLiveInPart)
    ? "PARTIALLY_COMPLETED"
    : "FAILED";
}
