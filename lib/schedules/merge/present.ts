import { presentSchedule } from "../present";
import type { Merged } from "./merge";

/** What merging answers: what becomes of each publication and each schedule, and the one that stayed once it is done. */
export function presentMerge({ keep, parts, deleted, feedback, problems, schedule }: Merged) {
  return {
    dryRun: schedule === undefined,
    id: keep,
    publications: parts.map(({ scheduleId, publication, outcome, met }) => ({
      ...{ id: publication.id, scheduleId, socialMediaAccountId: publication.accountId, outcome },
      ...(met ? { besideId: met.of.publication.id, differences: met.differences.map(nameOf) } : {}),
    })),
    deleted,
    feedback,
    problems: problems.map(({ change: _, ...problem }) => problem),
    ...(schedule ? { schedule: presentSchedule(schedule) } : {}),
  };
}

/** A post's cover is answered as `thumbnail` (SPEC, "Posting schedule"). */
const nameOf = (field: string) => (field === "thumbnailPath" ? "thumbnail" : field);
