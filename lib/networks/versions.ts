import { type Network, VERSIONS_AS_OF } from "./network";

/** A `failure` keeps a network from working now; a `warning` is about the future. */
export type VersionProblem = { severity: "failure" | "warning"; problem: string; fix: string };

/** How long before a version's end we warn. */
const SOON_DAYS = 90;
/** Networks announce an end at least a year ahead, so the list of ends is reliable for a year. */
const LIST_DAYS = 365;
const DAY_MS = 86_400_000;

/** Warns 90 days before a version ends, and reports a failure from that day on. */
export function versionProblems({ name, version }: Pick<Network, "name" | "version">, now: Date): VersionProblem[] {
  if (!version.endsOn) return [];
  const days = (Date.parse(version.endsOn) - now.getTime()) / DAY_MS;
  if (days >= SOON_DAYS) return [];
  const hasEnded = days <= 0;
  const problem = `${name} ${hasEnded ? "ended" : "ends"} version ${version.name} of its API on ${version.endsOn}`;
  const fix = "Update Carillon to a release that uses a newer version of the API";
  return [{ severity: hasEnded ? "failure" : "warning", problem, fix }];
}

/** Warns if the list of version ends is too old to contain recent announcements. */
export function versionListProblems(now: Date): VersionProblem[] {
  if (now.getTime() - Date.parse(VERSIONS_AS_OF) < LIST_DAYS * DAY_MS) return [];
  const problem = `The end dates of the networks' API versions were last checked on ${VERSIONS_AS_OF}`;
  return [{ severity: "warning", problem, fix: "Update Carillon: newer end dates may have been announced" }];
}
