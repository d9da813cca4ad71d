import { expect, test } from "vitest";
import { groupByText, type ScheduleTexts } from "./duplicates";

const HOUR = 3_600_000;
const said = (id: number, hours: number | undefined, ...texts: string[]): ScheduleTexts => ({
  ...{ id, texts },
  at: hours === undefined ? undefined : hours * HOUR,
});

test.each<[what: string, all: ScheduleTexts[], withinHours: number | undefined, groups: number[][]]>([
  ["nothing", [], undefined, []],
  ["a text that no other schedule has", [said(1, 0, "a"), said(2, 0, "b"), said(3, 0)], undefined, []],
  ["the same text, however far apart", [said(1, 0, "a"), said(2, 9000, "a"), said(3, 9001, "b")], undefined, [[1, 2]]],
  ["the same text twice in one schedule", [said(1, 0, "a", "a")], undefined, []],
  ["one text of several", [said(1, 0, "short", "long"), said(2, 1, "long", "other")], undefined, [[1, 2]]],
  ["by way of another", [said(1, 0, "a"), said(2, 1, "b"), said(3, 2, "b", "a")], undefined, [[1, 2, 3]]],
  [
    "two groups, in order",
    [said(4, 0, "b"), said(3, 1, "a"), said(2, 2, "b"), said(1, 3, "a")],
    undefined,
    [
      [4, 2],
      [3, 1],
    ],
  ],
  ["just near enough", [said(1, 0, "a"), said(2, 24, "a")], 24, [[1, 2]]],
  ["too far apart", [said(1, 0, "a"), said(2, 25, "a")], 24, []],
  [
    "each near the next",
    [said(1, 0, "a"), said(2, 20, "a"), said(3, 40, "a"), said(4, 80, "a"), said(5, 81, "a")],
    24,
    [
      [1, 2, 3],
      [4, 5],
    ],
  ],
  // The schedule that has a text in common with both is days away, so it does not connect them.
  ["near, but with nothing in common", [said(1, 0, "a"), said(2, 1, "b"), said(3, 90, "a", "b")], 24, []],
  [
    "drafts without a time, next to the earliest",
    [said(1, 0, "a"), said(2, 90, "a"), said(3, undefined, "a")],
    24,
    [[1, 3]],
  ],
  ["drafts without a time alone", [said(1, undefined, "a"), said(2, undefined, "a")], 24, [[1, 2]]],
])("%s", (_, all, withinHours, groups) => {
  expect(groupByText(all, withinHours === undefined ? undefined : withinHours * HOUR)).toEqual(groups);
});
