import type { Problem } from "../../errors";
import { networkOf } from "../../networks";
import { parseInstant, withZulu } from "../../time/instant";
import type { FlatSchedule, NewSchedule } from "../input";
import { type Besides, type Facts, type FreshIds, factsOf } from "./facts";
import { check, type Publishable } from "./publication";

/** What no account has as its id. */
const NOBODYS = 0;

/** What a flat body calls the fields of the one publication and post that are made of it; other settings it cannot name. */
const flatNames = Object.entries({
  "publications[0].socialMediaAccountId": "accountId",
  "publications[0].platformSettings.publicationType": "publicationType",
  "publications[0].posts[0].content": "content",
  "publications[0].posts[0].attachmentPaths": "mediaPaths",
  "publications[0].posts[0].chatId": "chatId",
});

/** A flat body as the nested one: one publication with one post, of the account that it names where that was found. */
function nested(flat: FlatSchedule, accountId = NOBODYS): NewSchedule {
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

/** A problem that was found in the nested body, in the words of the flat one that it was made of. */
function inFlatWords(problem: Problem, { platform, accountId }: FlatSchedule): Problem {
  const [long, short] = flatNames.find(([name]) => problem.path.startsWith(name)) ?? ["", ""];
  const path = short + problem.path.slice(long.length);
  if (problem.rule !== "account.unknown") return { ...problem, path };
  return { ...problem, path, message: `is not one of this user's ${platform} accounts: ${accountId}` };
}

/** A time this long ago still means "now"; an older one is a mistake. */
const LATE_MINUTES = 5;

/** What can be stored; meaningless where there are problems. */
export type Examined = { problems: Problem[]; at: string | null; publishable: Publishable[]; ids: FreshIds };

/**
 * Everything that is wrong with a schedule of either right shape, in the words of that shape, the time first.
 * @throws AnsweredBefore; Conflict where the ticket's key came with another body
 */
export async function examine(
  ownerId: string,
  input: NewSchedule | FlatSchedule,
  besides?: Omit<Besides, "isDraft" | "named">,
): Promise<Examined> {
  const { isDraft } = input;
  if ("publications" in input) {
    return examineBy(await factsOf(ownerId, input.publications, { ...besides, isDraft }), input);
  }
  const facts = await factsOf(ownerId, nested(input).publications, { ...besides, isDraft, named: input });
  const { problems, ...examined } = examineBy(facts, nested(input, facts.named));
  return { ...examined, problems: problems.map((problem) => inFlatWords(problem, input)) };
}

/** The same by facts that are known; pure. */
export function examineBy(facts: Facts, input: NewSchedule): Examined {
  const { problems, publishable } = check(input, facts);
  const time = checkTime(input, facts.now);
  return "problem" in time
    ? { problems: [time.problem, ...problems], at: null, publishable, ids: facts.ids }
    : { problems, at: time.at, publishable, ids: facts.ids };
}

type Timing = Pick<NewSchedule, "scheduledTime" | "isDraft">;

export function checkTime({ scheduledTime, isDraft }: Timing, now: Date): { at: string | null } | { problem: Problem } {
  const path = "scheduledTime";
  if (scheduledTime === null || scheduledTime === undefined) {
    return isDraft ? { at: null } : { problem: { path, message: "cannot be null", rule: "required" } };
  }
  const at = parseInstant(scheduledTime);
  if (!at) {
    const message = `is not an ISO 8601 date and time that exists: ${scheduledTime}`;
    return { problem: { path, message, rule: "time.invalid", fix: "Write it like 2030-01-31T09:00:00Z" } };
  }
  if (!isDraft && now.getTime() - at.getTime() > LATE_MINUTES * 60_000) {
    const message = `is in the past: ${at.toISOString()} (it is ${now.toISOString()} now)`;
    const fix = "Choose a time to come, or publish now";
    const change = { op: "replace", value: withZulu(now.toISOString()) } as const;
    return { problem: { path, message, rule: "time.past", measured: at.toISOString(), fix, change } };
  }
  return { at: at.toISOString() };
}
