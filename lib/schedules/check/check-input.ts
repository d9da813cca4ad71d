import { capProblems, type Problem } from "../../errors";
import { instantProblem, parseInstant, withZulu } from "../../time/instant";
import type { FlatSchedule, NewSchedule } from "../input";
import { dayProblem } from "../quota";
import { type Facts, type FactsOptions, type FreshIds, readFacts } from "./facts";
import { chooseSettings, toFlatProblems, toNestedInput } from "./flat";
import { type CheckedPublication, checkPublications } from "./publication";

/** A time at most this long ago means "now"; an earlier one is rejected as a mistake. */
const LATE_MINUTES = 5;

/** Input that is ready to be stored; meaningless if there are errors among `problems`. */
export type CheckedInput = { problems: Problem[]; at: string | null; publishable: CheckedPublication[]; ids: FreshIds };

/**
 * Returns every problem of a schedule, with the paths of the shape that was sent, the problem with the time first.
 * @throws AlreadyAnswered; Conflict if the ticket's key was used with another body
 */
export async function checkInput(
  ownerId: string,
  input: NewSchedule | FlatSchedule,
  options?: Omit<FactsOptions, "isDraft" | "named">,
): Promise<CheckedInput> {
  const { isDraft } = input;
  if ("publications" in input) {
    return checkInputWithFacts(await readFacts(ownerId, input.publications, { ...options, isDraft }), input);
  }
  const facts = await readFacts(ownerId, toNestedInput(input).publications, { ...options, isDraft, named: input });
  const nested = toNestedInput(input, facts.named, await chooseSettings(input, facts));
  const { problems, ...checked } = await checkInputWithFacts(facts, nested);
  return { ...checked, problems: toFlatProblems(problems, input) };
}

/** The same with facts that were read before. It reads nothing itself. */
export async function checkInputWithFacts(facts: Facts, input: NewSchedule): Promise<CheckedInput> {
  const { problems: found, publishable } = await checkPublications(input, facts);
  const problems = capProblems(found);
  const time = checkTime(input, facts.now);
  const full = "at" in time && !input.isDraft ? fullDayProblem(time.at, input, facts) : [];
  return "problem" in time
    ? { problems: [time.problem, ...problems], at: null, publishable, ids: facts.ids }
    : { problems: [...full, ...problems], at: time.at, publishable, ids: facts.ids };
}

function fullDayProblem(at: string | null, { publications }: NewSchedule, { publicationsOfDay }: Facts): Problem[] {
  if (at === null || publicationsOfDay === null) return [];
  const problem = dayProblem({ at, wanted: publications.length }, publicationsOfDay);
  return problem ? [problem] : [];
}

type Timing = Pick<NewSchedule, "scheduledTime" | "isDraft">;

export function checkTime({ scheduledTime, isDraft }: Timing, now: Date): { at: string | null } | { problem: Problem } {
  const path = "scheduledTime";
  if (scheduledTime === null || scheduledTime === undefined) {
    return isDraft ? { at: null } : { problem: { path, message: "cannot be null", rule: "required" } };
  }
  const at = parseInstant(scheduledTime);
  if (!at) {
    const message = `${instantProblem(scheduledTime)}: ${scheduledTime}`;
    return { problem: { path, message, rule: "time.invalid", fix: "Write it like 2030-01-31T09:00:00Z" } };
  }
  if (!isDraft && now.getTime() - at.getTime() > LATE_MINUTES * 60_000) {
    const message = `is in the past: ${at.toISOString()} (it is ${now.toISOString()} now)`;
    const fix = "Choose a future time, or publish now";
    const change = { op: "replace", value: withZulu(now.toISOString()) } as const;
    return { problem: { path, message, rule: "time.past", measured: at.toISOString(), fix, change } };
  }
  return { at: at.toISOString() };
}
