import { sql } from "drizzle-orm";
import { type PublicationStatus, posts, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { rowAsJson, rowFromJson, statement, value } from "../db/statement";
import { type EventType, emit, type NewEvent } from "../webhooks";
import { presentPublication, presentSchedule } from "./present";
import type { Publication, Schedule } from "./read";

type Row = { [column: string]: unknown };
type ScheduleRows = { schedule: Row; publications: { row: Row; posts: Row[] | null }[] | null };

const readRows = statement<{ ids: number[] }, ScheduleRows>(
  "schedules.read-many",
  sql`
  select ${rowAsJson(schedules, "s")} as schedule,
    (select json_agg(json_build_object('row', ${rowAsJson(publications, "p")}, 'posts',
        (select json_agg(${rowAsJson(posts, "q")} order by q.position) from posts q where q.publication_id = p.id))
      order by p.position) from publications p where p.schedule_id = s.id) as publications
  from schedules s where s.id = any(${value("ids", "bigint[]")}) order by s.id`,
);

/** Reads schedules with their publications and posts in one query. Only for schedules without pending imports. */
async function readSchedules(tx: Tx, ids: number[]): Promise<Schedule[]> {
  const rows = await readRows(tx, { ids });
  return rows.map((row) => ({
    ...rowFromJson(schedules, row.schedule),
    pendingImports: [],
    publications: (row.publications ?? []).map((part) => ({
      ...rowFromJson(publications, part.row),
      posts: (part.posts ?? []).map((post) => rowFromJson(posts, post)),
    })),
  }));
}

/** The event that a schedule's new status emits; a status that is absent emits none. */
const EVENT_TYPES: { [S in ScheduleStatus]?: EventType } = {
  SCHEDULED: "post.scheduled",
  MEDIA_IMPORT_FAILED: "post.media_import_failed",
  IN_PROGRESS: "post.in_progress",
  COMPLETED: "post.completed",
  PARTIALLY_COMPLETED: "post.partially_completed",
  FAILED: "post.failed",
};

/** Returns the event of a schedule that has just reached its status. */
export function scheduleEvent(schedule: Schedule): NewEvent[] {
  const type = EVENT_TYPES[schedule.status];
  return type ? [{ ownerId: schedule.ownerId, type, data: presentSchedule(schedule) }] : [];
}

export function deletionEvent(schedule: Schedule): NewEvent {
  return { ownerId: schedule.ownerId, type: "post.deleted", data: presentSchedule(schedule) };
}

/** Returns the event of a publication that has just ended. UNKNOWN is emitted as `publication.failed`. */
function publicationEvent(schedule: Schedule, publication: Publication): NewEvent {
  const type = publication.status === "PUBLISHED" ? "publication.published" : "publication.failed";
  const data = { scheduleId: schedule.id, ...presentPublication(publication) };
  return { ownerId: schedule.ownerId, type, data };
}

/** Emits that publishing these schedules has started, or has started again. */
export async function emitStarted(tx: Tx, scheduleIds: number[]): Promise<void> {
  if (scheduleIds.length === 0) return;
  const begun = await readSchedules(tx, scheduleIds);
  await emit(tx, begun.flatMap(scheduleEvent));
}

/** Emits how a publication's first comment ended. `UNKNOWN` is emitted as `comment.failed`. */
export async function emitComment(tx: Tx, scheduleId: number, publicationId: number): Promise<void> {
  const found = await readSchedules(tx, [scheduleId]);
  const events = found.flatMap((schedule) =>
    schedule.publications
      .filter(({ id }) => id === publicationId)
      .map(
        (publication): NewEvent => ({
          ownerId: schedule.ownerId,
          type: publication.comment?.status === "PUBLISHED" ? "comment.published" : "comment.failed",
          data: { scheduleId, ...presentPublication(publication) },
        }),
      ),
  );
  await emit(tx, events);
}

export type StatusesBefore = {
  schedules: ReadonlyMap<number, ScheduleStatus>;
  publications: ReadonlyMap<number, PublicationStatus>;
};

const UNFINISHED: readonly PublicationStatus[] = ["PENDING", "IN_PROGRESS"];

/** Emits the new outcome of every publication and schedule whose outcome has changed. */
export async function emitOutcomes(tx: Tx, before: StatusesBefore): Promise<void> {
  const after = await readSchedules(tx, [...before.schedules.keys()]);
  const events = after.flatMap((schedule) => {
    const ended = schedule.publications.filter(
      ({ id, status }) => !UNFINISHED.includes(status) && before.publications.get(id) !== status,
    );
    const isNew = before.schedules.get(schedule.id) !== schedule.status;
    return [...ended.map((part) => publicationEvent(schedule, part)), ...(isNew ? scheduleEvent(schedule) : [])];
  });
  await emit(tx, events);
}
