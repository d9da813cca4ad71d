import type { PublicationStatus, ScheduleStatus } from "../../db";

/**
 * A publication's status from its posts': published when all are, else as bad as the worst that is decided. A post whose
 * outcome nobody can tell outweighs a failed one: it may be live.
 */
export function publicationStatus(posts: readonly PublicationStatus[]): PublicationStatus {
  if (posts.every((status) => status === "PUBLISHED")) return "PUBLISHED";
  if (posts.includes("UNKNOWN")) return "UNKNOWN";
  if (posts.includes("FAILED")) return "FAILED";
  return posts.every((status) => status === "PENDING") ? "PENDING" : "IN_PROGRESS";
}

/** A publication as its schedule sees it; in part live where some of its posts are out (a thread that ended half-way). */
export type Part = { status: PublicationStatus; isLiveInPart: boolean };

/**
 * A schedule's status from its publications' (SPEC, "States"). `UNKNOWN` counts as not published. `FAILED` says that
 * nothing is out, so half a thread makes it `PARTIALLY_COMPLETED`.
 */
export function scheduleStatus(publications: readonly Part[]): ScheduleStatus {
  const statuses = publications.map(({ status }) => status);
  if (statuses.every((status) => status === "PENDING")) return "SCHEDULED";
  if (statuses.some((status) => status === "PENDING" || status === "IN_PROGRESS")) return "IN_PROGRESS";
  if (statuses.every((status) => status === "PUBLISHED")) return "COMPLETED";
  return publications.some(({ status, isLiveInPart }) => status === "PUBLISHED" || isLiveInPart)
    ? "PARTIALLY_COMPLETED"
    : "FAILED";
}
