import type { z } from "zod";
import type { MergeReport } from "@/lib/api/shapes";
import type { ApiSchedule } from "../api/types";
import { stopped } from "../bulk/summary";
import { textsOf } from "../posts/facts";
import { dayOf } from "../time/days";
import { dateAndTime } from "../time/format";
import { duplicateWords } from "./words";

/** The response of `POST /v1/posts/merge`. */
export type ApiMergeReport = z.output<typeof MergeReport>;
export type MergedPublication = ApiMergeReport["publications"][number];

type Known = {
  group: ApiSchedule[];
  /** Returns `@alice on X` for an account's ID. */
  nameOf: (accountId: number) => string;
};

/** Returns a schedule's time. */
function whenOf({ scheduledTime }: Pick<ApiSchedule, "scheduledTime">): string {
  return scheduledTime ? dateAndTime(new Date(scheduledTime)) : duplicateWords.noTime;
}

/** The times of a group's schedules; equal ones are numbered. */
export function whensOf(group: ApiSchedule[]): string[] {
  const whens = group.map(whenOf);
  return whens.map((when, index) => {
    if (whens.indexOf(when) === whens.lastIndexOf(when)) return when;
    return `${when} (${whens.slice(0, index + 1).filter((one) => one === when).length})`;
  });
}

/** The text that names a group. Its first post always has one. */
export function nameOfGroup(group: ApiSchedule[]): string {
  return group.flatMap(textsOf)[0] ?? "";
}

/** Describes the result of a merge, one sentence each. */
export function planWords({ publications, deleted }: ApiMergeReport, { nameOf }: Known): string[] {
  const namesOf = (outcome: MergedPublication["outcome"]) => [
    ...new Set(publications.filter((one) => one.outcome === outcome).map((one) => nameOf(one.socialMediaAccountId))),
  ];
  const [kept, added] = [namesOf("kept"), namesOf("added")];
  return [
    duplicateWords.removed(deleted.length),
    added.length > 0
      ? duplicateWords.goesOutToo(duplicateWords.listed(kept), duplicateWords.listed(added))
      : duplicateWords.goesOutOn(duplicateWords.listed(kept)),
  ];
}

/** Describes what would be lost, one sentence each. */
export function lossWords(report: ApiMergeReport, { group, nameOf }: Known): string[] {
  const losses = report.publications.flatMap(({ scheduleId, socialMediaAccountId, outcome, differences = [] }) => {
    // Texts in a group differ only in spaces and capitals.
    const others = differences.flatMap((field) => (field === "content" ? [] : duplicateWords.others[field]));
    if (outcome !== "dropped" || others.length === 0) return [];
    return [
      duplicateWords.othersLost(
        postFirst(scheduleId, group),
        duplicateWords.listed(others),
        nameOf(socialMediaAccountId),
      ),
    ];
  });
  const statusOf = (id: number) => group.find((one) => one.id === id)?.overallStatus;
  const isPlanned = report.deleted.some((id) => statusOf(id) !== "DRAFT");
  const goesNowhere = statusOf(report.id) === "DRAFT" && isPlanned;
  const commented = group.filter(({ id }) => report.feedback.includes(id));
  return [
    ...(goesNowhere ? [duplicateWords.goesNowhere] : otherDaysWords(report, group)),
    ...new Set(losses),
    ...commented.map(({ id, changesRequested }) =>
      changesRequested ? duplicateWords.changesLost(post(id, group)) : duplicateWords.feedbackLost(post(id, group)),
    ),
  ];
}

/** If a post is repeated on purpose, merging keeps only one day. */
function otherDaysWords({ id, deleted }: ApiMergeReport, group: ApiSchedule[]): string[] {
  const daysOf = (posts: ApiSchedule[]) =>
    posts.flatMap(({ overallStatus, scheduledTime }) =>
      scheduledTime && overallStatus !== "DRAFT" ? dayOf(new Date(scheduledTime)) : [],
    );
  const left = daysOf(group.filter((one) => one.id === id));
  const gone = new Set(daysOf(group.filter((one) => deleted.includes(one.id))));
  const others = [...gone].filter((day) => !left.includes(day)).length;
  return others === 0 ? [] : [duplicateWords.otherDays(others)];
}

/** Describes the problems of a merge. */
export function mergeProblemWords({ publications, problems }: ApiMergeReport, { group, nameOf }: Known): string[] {
  const clashes = publications.flatMap(({ scheduleId, socialMediaAccountId, outcome, besideId }) => {
    const other = publications.find(({ id }) => id === besideId);
    if (outcome !== "clashing" || !other) return [];
    const account = nameOf(socialMediaAccountId);
    return [duplicateWords.clash(postFirst(other.scheduleId, group), post(scheduleId, group), account)];
  });
  const refusals = problems.filter(({ severity }) => severity !== "warning");
  return [...new Set([...clashes, ...refusals.map(problemWords)])];
}

/** A message that is not a sentence gets its field as the subject. */
function problemWords({ path, message }: ApiMergeReport["problems"][number]): string {
  if (/^\p{Lu}/u.test(message)) return stopped(message);
  if (path === "scheduledTime") return stopped(duplicateWords.timeIs(message));
  return stopped(
    path.endsWith("socialMediaAccountId") ? duplicateWords.accountIs(message) : duplicateWords.partIs(message),
  );
}

/** A post's name inside a sentence. */
function post(id: number, group: ApiSchedule[]): string {
  const when = plannedFor(id, group);
  return when ? duplicateWords.post(when) : duplicateWords.draft;
}

/** A post's name at the beginning of a sentence. */
function postFirst(id: number, group: ApiSchedule[]): string {
  const when = plannedFor(id, group);
  return when ? duplicateWords.postFirst(when) : duplicateWords.draftFirst;
}

function plannedFor(id: number, group: ApiSchedule[]): string | undefined {
  const schedule = group.find((one) => one.id === id);
  return schedule?.scheduledTime && whenOf(schedule);
}

/** The label of the button that merges all groups. */
export function mergeAllWords(ready: { input: { ids: number[] } }[]): string {
  const posts = ready.flatMap(({ input }) => input.ids).length;
  return ready.length === 0 ? duplicateWords.mergeTicked : duplicateWords.mergeAll(posts, ready.length);
}

type Came = { error?: Error; isUnknown?: boolean };

/** Summarises all merges in one line. */
export function mergeSummary(outcomes: Came[]): string {
  const unknown = outcomes.filter(({ isUnknown }) => isUnknown).length;
  const failed = outcomes.filter(({ error }) => error).length - unknown;
  const done = outcomes.length - failed - unknown;
  const parts = [
    done > 0 && duplicateWords.merged(done),
    failed > 0 && duplicateWords.leftAlone(failed),
    unknown > 0 && duplicateWords.unknown(unknown),
  ];
  return parts.filter(Boolean).join(", ");
}

/** Describes the result of one merge. @param posts how many were to be merged */
export function outcomeWords({ error, isUnknown }: Came, posts: number): string {
  if (isUnknown) return duplicateWords.nobodyKnows;
  return error ? duplicateWords.notMerged(error.message) : duplicateWords.areOne(posts);
}
