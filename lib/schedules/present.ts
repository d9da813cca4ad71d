import { type Problem, refusalsIn } from "../errors";
import { withZulu } from "../time";
import { patchOf } from "./fixes";
import { isFlat } from "./new-schedule";
import type { Post, Publication, Schedule } from "./read";

/** What is shown of a schedule: what a new one has before it was ever read back. */
export type ShownSchedule = Pick<Schedule, "id" | "status" | "scheduledTime"> & { publications: ShownPublication[] };
type ShownPublication = Pick<Publication, "id" | "accountId" | "settings" | "status"> & { posts: ShownPost[] };
type ShownPost = Pick<Post, "id" | "content" | "attachmentPaths" | "chatId" | "thumbnailPath" | "status"> &
  Partial<Pick<Post, "networkPostId" | "permalink" | "publishedAt" | "error">>;

/** SPEC's creation response plus the state of every part (DECISIONS, "Schedules"). Fields without a value are absent. */
export function presentSchedule(schedule: ShownSchedule) {
  return {
    id: schedule.id,
    overallStatus: schedule.status,
    ...(schedule.scheduledTime ? { scheduledTime: withZulu(schedule.scheduledTime) } : {}),
    publications: schedule.publications.map(presentPublication),
  };
}

function presentPublication(publication: ShownPublication) {
  return {
    id: publication.id,
    socialMediaAccountId: publication.accountId,
    platformSettings: publication.settings,
    status: publication.status,
    posts: publication.posts.map(presentPost),
  };
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

/** What validating answers (DECISIONS, "Schedules"): a problem's own fields, absent where it has none; warnings leave it valid. */
export function presentVerdict(body: object, problems: Problem[]) {
  const isShort = isFlat(body) === true;
  return {
    valid: refusalsIn(problems).length === 0,
    problems: problems.map((problem) => {
      const { change, ...shown } = problem;
      return change ? { ...shown, apply: patchOf(problem, isShort) } : shown;
    }),
  };
}
