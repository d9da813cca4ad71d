import { sql } from "drizzle-orm";
import { type PublicationStatus, posts, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { rowAsJson, rowFromJson } from "../db/row-json";
import { statement, value } from "../db/statement";
import { type EventType, emit, type NewEvent } from "../webhooks";
import { presentPublication, presentSchedule } from "./present";
import type { Publication, Schedule } from "./read";

type Row = { [column: string]: unknown };
type Tree = { schedule: Row; publications: { row: Row; posts: Row[] | null }[] | null };

const read = statement<{ ids: number[] }, Tree>(
  "schedules.trees",
  sql`
  select ${rowAsJson(schedules, "s")} as schedule,
    (select json_agg(json_build_object('row', ${rowAsJson(publications, "p")}, 'posts',
        (select json_agg(${rowAsJson(posts, "q")} order by q.position) from posts q where q.publication_id = p.id))
      order by p.position) from publications p where p.schedule_id = s.id) as publications
  from schedules s where s.id = any(${value("ids", "bigint[]")}) order by s.id`,
);

/** Schedules that wait for no media, with all their parts: one question for many, as the publishing engine asks. */
async function schedulesUnderWay(tx: Tx, ids: number[]): Promise<Schedule[]> {
  const trees = await read(tx, { ids });
  return trees.map((tree) => ({
    ...rowFromJson(schedules, tree.schedule),
    pendingImports: [],
    publications: (tree.publications ?? []).map((part) => ({
      ...rowFromJson(publications, part.row),
      posts: (part.posts ?? []).map((post) => rowFromJson(posts, post)),
    })),
  }));
}

/** What a schedule's status, once it has come to it, is told as; what is absent is not told. */
const TOLD: { [S in ScheduleStatus]?: EventType } = {
  SCHEDULED: "post.scheduled",
  MEDIA_IMPORT_FAILED: "post.media_import_failed",
  IN_PROGRESS: "post.in_progress",
  COMPLETED: "post.completed",
  PARTIALLY_COMPLETED: "post.partially_completed",
  FAILED: "post.failed",
};

/** The event of a schedule that has just come to its status. */
export function scheduleEvent(schedule: Schedule): NewEvent[] {
  const type = TOLD[schedule.status];
  return type ? [{ ownerId: schedule.ownerId, type, data: presentSchedule(schedule) }] : [];
}

export function deletionEvent(schedule: Schedule): NewEvent {
  return { ownerId: schedule.ownerId, type: "post.deleted", data: presentSchedule(schedule) };
}

/** The event of a publication that has just come to its end; UNKNOWN is told as a failure that says so. */
function publicationEvent(schedule: Schedule, publication: Publication): NewEvent {
  const type = publication.status === "PUBLISHED" ? "publication.published" : "publication.failed";
  const data = { scheduleId: schedule.id, ...presentPublication(publication) };
  return { ownerId: schedule.ownerId, type, data };
}

/** Tells that publishing these schedules has begun, or begins again. */
export async function tellBegun(tx: Tx, scheduleIds: number[]): Promise<void> {
  if (scheduleIds.length === 0) return;
  const begun = await schedulesUnderWay(tx, scheduleIds);
  await emit(tx, begun.flatMap(scheduleEvent));
}

export type StatusesBefore = {
  schedules: ReadonlyMap<number, ScheduleStatus>;
  publications: ReadonlyMap<number, PublicationStatus>;
};

const UNFINISHED: readonly PublicationStatus[] = ["PENDING", "IN_PROGRESS"];

/** Tells of every publication and schedule that has come to another end than it had before. */
export async function tellEnds(tx: Tx, before: StatusesBefore): Promise<void> {
  const after = await schedulesUnderWay(tx, [...before.schedules.keys()]);
  const events = after.flatMap((schedule) => {
    const ended = schedule.publications.filter(
      ({ id, status }) => !UNFINISHED.includes(status) && before.publications.get(id) !== status,
    );
    const isNew = before.schedules.get(schedule.id) !== schedule.status;
    return [...ended.map((part) => publicationEvent(schedule, part)), ...(isNew ? scheduleEvent(schedule) : [])];
  });
  await emit(tx, events);
}
