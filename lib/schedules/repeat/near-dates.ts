import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { db, posts, publications as publicationRows, schedules } from "../../db";
import { giveWay } from "../../time/give-way";
import type { Occurrence } from "../../time/recurrence";
import type { NewSchedule } from "../input";
import {
  NEAR_MS,
  type NearDuplicate,
  nearDuplicatesOf,
  normalizedText,
  type PlannedSchedule,
} from "../near-duplicates";

/** A schedule has up to 1 MB of text, so texts are read in batches. */
const TEXT_BATCH_SIZE = 50;

/** A near-duplicate of a date; without an id it is another date of the same input. */
export type DateNearDuplicate = Pick<NearDuplicate, "accountId" | "at"> & { scheduleId?: number };

/**
 * Returns the near-duplicates of each date, among existing schedules and the other dates. A text may have 1 MB and is compared at
 * each date, so digests are compared, and other requests may run in between.
 */
export async function nearDuplicatesByDate(
  ownerId: string,
  publications: NewSchedule["publications"],
  dates: Occurrence[],
): Promise<Map<string, DateNearDuplicate[]>> {
  const wanted = publications.map(({ socialMediaAccountId, posts }) => ({
    socialMediaAccountId,
    posts: digestOf(posts),
  }));
  const there = await findPlannedNear(ownerId, wanted, dates);
  // The other dates get negative ids, which no schedule has.
  const own = dates.map(({ instant }, index): PlannedSchedule => ({ ...plannedAt(instant, wanted), id: -1 - index }));
  const byDate = new Map<string, DateNearDuplicate[]>();
  for (const [index, { date, instant }] of dates.entries()) {
    await giveWay();
    const found = nearDuplicatesOf(wanted, { at: instant, exceptId: -1 - index }, [...there, ...own]);
    byDate.set(
      date,
      found.map(({ scheduleId, ...one }) => (scheduleId < 0 ? one : { ...one, scheduleId })),
    );
  }
  return byDate;
}

type DigestedPublication = PlannedSchedule["publications"][number];

/** Returns one short post that equals another one if the normalized texts of the posts are equal. Posts without text stay so. */
function digestOf(posts: { content?: string }[]): DigestedPublication["posts"] {
  const text = normalizedText(posts);
  return [{ content: text === "" ? "" : createHash("sha256").update(text).digest("hex") }];
}

function plannedAt(instant: number, publications: DigestedPublication[]): Omit<PlannedSchedule, "id"> {
  return { overallStatus: "SCHEDULED", scheduledTime: new Date(instant).toISOString(), publications };
}

type Row = { id: number; publicationId: number; status: string; at: string; accountId: number };

/** Reads the schedules on these accounts near these dates, in the form that `nearDuplicatesOf` takes. */
async function findPlannedNear(
  ownerId: string,
  wanted: DigestedPublication[],
  dates: Occurrence[],
): Promise<PlannedSchedule[]> {
  const accountIds = [...new Set(wanted.map(({ socialMediaAccountId }) => socialMediaAccountId))];
  const times = dates.map(({ instant }) => new Date(instant).toISOString());
  const { rows } = await db.execute<Row>(sql`
    select s.id::int8 as id, p.id::int8 as "publicationId", s.status,
      to_char(s.scheduled_time, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, p.account_id as "accountId"
    from ${schedules} s join ${publicationRows} p on p.schedule_id = s.id
    where s.owner_id = ${ownerId} and s.status <> 'DRAFT' and p.account_id = any(${sql.param(accountIds)}::bigint[]) and exists (
      select from unnest(${sql.param(times)}::timestamptz[]) as near(t)
      where s.scheduled_time between near.t - make_interval(secs => ${NEAR_MS / 1000}) and near.t + make_interval(secs => ${NEAR_MS / 1000}))
    order by s.scheduled_time, s.id, p.id`);
  const digests = await readDigests(rows.map(({ publicationId }) => Number(publicationId)));
  return rows.map(({ id, publicationId, status, at, accountId }) => ({
    id: Number(id),
    overallStatus: status,
    scheduledTime: at,
    publications: [
      { socialMediaAccountId: Number(accountId), posts: digests.get(Number(publicationId)) ?? digestOf([]) },
    ],
  }));
}

/** Reads the texts of these publications in batches, because each may have 1 MB, and returns their digests. */
async function readDigests(ids: number[]): Promise<Map<number, DigestedPublication["posts"]>> {
  const digests = new Map<number, DigestedPublication["posts"]>();
  for (let from = 0; from < ids.length; from += TEXT_BATCH_SIZE) {
    const batch = ids.slice(from, from + TEXT_BATCH_SIZE);
    const { rows } = await db.execute<{ id: number; texts: string[] }>(sql`
      select publication_id::int8 as id, json_agg(content order by position) as texts
      from ${posts} where publication_id = any(${sql.param(batch)}::bigint[]) group by publication_id`);
    for (const { id, texts } of rows) {
      await giveWay();
      digests.set(Number(id), digestOf(texts.map((content) => ({ content }))));
    }
  }
  return digests;
}
