import type { NewSchedule } from "./input";
import type { Publication } from "./read";

/** What a schedule holds, as the body that would create it has it. */
export function publicationsOf({ publications }: { publications: Publication[] }): NewSchedule["publications"] {
  return publications.map(({ accountId, settings, posts }) => ({
    socialMediaAccountId: accountId,
    platformSettings: settings,
    posts: posts.map(({ content, attachmentPaths, chatId, thumbnailPath }) => ({
      ...{ content, attachmentPaths, chatId, thumbnailPath },
    })),
  }));
}
