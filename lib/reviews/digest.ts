import { createHash } from "node:crypto";
import type { Schedule } from "../schedules";

/**
 * Tells one content from another: what goes to which account, with which settings and files. When it goes is not part of it,
 * so that what was said of a post stays true when the post is moved. Made of what the database holds, which has its settings
 * in an order of its own.
 */
export function contentDigest({ publications }: Pick<Schedule, "publications">): Buffer {
  const content = publications.map(({ accountId, settings, posts }) => [
    accountId,
    settings,
    posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => [
      content,
      attachmentPaths,
      chatId,
      thumbnailPath,
    ]),
  ]);
  return createHash("sha256").update(JSON.stringify(content)).digest();
}
