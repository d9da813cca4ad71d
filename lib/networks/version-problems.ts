import { type Network, VERSIONS_AS_OF } from "./network";

/** A `failure` keeps a network from working now; a `warning` will, or may. */
export type VersionProblem = { severity: "failure" | "warning"; problem: string; mend: string };

/** A network's version that ends this soon is warned of. */
const SOON_DAYS = 90;
/** Networks announce an end a year ahead or more: so long the list of ends can be relied on. */
const LIST_DAYS = 365;
const DAY_MS = 86_400_000;

/** Warned of 90 days ahead; from the day itself on, calls fail. */
export function versionProblems({ name, version }: Pick<Network, "name" | "version">, now: Date): VersionProblem[] {
  if (!version.endsOn) return [];
  const days = (Date.parse(version.endsOn) - now.getTime()) / DAY_MS;
  if (days >= SOON_DAYS) return [];
  const hasEnded = days <= 0;
  const problem = `${name} ${hasEnded ? "ended" : "ends"} version ${version.name} of its API on ${version.endsOn}`;
  const mend = "Update Carillon to a version that speaks a newer one";
  return [{ severity: hasEnded ? "failure" : "warning", problem, mend }];
}

/** An end that was announced after the list was made is not in it. */
export function versionListProblems(now: Date): VersionProblem[] {
  if (now.getTime() - Date.parse(VERSIONS_AS_OF) < LIST_DAYS * DAY_MS) return [];
  const problem = `The ends of the networks' API versions are known as of ${VERSIONS_AS_OF} only`;
  return [{ severity: "warning", problem, mend: "Update Carillon: others may have been announced since" }];
}
