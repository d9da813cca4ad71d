import { expect, test } from "vitest";
import type { Slot } from "@/lib/time/weekly";
import { readySet, timeName, weekSummary, withoutSlot, withTime, workdays } from "./week";

const monday: Slot = { weekday: "MONDAY", time: "09:30" };
const friday: Slot = { weekday: "FRIDAY", time: "17:00" };

test("adds a time to several days in week order, without duplicates", () => {
  const added = withTime([monday, friday], ["SUNDAY", "MONDAY", "FRIDAY"], "09:30");
  expect(added.map(({ weekday, time }) => `${weekday} ${time}`)).toEqual([
    "MONDAY 09:30",
    "FRIDAY 09:30",
    "FRIDAY 17:00",
    "SUNDAY 09:30",
  ]);
});

test("does not add an existing slot", () => {
  expect(withTime([monday], ["MONDAY"], "09:30")).toEqual([monday]);
});

test("removes a slot and keeps the same time on other days", () => {
  const other: Slot = { ...monday, weekday: "SUNDAY" };
  expect(withoutSlot([monday, friday, other], monday)).toEqual([friday, other]);
});

test("the ready set is every weekday in the morning and in the evening", () => {
  expect(readySet).toHaveLength(10);
  expect(withTime(withTime([], workdays, "17:00"), workdays, "09:00")).toEqual(readySet);
});

test.each<[string, Slot[]]>([
  [`Weekdays ${timeName("09:00")}, ${timeName("17:00")}`, readySet],
  [`Daily ${timeName("09:30")}`, withTime([], [...workdays, "SATURDAY", "SUNDAY"], "09:30")],
  [`Mon, Fri ${timeName("09:30")}`, withTime([], ["MONDAY", "FRIDAY"], "09:30")],
  ["2 times a week", [monday, friday]],
])("a week is summed up as %s", (words, slots) => {
  expect(weekSummary(slots)).toBe(words);
});
