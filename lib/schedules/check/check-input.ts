import { capProblems, type Problem } from "../../errors";
import { networkOf } from "../../networks";
import { parseInstant, withZulu } from "../../time/instant";
import type { FlatSchedule, NewSchedule } from "../input";
import { dayProblem } from "../quota";
import { type Facts, type FactsOptions, type FreshIds, readFacts } from "./facts";
import { type CheckedPublication, checkPublications } from "./publication";

/** An id that no account has. */
const NO_ACCOUNT = 0;

/** The paths of the nested body that exist in a flat body, with the flat names. */
const flatPaths = Object.entries({
  "publications[0].socialMediaAccountId": "accountId",
  "publications[0].platformSettings.publicationType": "publicationType",
  "publications[0].posts[0].content": "content",
  "publications[0].posts[0].attachmentPaths": "mediaPaths",
  "publications[0].posts[0].chatId": "chatId",
});

/** Converts a flat body to the nested shape: one publication with one post, for the account if it was found. */
function toNestedInput(flat: FlatSchedule, accountId = NO_ACCOUNT): NewSchedule {
  const { platform, publicationType, scheduledTime, isDraft, content, mediaPaths, chatId } = flat;
  const type = networkOf(platform).settingsTypes[0];
  return {
    scheduledTime,
    isDraft,
    publications: [
      {
        socialMediaAccountId: accountId,
        platformSettings: { type, ...(publicationType === undefined ? {} : { publicationType }) },
        posts: [{ content, attachmentPaths: mediaPaths, chatId }],
      },
    ],
  };
}

/** Translates a problem of the nested body to the paths of the flat body it was converted from. */
function toFlatProblem(problem: Problem, { platform, accountId }: FlatSchedule): Problem {
  const [long, short] = flatPaths.find(([name]) => problem.path.startsWith(name)) ?? ["", ""];
  const path = short + problem.path.slice(long.length);
  if (problem.rule !== "account.unknown") return { ...problem, path };
  return { ...problem, path, message: `is not one of this user's ${platform} accounts: ${accountId}` };
}

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
  const { problems, ...checked } = await checkInputWithFacts(facts, toNestedInput(input, facts.named));
  return { ...checked, problems: problems.map((problem) => toFlatProblem(problem, input)) };
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
    const message = `is not a valid ISO 8601 date and time: ${scheduledTime}`;
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
