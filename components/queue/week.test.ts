import { expect, test } from "vitest";
import type { Slot } from "@/lib/time/weekly";
import { readySet, withoutSlot, withTime, workdays } from "./week";

const monday: Slot = { weekday: "MONDAY", time: "09:30" };
const friday: Slot = { weekday: "FRIDAY", time: "17:00" };

test("one time on several days stands where the week has it, and each once", () => {
  const added = withTime([monday, friday], ["SUNDAY", "MONDAY", "FRIDAY"], "09:30");
  expect(added.map(({ weekday, time }) => `${weekday} ${time}`)).toEqual([
    "MONDAY 09:30",
    "FRIDAY 09:30",
    "FRIDAY 17:00",
    "SUNDAY 09:30",
  ]);
});

test("what is there already is not added once more", () => {
  expect(withTime([monday], ["MONDAY"], "09:30")).toEqual([monday]);
});

test("a slot is taken away, and the same time on another day stays", () => {
  const other: Slot = { ...monday, weekday: "SUNDAY" };
  expect(withoutSlot([monday, friday, other], monday)).toEqual([friday, other]);
});

test("the ready set is every weekday in the morning and in the evening", () => {
  expect(readySet).toHaveLength(10);
  expect(withTime(withTime([], workdays, "17:00"), workdays, "09:00")).toEqual(readySet);
});
