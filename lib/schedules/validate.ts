import { databaseNow } from "../db";
import type { Problem } from "../errors";
import { shapeProblems } from "../http/schema-problems";
import { checkTime, examine, examineBy } from "./check/check-input";
import { type Facts, factsOf } from "./check/facts";
import { checkPublication } from "./check/publication";
import { FlatSchedule, isFlat, mixedBody, NewPublication, NewSchedule } from "./input";

/** Both shapes have these two fields. */
const Timing = NewSchedule.pick({ scheduledTime: true, isDraft: true }).strip();

/** Every problem that creating a schedule from this body would meet; stores nothing. */
export async function validateSchedule(ownerId: string, body: object): Promise<Problem[]> {
  const flat = isFlat(body);
  if (flat === undefined) return [mixedBody];
  return flat ? flatProblems(ownerId, body) : nestedProblems(ownerId, body);
}

async function flatProblems(ownerId: string, body: object): Promise<Problem[]> {
  const parsed = FlatSchedule.safeParse(body);
  if (!parsed.success) return [...shapeProblems(parsed.error.issues, body), ...(await timingProblems(body))];
  return (await examine(ownerId, parsed.data)).problems;
}

async function nestedProblems(ownerId: string, body: object): Promise<Problem[]> {
  const { publications, isDraft } = soundIn(body);
  return problemsBy(await factsOf(ownerId, publications, { isDraft }), body);
}

/** The publications of a nested body that have the right shape, whatever the rest has: what facts are needed of. */
export function soundIn(body: object): { publications: NewSchedule["publications"]; isDraft: boolean } {
  const timing = Timing.safeParse(body);
  const publications = soundOnes(body).map(({ publication }) => publication);
  return { publications, isDraft: timing.success && timing.data.isDraft };
}

function soundOnes(body: object) {
  const given: unknown = "publications" in body ? body.publications : undefined;
  return (Array.isArray(given) ? given.slice(0, 100) : []).flatMap((publication, index) => {
    const shaped = NewPublication.safeParse(publication);
    return shaped.success ? [{ index, publication: shaped.data }] : [];
  });
}

/** Every problem of a nested body by facts that are known; where its shape is wrong, what has the right one is still checked. */
export function problemsBy(facts: Facts, body: object): Problem[] {
  const parsed = NewSchedule.safeParse(body);
  if (parsed.success) return examineBy(facts, parsed.data).problems;
  const problems = shapeProblems(parsed.error.issues, body);
  const timing = Timing.safeParse(body);
  const isDraft = timing.success && timing.data.isDraft;
  if (timing.success) problems.push(...timeProblems(timing.data, facts.now));
  for (const { index, publication } of soundOnes(body)) {
    checkPublication(publication, `publications[${index}]`, isDraft, facts, problems);
  }
  return problems;
}

/** What is wrong with the time of a body that is wrong elsewhere; where the time itself has no right shape, that is said already. */
async function timingProblems(body: object): Promise<Problem[]> {
  const timing = Timing.safeParse(body);
  return timing.success ? timeProblems(timing.data, await databaseNow()) : [];
}

function timeProblems(timing: Parameters<typeof checkTime>[0], now: Date): Problem[] {
  const checked = checkTime(timing, now);
  return "problem" in checked ? [checked.problem] : [];
}
