/** How posts stand, wherever they are shown. */
import type { PublicationStatus, ScheduleStatus } from "../api/types";

export const states: { [state in ScheduleStatus | PublicationStatus | "LATE"]: string } = {
  DRAFT: "Draft",
  AWAITING_MEDIA: "Fetching media",
  SCHEDULED: "Scheduled",
  /** Its time is over, and nothing has begun. */
  LATE: "Late",
  MEDIA_IMPORT_FAILED: "Media failed",
  IN_PROGRESS: "Publishing",
  COMPLETED: "Published",
  PARTIALLY_COMPLETED: "Partly published",
  FAILED: "Failed",
  /** Of one account's part of a post. */
  PENDING: "Waiting",
  PUBLISHED: "Published",
  UNKNOWN: "Outcome unknown",
};

/** Read aloud when a post on the page has come to its end. */
export const announced = (state: string, text: string) => `${state}: ${text}`;
/** Stands there for a post without a text. */
export const aPost = "post";
