import { expect, test } from "vitest";
import type { Slot } from "@/lib/time/weekly";
import type { ApiSchedule, ApiScheduleStatus } from "../api/types";
import { zoneMovesOf } from "./zone-change";

const NOW = Date.parse("2027-03-22T06:00:00Z"); // a Monday; in Berlin the clocks go forward on the following Sunday
const slots: Slot[] = [
  { weekday: "MONDAY", time: "09:00" },
  { weekday: "SUNDAY", time: "02:30" },
];

let made = 0;
const post = (scheduledTime: string | undefined, overallStatus: ApiScheduleStatus = "SCHEDULED"): ApiSchedule => ({
  id: ++made,
  overallStatus,
  scheduledTime,
  publications: [],
});

function told(schedules: ApiSchedule[], [from, to]: [string, string]) {
  const { moves, past } = zoneMovesOf(schedules, slots, { from, to, nowMs: NOW });
  return {
    moves: moves.map(({ schedule, to }) => `${schedule.scheduledTime} ${to.toISOString()}`),
    past: past.map(({ scheduledTime }) => scheduledTime),
  };
}

test("keeps the time of day across a clock change, to the second", () => {
  const before = post("2027-03-22T08:00:20Z"); // 09:00 in winter
  const after = post("2027-03-29T07:00:00.500Z"); // 09:00 in summer
  expect(told([after, before], ["Europe/Berlin", "America/New_York"])).toEqual({
    moves: ["2027-03-22T08:00:20Z 2027-03-22T13:00:20.000Z", "2027-03-29T07:00:00.500Z 2027-03-29T13:00:00.500Z"],
    past: [],
  });
});

test("finds slots that the old zone skips, and moves past times that the new zone skips", () => {
  const skippedThere = post("2027-03-28T01:00:00Z"); // Sunday 03:00 in Berlin, where there is no 02:30
  expect(told([skippedThere], ["Europe/Berlin", "Asia/Tokyo"]).moves).toEqual([
    "2027-03-28T01:00:00Z 2027-03-27T17:30:00.000Z",
  ]);
  const atHalfPast = post("2027-03-27T17:30:00Z");
  expect(told([atHalfPast], ["Asia/Tokyo", "Europe/Berlin"]).moves).toEqual([
    "2027-03-27T17:30:00Z 2027-03-28T01:00:00.000Z",
  ]);
});

test("separates posts whose new time has passed", () => {
  const soon = post("2027-03-22T08:00:00Z");
  expect(told([soon], ["Europe/Berlin", "Asia/Tokyo"])).toEqual({ moves: [], past: ["2027-03-22T08:00:00Z"] });
});

test.each([
  ["at another time", post("2027-03-22T08:01:00Z")],
  ["on another day", post("2027-03-23T08:00:00Z")],
  ["a draft", post("2027-03-22T08:00:00Z", "DRAFT")],
  ["begun", post("2027-03-22T08:00:00Z", "IN_PROGRESS")],
  ["without a time", post(undefined)],
  ["over", post("2027-03-15T08:00:00Z")],
])("%s: left alone", (_, schedule) => {
  expect(told([schedule], ["Europe/Berlin", "America/New_York"])).toEqual({ moves: [], past: [] });
});

test("nothing to ask if both zones show the same time", () => {
  expect(told([post("2027-03-22T08:00:00Z")], ["Europe/Berlin", "Europe/Paris"])).toEqual({ moves: [], past: [] });
});
