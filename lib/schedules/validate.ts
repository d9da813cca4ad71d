import { databaseNow } from "../db";
import { capProblems, type Problem } from "../errors";
import { schemaProblems } from "../http/schema-problems";
import { parseInstant } from "../time/instant";
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
  return (await checkInput(ownerId, parsed.data, { plannedFor: plannedFor(body) })).problems;
}

async function nestedProblems(ownerId: string, body: object): Promise<Problem[]> {
  const { publications, isDraft } = readablePublications(body);
  const options = { isDraft, plannedFor: plannedFor(body) };
  return problemsWithFacts(await readFacts(ownerId, publications, options), body);
}

/** Returns the time of a body that would be published, if it is an instant. */
function plannedFor(body: object): string | undefined {
  const { success, data } = Timing.safeParse(body);
  if (!success || data.isDraft || !data.scheduledTime) return undefined;
  return parseInstant(data.scheduledTime)?.toISOString();
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
export async function problemsWithFacts(facts: Facts, body: object): Promise<Problem[]> {
  const parsed = NewSchedule.safeParse(body);
  if (parsed.success) return (await checkInputWithFacts(facts, parsed.data)).problems;
  const problems = schemaProblems(parsed.error.issues, body);
  const timing = Timing.safeParse(body);
  const isDraft = timing.success && timing.data.isDraft;
  if (timing.success) problems.push(...timeProblems(timing.data, facts.now));
  for (const { index, publication } of readableEntries(body)) {
    await checkPublication(publication, `publications[${index}]`, isDraft, facts, problems);
  }
  return capProblems(problems);
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
