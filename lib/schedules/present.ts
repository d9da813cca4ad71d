import { blockingProblems, type Problem } from "../errors";
import { withZulu } from "../time/instant";
import type { ImportLink } from "./imports/attach";
import type { SchedulePreview } from "./preview";
import type { Receipt } from "./publish/attempts";
import type { PublishingPause } from "./publish/pause";
import type { Post, Publication, Schedule } from "./read";
import type { NextSlots } from "./slots/next-slots";

/** The parts of a schedule that are presented; a new schedule has them without being read back. */
export type ShownSchedule = Pick<Schedule, "id" | "status" | "scheduledTime" | "pendingImports"> &
  Partial<Pick<Schedule, "changesRequested">> & { publications: ShownPublication[] };
type ShownPublication = Pick<Publication, "id" | "accountId" | "settings" | "status"> & { posts: ShownPost[] };
type ShownPost = Pick<Post, "id" | "content" | "attachmentPaths" | "chatId" | "thumbnailPath" | "status"> &
  Partial<Pick<Post, "networkPostId" | "permalink" | "publishedAt" | "error">>;

/** The creation response of SPEC plus the status of every part (DECISIONS, "Schedules"). Fields without a value are absent. */
export function presentSchedule(schedule: ShownSchedule) {
  return {
    id: schedule.id,
    overallStatus: schedule.status,
    ...(schedule.scheduledTime ? { scheduledTime: withZulu(schedule.scheduledTime) } : {}),
    publications: schedule.publications.map(presentPublication),
    ...(schedule.changesRequested ? { changesRequested: true } : {}),
    ...(schedule.pendingImports.length > 0 ? { pendingImports: schedule.pendingImports.map(presentPending) } : {}),
  };
}

function presentPending({ postId, position, importId, sourceUrl, state }: ImportLink) {
  return { postId, attachmentIndex: position, importTaskId: importId, sourceUrl, state };
}

/** Presents one entry of `publications`. */
export function presentPublication(publication: ShownPublication) {
  return {
    id: publication.id,
    socialMediaAccountId: publication.accountId,
    platformSettings: sortedSettings(publication.settings),
    status: publication.status,
    posts: publication.posts.map(presentPost),
  };
}

/** Sorts by name, because the database does not keep the order and entity tags must be stable. */
function sortedSettings(settings: ShownPublication["settings"]): ShownPublication["settings"] {
  const { type, ...others } = settings;
  return { type, ...Object.fromEntries(Object.entries(others).toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

function presentPost(post: ShownPost) {
  return {
    id: post.id,
    content: post.content,
    attachmentPaths: post.attachmentPaths,
    ...(post.chatId ? { chatId: post.chatId } : {}),
    ...(post.thumbnailPath ? { thumbnail: post.thumbnailPath } : {}),
    status: post.status,
    ...(post.networkPostId ? { networkPostId: post.networkPostId } : {}),
    ...(post.permalink ? { permalink: post.permalink } : {}),
    ...(post.publishedAt ? { publishedTime: withZulu(post.publishedAt) } : {}),
    ...(post.error ? { error: post.error } : {}),
  };
}

/** The response of validation (DECISIONS, "Schedules"). Warnings do not make a schedule invalid. */
export function presentValidation(problems: Problem[]) {
  return {
    valid: blockingProblems(problems).length === 0,
    problems: problems.map((problem) => {
      const { change, ...shown } = problem;
      return change ? { ...shown, apply: jsonPatchOf(problem) } : shown;
    }),
  };
}

/** Fields that tell the user that publishing is paused, with the reason if there is one; none while it is not paused. */
export function presentPause(pause: PublishingPause | undefined) {
  if (!pause) return {};
  return { publishingPaused: true, ...(pause.reason ? { publishingPausedReason: pause.reason } : {}) };
}

/** The attempts at each publication: when they were made, what the network answered and when the next one follows. */
export function presentReceipt(receipt: Receipt, pause: PublishingPause | undefined) {
  return {
    id: receipt.id,
    overallStatus: receipt.status,
    ...(receipt.scheduledTime ? { scheduledTime: withZulu(receipt.scheduledTime) } : {}),
    ...presentPause(pause),
    publications: receipt.publications.map((publication) => ({
      id: publication.id,
      socialMediaAccountId: publication.accountId,
      platform: publication.platform,
      status: publication.status,
      attempts: publication.attempts,
      ...(publication.dueAt && !publication.claimWorker ? { nextAttemptTime: withZulu(publication.dueAt) } : {}),
      story: publication.attemptLog.map(presentAttempt),
      posts: publication.posts.map(presentPost),
    })),
  };
}

function presentAttempt(attempt: Receipt["publications"][number]["attemptLog"][number]) {
  return {
    postId: attempt.postId,
    outcome: attempt.outcome,
    message: attempt.message,
    startTime: withZulu(attempt.startedAt),
    endTime: withZulu(attempt.endedAt),
    times: attempt.times,
    ...(attempt.answer ? { answer: attempt.answer } : {}),
    ...(attempt.nextAttemptAt ? { nextAttemptTime: withZulu(attempt.nextAttemptAt) } : {}),
  };
}

/** Presents the requests that publishing would send. */
export function presentPreview(preview: SchedulePreview) {
  return {
    id: preview.id,
    publications: preview.publications.map(({ id, accountId, posts }) => ({
      id,
      socialMediaAccountId: accountId,
      posts: posts.map(({ requests, ...post }) => ({
        ...post,
        requests: requests.map(({ isFinal, ...request }) => ({ ...request, makesPublic: isFinal })),
      })),
    })),
  };
}

export function presentNextSlots({ queued, free }: NextSlots) {
  const items = free.map(({ instant, accountIds }) => ({
    time: withZulu(new Date(instant).toISOString()),
    accountIds,
  }));
  return { accountIds: queued, items };
}

/** One operation of a JSON Patch (RFC 6902) on the body that was checked. */
type PatchOperation = { op: "add" | "replace"; path: string; value: unknown } | { op: "remove"; path: string };

/** Returns a problem's change as a JSON Patch of the request body; undefined if only the user can fix it. */
export function jsonPatchOf({ path, change }: Problem): PatchOperation[] | undefined {
  return change && [{ ...change, path: jsonPointerOf(path) }];
}

/** `publications[0].posts[1].content` as a JSON Pointer (RFC 6901): `/publications/0/posts/1/content`. */
function jsonPointerOf(path: string): string {
  return path.replace(/^(?=.)|\./g, "/").replace(/\[(\d+)\]/g, "/$1");
}
