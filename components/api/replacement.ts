import type { Post, Schedule } from "./types";

type Changes = { scheduledTime?: string };

/** The body of `PUT /v1/posts/{id}` that keeps a schedule as it is but for the changes: answers hold more than requests take. */
export function replacementOf(schedule: Schedule, changes: Changes) {
  const { scheduledTime, overallStatus, publications } = schedule;
  return {
    scheduledTime,
    isDraft: overallStatus === "DRAFT",
    publications: publications.map(({ socialMediaAccountId, platformSettings, posts }) => ({
      socialMediaAccountId,
      platformSettings,
      posts: posts.map(postOf),
    })),
    ...changes,
  };
}

function postOf({ content, attachmentPaths, chatId, thumbnail }: Post) {
  return { content, attachmentPaths, chatId, thumbnailPath: thumbnail };
}
