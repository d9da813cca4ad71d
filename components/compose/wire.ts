import type { NewSchedule, Publication, Schedule } from "../api/types";

type Sent = NewSchedule["publications"][number];

/**
 * Publications as texts that are the same for the same, in whatever order they, or their settings, stand; what is switched off
 * or empty says nothing.
 */
export function wiresOf(publications: (Sent | Publication)[]): string[] {
  return publications.map(wireOf).toSorted();
}

function wireOf({ socialMediaAccountId, platformSettings, posts }: Sent | Publication): string {
  const settings = Object.entries(platformSettings).filter(([, value]) => value !== "" && value !== false);
  return JSON.stringify([socialMediaAccountId, settings.toSorted(), posts.map(partsOf)]);
}

function partsOf(post: Sent["posts"][number] | Publication["posts"][number]) {
  const { content = "", attachmentPaths = [], chatId = null } = post;
  return [content, attachmentPaths, chatId, coverOf(post) ?? null];
}

/** A cover is asked for under one name and answered under another (SPEC). */
export function coverOf(post: Sent["posts"][number] | Publication["posts"][number]): string | undefined {
  return "thumbnail" in post ? post.thumbnail : "thumbnailPath" in post ? post.thumbnailPath : undefined;
}

/** Whether a schedule is what a request asked for. */
export function isAsAsked(schedule: Schedule, asked: NewSchedule): boolean {
  const isDraft = schedule.overallStatus === "DRAFT";
  return (
    isDraft === asked.isDraft &&
    timeIn(schedule) === timeIn(asked) &&
    JSON.stringify(wiresOf(schedule.publications)) === JSON.stringify(wiresOf(asked.publications))
  );
}

/** The instant, however it is written. */
function timeIn({ scheduledTime }: { scheduledTime?: string }): number | undefined {
  return scheduledTime === undefined ? undefined : Date.parse(scheduledTime);
}
