import { describe, expect, test } from "vitest";
import { bodyResolver } from "../api/body-resolver";
import { type ApiRepeatedDate, closeWords, notesOn, offsetWords, whenWords } from "./dates";
import { type RepeatDraft, repeatBodyForm, repeatDraftFor, repeatInputFor } from "./repeat-input";

const draft = repeatDraftFor({ scheduledTime: "2031-03-30T22:30:00Z" }, "Europe/Berlin", 0);

describe("the form", () => {
  test("starts with the post's day and time in its zone", () => {
    expect(draft).toMatchObject({ every: "WEEK", weekdays: ["MONDAY"], dayOfMonth: 31, time: "00:30" });
    expect(repeatDraftFor({}, "UTC", Date.parse("2031-05-04T10:00:00Z"))).toMatchObject({
      weekdays: ["SUNDAY"],
      time: "09:00",
    });
  });

  test.each<[changed: Partial<RepeatDraft>, says: { [field in keyof RepeatDraft]?: string }]>([
    [{}, {}],
    [{ weekdays: [] }, { weekdays: "Choose at least one day" }],
    [{ every: "MONTH", dayOfMonth: 32 }, { dayOfMonth: "Enter a day of the month, from 1 to 31." }],
    [{ every: "MONTH", dayOfMonth: Number.NaN }, { dayOfMonth: "Enter a day of the month, from 1 to 31." }],
    [{ time: "" }, { time: "Enter a time" }],
    [{ count: 101 }, { count: "Enter a number of times, from 1 to 100." }],
    [{ ends: "until" }, { until: "Enter the last day." }],
    [{ ends: "until", until: "2031-05-01", count: 101 }, {}],
    [
      { timeZone: "Mars/Olympus", time: "" },
      { time: "Enter a time", timeZone: expect.stringMatching(/^timeZone /) },
    ],
  ])("%j is missing %j", async (changed, says) => {
    const options = { fields: {}, shouldUseNativeValidation: false };
    const { errors } = await bodyResolver(repeatBodyForm)({ ...draft, ...changed }, undefined, options);
    const told = Object.entries(errors).map(([field, error]) => [field, "message" in error ? error.message : error]);
    expect(Object.fromEntries(told)).toEqual(says);
  });

  test("sends only what is chosen", () => {
    const base = { time: "00:30", timeZone: "Europe/Berlin", leaveOut: [] };
    expect(repeatInputFor(draft, [])).toEqual({ ...base, every: "WEEK", weekdays: ["MONDAY"], count: 4 });
    expect(repeatInputFor({ ...draft, every: "MONTH", ends: "until", until: "2031-09-01" }, ["2031-05-31"])).toEqual({
      ...{ ...base, leaveOut: ["2031-05-31"] },
      ...{ every: "MONTH", dayOfMonth: 31, until: "2031-09-01" },
    });
    expect(repeatInputFor({ ...draft, every: "DAY" }, [])).toEqual({ ...base, every: "DAY", count: 4 });
  });
});

describe("a date", () => {
  const on = (localTime: string, more: Partial<ApiRepeatedDate> = {}): ApiRepeatedDate => ({
    ...{ date: localTime.slice(0, 10), scheduledTime: "", localTime, outcome: "ready", nearDuplicates: [], ...more },
  });
  const winter = on("2031-03-29T02:30:00+01:00");
  const nearDuplicate = { socialMediaAccountId: 1, scheduledTime: "" };

  test("is shown in its time zone", () => {
    expect(whenWords(winter)).toMatch(/29.*02:30$/);
    expect([offsetWords(winter), offsetWords(on("2031-01-01T09:00:00-03:30"))]).toEqual(["UTC+01:00", "UTC−03:30"]);
  });

  test.each([
    ["nothing", winter, undefined, []],
    ["the same offset", on("2031-03-28T02:30:00+01:00"), winter, []],
    [
      "another offset",
      on("2031-04-01T02:30:00+02:00"),
      winter,
      [/^Clocks have changed .* still 02:30 there, UTC\+02:00/],
    ],
    ["a skipped time", on("2031-03-30T03:00:00+02:00", { clock: "SKIPPED" }), winter, [/^The clocks skip 02:30/]],
    ["a repeated time", on("2031-10-26T02:30:00+02:00", { clock: "TWICE" }), undefined, [/02:30 twice/]],
    ["a month's end", on("2031-04-30T02:30:00+02:00", { isMonthEnd: true }), undefined, [/its last/]],
    [
      "another post",
      on("2031-03-29T02:30:00+01:00", { nearDuplicates: [{ ...nearDuplicate, id: 7 }] }),
      undefined,
      [/^Another post/],
    ],
    [
      "nothing about the other dates of the repetition",
      on("2031-03-29T02:30:00+01:00", { nearDuplicates: [nearDuplicate] }),
      undefined,
      [],
    ],
  ])("has a note: %s", (_, date, before, says) => {
    expect(notesOn(date, before, "02:30")).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
  });

  test("within a day of others gets one note for all", () => {
    const close = on("2031-03-30T03:00:00+02:00", { nearDuplicates: [nearDuplicate] });
    const dates = [winter, close, close, on("", { nearDuplicates: [{ ...nearDuplicate, id: 7 }] })];
    expect(closeWords({ dates })).toBe(
      "2 of these dates are within a day of one another, with the same text on the same account.",
    );
    expect(closeWords({ dates: [winter] })).toBeUndefined();
  });
});
