import { sql } from "drizzle-orm";
import type { PublicationStatus, ScheduleStatus, Tx } from "../../db";
import { statement, value } from "../../db/statement";

/** A post of a schedule; `whole` is its publication's status, `heldBy` its worker, null where its claim has run out. */
export type Part = {
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
    p.status as whole, p.fence, case when p.lease_until > clock_timestamp() then p.lease_worker end as "heldBy"
  from whole p join posts q on q.publication_id = p.id order by p.position, q.position`,
);

/** These schedules' statuses and the posts of all their publications, as they are; schedules and publications stay locked. */
export async function lockedParts(
  tx: Tx,
  scheduleIds: number[],
): Promise<{ schedules: Map<number, ScheduleStatus>; parts: Part[] }> {
  const locked = await lockSchedules(tx, { ids: scheduleIds });
  const parts = await readParts(tx, { ids: scheduleIds });
  return { schedules: new Map(locked.map(({ id, status }) => [id, status])), parts };
}
