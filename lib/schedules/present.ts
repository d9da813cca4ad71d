import type { Problem } from "../errors";
import { withZulu } from "../time";
import type { PendingImport } from "./pending-imports";
import type { Post, Publication, Schedule } from "./read";

/** SPEC's creation response plus the state of every part (DECISIONS, "Schedules"). Fields without a value are absent. */
export function presentSchedule(schedule: Schedule) {
  return {
    id: schedule.id,
    overallStatus: schedule.status,
    ...(schedule.scheduledTime ? { scheduledTime: withZulu(schedule.scheduledTime) } : {}),
    publications: schedule.publications.map(presentPublication),
    ...(schedule.pendingImports.length > 0 ? { pendingImports: schedule.pendingImports.map(presentPending) } : {}),
  };
}

function presentPending({ postId, attachmentIndex, importTaskId, sourceUrl, state }: PendingImport) {
  return { postId, attachmentIndex, importTaskId, sourceUrl, state };
}

function presentPublication(publication: Publication) {
  return {
    id: publication.id,
    socialMediaAccountId: publication.accountId,
    platformSettings: publication.settings,
    status: publication.status,
    posts: publication.posts.map(presentPost),
  };
}

function presentPost(post: Post) {
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

/** What validating answers (DECISIONS, "Schedules"): a problem's own fields, absent where it has none. */
export function presentVerdict(problems: Problem[]) {
  return { valid: problems.length === 0, problems };
}
