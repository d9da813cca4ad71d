import type { Schedule } from "../api/types";
import { counted, stopped } from "../bulk/words";
import { textsOf } from "../posts/facts";
import { dayOf } from "../time/days";
import { dateAndTime } from "../time/format";

export type MergedPublication = {
  id: number;
  scheduleId: number;
  socialMediaAccountId: number;
  outcome: "kept" | "added" | "dropped" | "clashing";
  /** The publication that says the same there, or something else. */
  besideId?: number;
  differences?: ("platformSettings" | "content" | "attachmentPaths" | "chatId" | "thumbnail")[];
};

/** What `POST /v1/posts/merge` answers. */
export type Report = {
  id: number;
  publications: MergedPublication[];
  deleted: number[];
  /** Those of them on which reviewers said something. */
  feedback: number[];
  problems: { path: string; message: string; severity?: "warning" }[];
};

type Known = {
  group: Schedule[];
  /** `@alice on X`, by the account's id. */
  nameOf: (accountId: number) => string;
};

/** When a schedule goes out, in a few words. */
function whenOf({ scheduledTime }: Pick<Schedule, "scheduledTime">): string {
  return scheduledTime ? dateAndTime(new Date(scheduledTime)) : "No time yet";
}

/** The same for each of a group; those that would be alike are numbered. */
export function whensOf(group: Schedule[]): string[] {
  const whens = group.map(whenOf);
  return whens.map((when, index) => {
    if (whens.indexOf(when) === whens.lastIndexOf(when)) return when;
    return `${when} (${whens.slice(0, index + 1).filter((one) => one === when).length})`;
  });
}

/** The text by which a group is known. Its first post has one, or it would be none. */
export function nameOfGroup(group: Schedule[]): string {
  return group.flatMap(textsOf)[0] ?? "";
}

/** What would come of a merge, a sentence each. */
export function planWords({ publications, deleted }: Report, { nameOf }: Known): string[] {
  const namesOf = (outcome: MergedPublication["outcome"]) => [
    ...new Set(publications.filter((one) => one.outcome === outcome).map((one) => nameOf(one.socialMediaAccountId))),
  ];
  const [kept, added] = [namesOf("kept"), namesOf("added")];
  return [
    `${countedPosts(deleted.length)} removed.`,
    added.length > 0
      ? `The one that stays goes out on ${listed(kept)}, and now on ${listed(added)} too.`
      : `The one that stays goes out on ${listed(kept)}, as before.`,
  ];
}

const fieldWords: Record<NonNullable<MergedPublication["differences"]>[number], string | undefined> = {
  content: undefined, // in spaces and capitals only
  attachmentPaths: "other files",
  platformSettings: "other settings",
  chatId: "another destination",
  thumbnail: "another cover",
};

/** What somebody may not want to lose by it. */
export function lossWords(report: Report, { group, nameOf }: Known): string[] {
  const losses = report.publications.flatMap(({ scheduleId, socialMediaAccountId, outcome, differences = [] }) => {
    const fields = differences.flatMap((field) => fieldWords[field] ?? []);
    if (outcome !== "dropped" || fields.length === 0) return [];
    return [`${postOf(scheduleId, group)} has ${listed(fields)} on ${nameOf(socialMediaAccountId)}, which go with it.`];
  });
  const statusOf = (id: number) => group.find((one) => one.id === id)?.overallStatus;
  const isPlanned = report.deleted.some((id) => statusOf(id) !== "DRAFT");
  const goesNowhere = statusOf(report.id) === "DRAFT" && isPlanned;
  const commented = group.filter(({ id }) => report.feedback.includes(id));
  return [
    ...(goesNowhere
      ? ["The one that stays is a draft: nothing goes out until you schedule it."]
      : otherDaysWords(report, group)),
    ...new Set(losses),
    ...commented.map(({ id, changesRequested }) => {
      const on = `on ${postOf(id, group, "the")}`;
      return changesRequested
        ? `Changes are asked for in the feedback ${on}, which goes with it.`
        : `The feedback ${on} goes with it.`;
    }),
  ];
}

/** Of a post that is repeated on purpose, merging leaves one day. */
function otherDaysWords({ id, deleted }: Report, group: Schedule[]): string[] {
  const daysOf = (posts: Schedule[]) =>
    posts.flatMap(({ overallStatus, scheduledTime }) =>
      scheduledTime && overallStatus !== "DRAFT" ? dayOf(new Date(scheduledTime)) : [],
    );
  const left = daysOf(group.filter((one) => one.id === id));
  const gone = new Set(daysOf(group.filter((one) => deleted.includes(one.id))));
  const others = [...gone].filter((day) => !left.includes(day)).length;
  return others === 0 ? [] : [`It no longer goes out on ${counted(others, "other day")}.`];
}

/** What is in the way of it. */
export function obstacleWords({ publications, problems }: Report, { group, nameOf }: Known): string[] {
  const clashes = publications.flatMap(({ scheduleId, socialMediaAccountId, outcome, besideId }) => {
    const other = publications.find(({ id }) => id === besideId);
    if (outcome !== "clashing" || !other) return [];
    const both = `${postOf(other.scheduleId, group)} and ${postOf(scheduleId, group, "the")}`;
    return [`${both} say different things on ${nameOf(socialMediaAccountId)}. Take the tick from one of them.`];
  });
  const refusals = problems.filter(({ severity }) => severity !== "warning");
  return [...new Set([...clashes, ...refusals.map(problemWords)])];
}

/** A message that is no sentence of its own has its field as its subject. */
function problemWords({ path, message }: Report["problems"][number]): string {
  if (/^\p{Lu}/u.test(message)) return stopped(message);
  const subject =
    path === "scheduledTime"
      ? "The time of the one that stays"
      : path.endsWith("socialMediaAccountId")
        ? "An account"
        : "A part of it";
  return stopped(`${subject} ${message}`);
}

function postOf(id: number, group: Schedule[], article = "The"): string {
  const schedule = group.find((one) => one.id === id);
  return schedule?.scheduledTime ? `${article} post of ${whenOf(schedule)}` : `${article} draft without a time`;
}

/** `a`, `a and b`, `a, b and c` */
function listed(words: string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** `1 post is`, `2 posts are` */
export function countedPosts(count: number): string {
  return `${counted(count, "post")} ${count === 1 ? "is" : "are"}`;
}

/** The button that merges all groups at once, and the question that follows on it. */
export function mergeAllWords(ready: { wish: { ids: number[] } }[]): string {
  const posts = ready.flatMap(({ wish }) => wish.ids).length;
  return ready.length === 0 ? "Merge all ticked" : `Merge ${posts} posts into ${ready.length}`;
}

/** How many of the groups lose something by it. */
export function losingWords(losing: number, groups: number): string {
  if (losing === 0) return "Nothing else is lost.";
  if (losing === groups) return groups === 1 ? "Something is lost by it:" : "Something is lost in each group:";
  return losing === 1 ? "1 of the groups loses something:" : `${losing} of the groups lose something:`;
}

type Came = { error?: Error; isUnknown?: boolean };

/** What came of all merges, in one line. */
export function resultWords(outcomes: Came[]): string {
  const unknown = outcomes.filter(({ isUnknown }) => isUnknown).length;
  const failed = outcomes.filter(({ error }) => error).length - unknown;
  const done = outcomes.length - failed - unknown;
  const parts = [
    done > 0 && `${counted(done, "group")} merged`,
    failed > 0 && `${counted(failed, "group")} left as ${failed === 1 ? "it was" : "they were"}`,
    unknown > 0 && `${counted(unknown, "group")} nobody knows about`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** What came of one of them. @param posts how many were to be merged */
export function outcomeWords({ error, isUnknown }: Came, posts: number): string {
  if (isUnknown) return "Nobody knows whether it was merged. Look at it before you try again.";
  return error ? `Nothing was changed: ${error.message}` : `${posts} posts are one now.`;
}
