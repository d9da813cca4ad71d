import { describe, expect, test } from "vitest";
import type { ApiSchedule } from "../api/types";
import { keep, keptOf, mergeInputFor, nothing, tick } from "./choice";
import {
  type ApiMergeReport,
  lossWords,
  type MergedPublication,
  mergeAllWords,
  mergeProblemWords,
  mergeSummary,
  planWords,
  whensOf,
} from "./summary";
import { duplicateWords } from "./words";

const schedule = (id: number, rest: Partial<ApiSchedule> = {}): ApiSchedule => ({
  ...{ id, overallStatus: "SCHEDULED", scheduledTime: `2031-05-0${id}T12:00:00Z`, publications: [], ...rest },
});
const draft = schedule(3, { overallStatus: "DRAFT", scheduledTime: undefined });
const group = [schedule(1, { overallStatus: "DRAFT" }), schedule(2), draft];

describe("the ticked schedules", () => {
  test("are merged in the shown order, if there are at least two", () => {
    expect(mergeInputFor(tick(nothing, [3], true), group)).toBeUndefined();
    expect(mergeInputFor(tick(tick(nothing, [3], true), [1], true), group)).toEqual({ ids: [1, 3], keep: 1 });
    expect(mergeInputFor(tick(tick(nothing, [1, 2, 3], true), [1, 2], false), group)).toBeUndefined();
  });

  test("are merged into the first that is not a draft or the chosen one, per group", () => {
    const all = tick(nothing, [1, 2, 3, 8, 9], true);
    expect(keptOf(all, group)).toBe(2);
    const others = [schedule(8), schedule(9)];
    const said = keep(keep(keep(all, 9, others), 1, group), 3, group);
    expect([keptOf(said, group), keptOf(said, others)]).toEqual([3, 9]);
    expect(keptOf(tick(said, [3], false), group)).toBe(2);
    expect(mergeInputFor(keep(tick(nothing, [1], true), 3, group), group)).toEqual({ ids: [1, 3], keep: 3 });
  });
});

test("numbers posts with equal names", () => {
  const [dated = ""] = whensOf([schedule(2)]);
  expect(whensOf([draft, schedule(2), { ...draft, id: 4 }])).toEqual(["No time yet (1)", dated, "No time yet (2)"]);
});

describe("the preview of a merge", () => {
  const part = (id: number, outcome: MergedPublication["outcome"], rest: Partial<MergedPublication> = {}) => ({
    ...{ id: id * 10, scheduleId: id, socialMediaAccountId: id, outcome, ...rest },
  });
  const report = (...publications: MergedPublication[]): ApiMergeReport => ({
    ...{ dryRun: true, id: 2, publications, deleted: [1, 3], feedback: [], problems: [] },
  });
  const known = { group, nameOf: (id: number) => `@${id}` };

  test("lists added accounts once", () => {
    expect(planWords(report(part(2, "kept")), known)).toEqual([
      "2 posts are removed.",
      "The one that stays goes out on @2, as before.",
    ]);
    const some = report(part(2, "kept"), part(1, "added"), part(3, "added"), part(3, "added"));
    expect(planWords({ ...some, deleted: [1] }, known)).toEqual([
      "1 post is removed.",
      "The one that stays goes out on @2, and now on @1 and @3 too.",
    ]);
  });

  test("lists losses, but not differences in spaces or capitals", () => {
    const lost = part(1, "dropped", { differences: ["content", "attachmentPaths", "platformSettings", "chatId"] });
    const alike = part(3, "dropped", { differences: ["content"] });
    expect(lossWords(report(part(2, "kept"), lost, alike), known)).toEqual([
      expect.stringMatching(
        /^The post of .*2031.* has other files, other settings and another destination on @1, which go with it\.$/,
      ),
    ]);
  });

  test("mentions lost feedback, not feedback that stays", () => {
    const asked = group.map((one) => ({ ...one, changesRequested: true as const }));
    const some = { ...report(part(2, "kept")), deleted: [3], feedback: [3] };
    expect(lossWords(some, { ...known, group: asked })).toEqual([
      "Changes are asked for in the feedback on the draft without a time, which goes with it.",
    ]);
    expect(lossWords(some, known)).toEqual(["The feedback on the draft without a time goes with it."]);
  });

  test("mentions lost days once, and no drafts", () => {
    const at = (id: number, scheduledTime: string, rest: Partial<ApiSchedule> = {}) =>
      schedule(id, { scheduledTime, ...rest });
    const series = [
      at(1, "2031-05-01T12:00:00"),
      at(2, "2031-05-08T12:00:00"),
      at(3, "2031-05-08T13:00:00"),
      at(4, "2031-05-15T12:00:00"),
      at(5, "2031-05-01T14:00:00"),
      at(6, "2031-05-22T12:00:00", { overallStatus: "DRAFT" }),
    ];
    const into = { ...report(part(1, "kept")), id: 1 };
    const losses = (deleted: number[]) => lossWords({ ...into, deleted }, { ...known, group: series });
    expect(losses([2, 3, 4, 5, 6])).toEqual(["It no longer goes out on 2 other days."]);
    expect(losses([2])).toEqual(["It no longer goes out on 1 other day."]);
    expect(losses([5, 6])).toEqual([]);
  });

  test("warns if only a draft stays where a planned post is removed", () => {
    const into = { ...report(part(3, "kept")), id: 3 };
    const says = ["The one that stays is a draft: nothing goes out until you schedule it."];
    expect(lossWords({ ...into, deleted: [1, 2] }, known)).toEqual(says);
    expect(lossWords({ ...into, deleted: [1] }, known)).toEqual([]);
    expect(lossWords(report(part(2, "kept")), known)).toEqual([]);
  });

  test("is blocked by different texts on one account and by network problems, not by warnings", () => {
    const clash = part(3, "clashing", { besideId: 20, differences: ["content"] });
    const problems: ApiMergeReport["problems"] = [
      { path: "publications[1].posts[0].content", rule: "text.length", message: "X takes at most 280" },
      { path: "scheduledTime", rule: "time.past", message: "is in the past" },
      {
        path: "publications[1].socialMediaAccountId",
        message: "is not one of this user's accounts: 4",
        rule: "account.unknown",
      },
      {
        path: "publications[1].posts[0].attachmentPaths[0]",
        rule: "media.converted",
        message: "It is converted",
        severity: "warning",
      },
    ];
    expect(mergeProblemWords({ ...report(part(2, "kept"), clash), problems }, known)).toEqual([
      expect.stringMatching(/^The post of .*2031.* and the draft without a time say different things on @3\. Untick/),
      "X takes at most 280.",
      "The time of the one that stays is in the past.",
      "An account is not one of this user's accounts: 4.",
    ]);
  });

  test("several groups are summarised in the button and in the question", () => {
    const ready = [{ input: { ids: [1, 2, 3] } }, { input: { ids: [8, 9] } }];
    expect([mergeAllWords(ready), mergeAllWords([])]).toEqual(["Merge 5 posts into 2", "Merge all ticked"]);
    expect([0, 1, 2, 3].map((count) => duplicateWords.losing(count, 3))).toEqual([
      "Nothing else is lost.",
      "1 of the groups loses something:",
      "2 of the groups lose something:",
      "Something is lost in each group:",
    ]);
  });

  test("is summarised in one line when it is done", () => {
    expect(mergeSummary([{}, {}])).toBe("2 groups merged");
    expect(mergeSummary([{}, { error: new Error() }])).toBe("1 group merged, 1 group left as it was");
    expect(mergeSummary([{ error: new Error() }])).toBe("1 group left as it was");
    expect(mergeSummary([{}, { error: new Error() }, { error: new Error(), isUnknown: true }])).toBe(
      "1 group merged, 1 group left as it was, 1 group with an unknown outcome",
    );
  });
});
