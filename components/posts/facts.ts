import type { ApiAccount, ApiPublication, ApiSchedule, ApiScheduleStatus } from "../api/types";
import { uiWords } from "../ui/words";

const LATE_MS = 60_000;

/**
 * The state to show: a schedule that is a minute overdue is late, not scheduled, and one that no network has confirmed or refused
 * has an unknown outcome. A draft that an application proposed waits for approval.
 */
export function stateOf({ overallStatus, scheduledTime, publications, proposal }: ApiSchedule, nowMs: number) {
  if (overallStatus === "DRAFT" && proposal) return "PROPOSED";
  if (overallStatus === "FAILED" && publications[0] && publications.every(({ status }) => status === "UNKNOWN"))
    return "UNKNOWN";
  const isDue = scheduledTime !== undefined && Date.parse(scheduledTime) + LATE_MS < nowMs;
  return overallStatus === "SCHEDULED" && isDue ? "LATE" : overallStatus;
}

/** The fields of an account on which the state of a schedule depends. */
type Owner = Pick<ApiAccount, "id" | "state">;

/** The first account without which the post will fail, or has failed, until it is connected again. */
export function troubleOf<A extends Owner>({ overallStatus, publications }: ApiSchedule, accounts: A[]): A | undefined {
  if (overallStatus === "DRAFT") return undefined;
  const open = publications.filter(({ status }) => status === "PENDING" || status === "FAILED");
  return accounts.find(
    ({ id, state }) =>
      state === "RECONNECT_REQUIRED" && open.some(({ socialMediaAccountId }) => socialMediaAccountId === id),
  );
}

/** The same as `stateOf`, but a post that will fail when its time comes needs attention. */
export function stateWith(schedule: ApiSchedule, accounts: Owner[], nowMs: number) {
  return isAhead(schedule) && troubleOf(schedule, accounts) ? "ATTENTION" : stateOf(schedule, nowMs);
}

/** The state to show for one account's part. Before the first attempt it is that of the whole post, such as a draft's. */
export function publicationState<S extends string>({ status }: Pick<ApiPublication, "status">, whole: S) {
  return status === "PENDING" && whole !== "IN_PROGRESS" ? whole : status;
}

/** The statuses of schedules for which something will still happen automatically. */
export const AHEAD: ApiScheduleStatus[] = ["SCHEDULED", "AWAITING_MEDIA", "IN_PROGRESS"];
/** The statuses of schedules with at least one published publication. */
export const WITH_PUBLISHED: ApiScheduleStatus[] = ["COMPLETED", "PARTIALLY_COMPLETED"];
/** The statuses of schedules for which nothing more happens automatically. */
export const OVER: ApiScheduleStatus[] = [...WITH_PUBLISHED, "FAILED", "MEDIA_IMPORT_FAILED"];

/** Whether something will still happen automatically. */
export function isAhead({ overallStatus }: ApiSchedule): boolean {
  return AHEAD.includes(overallStatus);
}

/** Whether it can still be changed or deleted because nothing has started. */
export function canChange({ overallStatus }: ApiSchedule): boolean {
  return ["DRAFT", "SCHEDULED", "AWAITING_MEDIA", "MEDIA_IMPORT_FAILED"].includes(overallStatus);
}

/** Whether it can be deleted: nothing of it has been published. */
export function canDelete(schedule: ApiSchedule): boolean {
  return canChange(schedule) || schedule.overallStatus === "FAILED";
}

/** Whether it can be retried: it has ended, and something failed or has an unknown outcome. */
export function canRetry({ overallStatus, publications }: ApiSchedule): boolean {
  if (overallStatus === "MEDIA_IMPORT_FAILED") return true;
  return OVER.includes(overallStatus) && publications.some(({ status }) => status === "FAILED" || status === "UNKNOWN");
}

/** A schedule's distinct texts, the first account's first. */
export function textsOf(schedule: ApiSchedule): string[] {
  const texts = schedule.publications.flatMap(({ posts }) => posts.map(({ content }) => content?.trim() ?? ""));
  return [...new Set(texts.filter((text) => text !== ""))];
}

const VIDEO = /\.(mp4|mov|webm|mkv)$/i;

/** `2 pictures, 1 video, 1 file from the web`, or an empty text. The type of a web file is not known yet. */
export function mediaWords(paths: string[]): string {
  const stored = paths.filter((path) => !/^https?:/i.test(path));
  const videos = stored.filter((path) => VIDEO.test(path)).length;
  const remote = paths.length - stored.length;
  const documents = stored.filter((path) => /\.pdf$/i.test(path)).length;
  const pictures = stored.length - videos - documents;
  const kinds = [
    pictures > 0 && uiWords.files.pictures(pictures),
    videos > 0 && uiWords.files.videos(videos),
    documents > 0 && uiWords.files.documents(documents),
    remote > 0 && uiWords.files.fromTheWeb(remote),
  ];
  return kinds.filter(Boolean).join(", ");
}
