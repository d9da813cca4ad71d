import { databaseNow } from "../db";
import { BadRequest, type Problem } from "../errors";
import { shapeProblems } from "../shape";
import { checkPublication } from "./check";
import { checkTime, examine } from "./examine";
import { factsOf } from "./facts";
import { nested } from "./flat";
import { FlatSchedule, isFlat, mixedBody, NewPublication, NewSchedule } from "./new-schedule";

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
  try {
    return (await examine(ownerId, await nested(ownerId, parsed.data))).problems;
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return [...timeProblems(parsed.data, await databaseNow()), ...error.details];
  }
}

/** Where the shape is wrong, what has the right one is still checked for everything else. */
async function nestedProblems(ownerId: string, body: object): Promise<Problem[]> {
  const parsed = NewSchedule.safeParse(body);
  if (parsed.success) return (await examine(ownerId, parsed.data)).problems;
  const problems = shapeProblems(parsed.error.issues, body);
  const timing = Timing.safeParse(body);
  const given: unknown = "publications" in body ? body.publications : undefined;
  const sound = (Array.isArray(given) ? given.slice(0, 100) : []).flatMap((publication, index) => {
    const shaped = NewPublication.safeParse(publication);
    return shaped.success ? [{ index, publication: shaped.data }] : [];
  });
  const isDraft = timing.success && timing.data.isDraft;
  const publications = sound.map(({ publication }) => publication);
  const facts = await factsOf(ownerId, publications, { isDraft });
  if (timing.success) problems.push(...timeProblems(timing.data, facts.now));
  for (const { index, publication } of sound) {
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
