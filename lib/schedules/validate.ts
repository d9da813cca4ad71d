import { databaseNow } from "../db";
import type { Problem } from "../errors";
import { schemaProblems } from "../http/schema-problems";
import { checkInput, checkInputWithFacts, checkTime } from "./check/check-input";
import { type Facts, readFacts } from "./check/facts";
import { checkPublication } from "./check/publication";
import { FlatSchedule, isFlat, mixedBodyProblem, NewPublication, NewSchedule } from "./input";

/** The two fields that both shapes have. */
const Timing = NewSchedule.pick({ scheduledTime: true, isDraft: true }).strip();

/** Returns every problem that creating a schedule from this body would have. Stores nothing. */
export async function validateSchedule(ownerId: string, body: object): Promise<Problem[]> {
  const flat = isFlat(body);
  if (flat === undefined) return [mixedBodyProblem];
  return flat ? flatProblems(ownerId, body) : nestedProblems(ownerId, body);
}

async function flatProblems(ownerId: string, body: object): Promise<Problem[]> {
  const parsed = FlatSchedule.safeParse(body);
  if (!parsed.success) return [...schemaProblems(parsed.error.issues, body), ...(await timingProblems(body))];
  return (await checkInput(ownerId, parsed.data)).problems;
}

async function nestedProblems(ownerId: string, body: object): Promise<Problem[]> {
  const { publications, isDraft } = readablePublications(body);
  return problemsWithFacts(await readFacts(ownerId, publications, { isDraft }), body);
}

/** Returns the publications of a nested body that have the right shape, even if the rest of the body does not. */
export function readablePublications(body: object): { publications: NewSchedule["publications"]; isDraft: boolean } {
  const timing = Timing.safeParse(body);
  const publications = readableEntries(body).map(({ publication }) => publication);
  return { publications, isDraft: timing.success && timing.data.isDraft };
}

function readableEntries(body: object) {
  const given: unknown = "publications" in body ? body.publications : undefined;
  return (Array.isArray(given) ? given.slice(0, 100) : []).flatMap((publication, index) => {
    const shaped = NewPublication.safeParse(publication);
    return shaped.success ? [{ index, publication: shaped.data }] : [];
  });
}

/** Returns every problem of a nested body, given the facts. If parts have the wrong shape, the other parts are still checked. */
export function problemsWithFacts(facts: Facts, body: object): Problem[] {
  const parsed = NewSchedule.safeParse(body);
  if (parsed.success) return checkInputWithFacts(facts, parsed.data).problems;
  const problems = schemaProblems(parsed.error.issues, body);
  const timing = Timing.safeParse(body);
  const isDraft = timing.success && timing.data.isDraft;
  if (timing.success) problems.push(...timeProblems(timing.data, facts.now));
  for (const { index, publication } of readableEntries(body)) {
    checkPublication(publication, `publications[${index}]`, isDraft, facts, problems);
  }
  return problems;
}

/** Returns the problems with the time of a body whose shape is wrong elsewhere. */
async function timingProblems(body: object): Promise<Problem[]> {
  const timing = Timing.safeParse(body);
  return timing.success ? timeProblems(timing.data, await databaseNow()) : [];
}

function timeProblems(timing: Parameters<typeof checkTime>[0], now: Date): Problem[] {
  const checked = checkTime(timing, now);
  return "problem" in checked ? [checked.problem] : [];
}
