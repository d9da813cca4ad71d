import type { PublicationStatus, ScheduleStatus } from "../db";

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

/** A schedule's status from its publications' (SPEC, "States"). `UNKNOWN` counts as not published. */
export function scheduleStatus(publications: readonly PublicationStatus[]): ScheduleStatus {
  if (publications.every((status) => status === "PENDING")) return "SCHEDULED";
  if (publications.some((status) => status === "PENDING" || status === "IN_PROGRESS")) return "IN_PROGRESS";
  const published = publications.filter((status) => status === "PUBLISHED").length;
  if (published === publications.length) return "COMPLETED";
  return published > 0 ? "PARTIALLY_COMPLETED" : "FAILED";
}
