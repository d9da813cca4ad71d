import { sql } from "drizzle-orm";
import { db, posts, publications, schedules } from "../../db";
import type { Occurrence } from "../../time/recurrence";
import type { NewSchedule } from "../input";
import { NEAR_MS, type Planned, type Twin, twinsOf } from "../near-duplicates";

/** The same words on the same account near a date; without an id it is another date of the same wish. */
export type DateTwin = Pick<Twin, "accountId" | "at"> & { scheduleId?: number };

type Publications = NewSchedule["publications"];

/** By date, what goes out near it that says the same, of what is planned or was published and of the dates themselves. */
export async function twinsByDate(
  ownerId: string,
  publications: Publications,
  dates: Occurrence[],
): Promise<Map<string, DateTwin[]>> {
  const there = await plannedNear(ownerId, publications, dates);
  // Under ids that no schedule has.
  const own = dates.map(({ instant }, index): Planned => ({ ...plannedAt(instant, publications), id: -1 - index }));
  return new Map(
    dates.map(({ date, instant }, index) => {
      const twins = twinsOf(publications, { at: instant, besides: -1 - index }, [...there, ...own]);
      return [date, twins.map(({ scheduleId, ...twin }) => (scheduleId < 0 ? twin : { ...twin, scheduleId }))];
    }),
  );
}

function plannedAt(instant: number, publications: Publications): Omit<Planned, "id"> {
  return { overallStatus: "SCHEDULED", scheduledTime: new Date(instant).toISOString(), publications };
}

type Row = { id: number; status: string; at: string; accountId: number; texts: string[] };

/** Whatever is for one of these accounts near one of these dates, as the rule asks for it. */
async function plannedNear(ownerId: string, wanted: Publications, dates: Occurrence[]): Promise<Planned[]> {
  const accountIds = [...new Set(wanted.map(({ socialMediaAccountId }) => socialMediaAccountId))];
  const times = dates.map(({ instant }) => new Date(instant).toISOString());
  const { rows } = await db.execute<Row>(sql`
    select s.id::int8 as id, s.status, to_char(s.scheduled_time, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
      p.account_id as "accountId", array_agg(q.content order by q.position) as texts
    from ${schedules} s join ${publications} p on p.schedule_id = s.id join ${posts} q on q.publication_id = p.id
    where s.owner_id = ${ownerId} and p.account_id = any(${sql.param(accountIds)}::bigint[]) and exists (
      select from unnest(${sql.param(times)}::timestamptz[]) as near(t)
      where s.scheduled_time between near.t - make_interval(secs => ${NEAR_MS / 1000}) and near.t + make_interval(secs => ${NEAR_MS / 1000}))
    group by s.id, p.id order by s.scheduled_time, s.id`);
  return rows.map(({ id, status, at, accountId, texts }) => ({
    id: Number(id),
    overallStatus: status,
    scheduledTime: at,
    publications: [{ socialMediaAccountId: Number(accountId), posts: texts.map((content) => ({ content })) }],
  }));
}
