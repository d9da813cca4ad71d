import { accountsOf, hasDestinations, storedDestinations } from "../accounts";
import { databaseNow, db, posts, publications, schedules, type Tx } from "../db";
import { BadRequest } from "../errors";
import { enqueue } from "../jobs";
import { mediaOf } from "../media";
import { networkOf } from "../networks";
import { parseInstant } from "../time";
import { check, type Facts, type Publishable } from "./check";
import { publicationDue, publicationKey } from "./jobs";
import type { NewSchedule } from "./new-schedule";
import { getSchedule, type Schedule } from "./read";

/** A time this long ago still means "now"; an older one is a mistake. */
const LATE_MINUTES = 5;

/**
 * Stores a schedule with its publications and posts, and enqueues each publication, in one transaction.
 * @param remember stores the answer beside it, in the same transaction
 * @throws BadRequest with every problem at once
 */
export async function createSchedule(
  ownerId: string,
  input: NewSchedule,
  remember?: (tx: Tx, schedule: Schedule) => Promise<void>,
): Promise<Schedule> {
  const facts = await factsOf(ownerId, input);
  const { problems, publishable } = check(input, facts);
  const time = checkTime(input, await databaseNow());
  if ("problem" in time) problems.unshift(time.problem);
  if (problems.length > 0 || "problem" in time) throw new BadRequest(...problems);
  return db.transaction(async (tx) => {
    const id = await store(tx, ownerId, input.isDraft, time.at, publishable);
    const schedule = await getSchedule(ownerId, id, tx);
    await remember?.(tx, schedule);
    return schedule;
  });
}

async function factsOf(ownerId: string, input: NewSchedule): Promise<Facts> {
  const accounts = await accountsOf(
    ownerId,
    input.publications.map(({ socialMediaAccountId: id }) => id).filter(Number.isSafeInteger),
  );
  const keys = input.publications.flatMap(({ posts }) =>
    posts.flatMap((post) => [...post.attachmentPaths, post.thumbnailPath ?? ""]),
  );
  const media = await mediaOf(ownerId, keys.filter(Boolean));
  const stored = [...accounts.values()].filter(
    ({ platform }) => hasDestinations(platform) && !networkOf(platform)?.destinations?.list,
  );
  const destinations = await storedDestinations(stored.map(({ id }) => id));
  for (const { id } of stored) if (!destinations.has(id)) destinations.set(id, []);
  return { accounts, media, destinations };
}

function checkTime({ scheduledTime, isDraft }: NewSchedule, now: Date): { at: string | null } | { problem: string } {
  if (scheduledTime === null || scheduledTime === undefined) {
    return isDraft ? { at: null } : { problem: "scheduledTime cannot be null" };
  }
  const at = parseInstant(scheduledTime);
  if (!at) return { problem: `scheduledTime is not an ISO 8601 date and time that exists: ${scheduledTime}` };
  if (!isDraft && now.getTime() - at.getTime() > LATE_MINUTES * 60_000) {
    return { problem: `scheduledTime is in the past: ${at.toISOString()} (it is ${now.toISOString()} now)` };
  }
  return { at: at.toISOString() };
}

async function store(
  tx: Tx,
  ownerId: string,
  isDraft: boolean,
  scheduledTime: string | null,
  publishable: Publishable[],
): Promise<number> {
  const [schedule] = await tx
    .insert(schedules)
    .values({ ownerId, status: isDraft ? "DRAFT" : "SCHEDULED", scheduledTime })
    .returning({ id: schedules.id });
  if (!schedule) throw new Error("the schedule was not stored");
  const rows = await tx
    .insert(publications)
    .values(
      publishable.map(({ account, settings }, position) => ({
        scheduleId: schedule.id,
        accountId: account.id,
        position,
        settings,
      })),
    )
    .returning({ id: publications.id, position: publications.position });
  const idAt = new Map(rows.map(({ id, position }) => [position, id]));
  await tx
    .insert(posts)
    .values(
      publishable.flatMap(({ posts: parts }, publication) =>
        parts.map((post, position) => ({ publicationId: idAt.get(publication) ?? 0, position, ...post })),
      ),
    );
  if (!isDraft && scheduledTime) {
    for (const { id } of rows) {
      await enqueue(tx, publicationDue, { publicationId: id }, { at: scheduledTime, key: publicationKey(id) });
    }
  }
  return schedule.id;
}
