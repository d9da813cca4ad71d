import { accountsOf, hasDestinations, storedDestinations } from "../accounts";
import { databaseNow } from "../db";
import type { Problem } from "../errors";
import { isWebUrl } from "../http/outside-url";
import { mediaOf, settleUploads } from "../media";
import { networkOf } from "../networks";
import { parseInstant } from "../time";
import { check, type Facts, type Publishable } from "./check";
import type { NewSchedule } from "./new-schedule";

/** A time this long ago still means "now"; an older one is a mistake. */
const LATE_MINUTES = 5;

/** What can be stored; meaningless where there are problems. */
export type Examined = { problems: Problem[]; at: string | null; publishable: Publishable[] };

/** Everything that is wrong with a schedule of the right shape, the time first. */
export async function examine(ownerId: string, input: NewSchedule): Promise<Examined> {
  const { problems, publishable } = check(input, await factsOf(ownerId, input.publications));
  const time = checkTime(input, await databaseNow());
  return "problem" in time
    ? { problems: [time.problem, ...problems], at: null, publishable }
    : { problems, at: time.at, publishable };
}

/** Reads what the checks of these publications need to know. */
export async function factsOf(ownerId: string, publications: NewSchedule["publications"]): Promise<Facts> {
  const ids = publications.map(({ socialMediaAccountId: id }) => id);
  const accounts = await accountsOf(ownerId, ids.filter(Number.isSafeInteger));
  const keys = mediaKeys(publications);
  const unusable = await settleUploads(ownerId, keys);
  const media = await mediaOf(ownerId, keys);
  const stored = [...accounts.values()].filter(
    ({ platform }) => hasDestinations(platform) && !networkOf(platform)?.destinations?.list,
  );
  const destinations = await storedDestinations(stored.map(({ id }) => id));
  for (const { id } of stored) if (!destinations.has(id)) destinations.set(id, []);
  return { accounts, media, unusable, destinations };
}

/** Every storage key that publications name, each once. */
function mediaKeys(publications: NewSchedule["publications"]): string[] {
  const keys = publications.flatMap(({ posts }) =>
    posts.flatMap((post) => [...post.attachmentPaths, post.thumbnailPath ?? ""]),
  );
  return [...new Set(keys.filter((key) => key && !isWebUrl(key)))];
}

type Timing = Pick<NewSchedule, "scheduledTime" | "isDraft">;

export function checkTime({ scheduledTime, isDraft }: Timing, now: Date): { at: string | null } | { problem: Problem } {
  const path = "scheduledTime";
  if (scheduledTime === null || scheduledTime === undefined) {
    return isDraft ? { at: null } : { problem: { path, message: "cannot be null", rule: "required" } };
  }
  const at = parseInstant(scheduledTime);
  if (!at) {
    const message = `is not an ISO 8601 date and time that exists: ${scheduledTime}`;
    return { problem: { path, message, rule: "time.invalid", fix: "Write it like 2030-01-31T09:00:00Z" } };
  }
  if (!isDraft && now.getTime() - at.getTime() > LATE_MINUTES * 60_000) {
    const message = `is in the past: ${at.toISOString()} (it is ${now.toISOString()} now)`;
    const fix = "Choose a time to come";
    return { problem: { path, message, rule: "time.past", measured: at.toISOString(), fix } };
  }
  return { at: at.toISOString() };
}
