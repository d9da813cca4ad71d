import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { networkOf } from "@/lib/networks";
import { NetworkTable, VersionNotices } from "./version-notices";

const { name, endsOn = "" } = networkOf("LINKEDIN").version;
const words = (element: Parameters<typeof renderToStaticMarkup>[0]) =>
  renderToStaticMarkup(element)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
const said = (day: string) => words(createElement(VersionNotices, { now: new Date(day) }));

test("warns staff 90 days before a version ends, with the date and what to do", () => {
  const until = (days: number) => new Date(Date.parse(endsOn) - days * 86_400_000).toISOString();
  const whatToDo = "Update Carillon to a release that uses a newer version of the API.";
  expect(said(until(91))).toBe("");
  expect(said(until(89))).toBe(`LinkedIn ends version ${name} of its API on ${endsOn} ${whatToDo}`);
  expect(said(until(0))).toBe(`LinkedIn ended version ${name} of its API on ${endsOn} ${whatToDo}`);
});

test("reports that the list of end dates is a year old", () => {
  expect(said("2099-01-01")).toMatch(
    /were last checked on \d{4}-\d\d-\d\d Update Carillon: newer end dates may have been announced/,
  );
});

test("always lists every network with its state, how long its posts wait, its version and its end date", () => {
  const closed = [{ platform: "PINTEREST" as const, untilTime: "2026-11-28T10:00:15.000Z" }];
  const waits = [{ platform: "LINKEDIN" as const, value: 340 }];
  const table = words(createElement(NetworkTable, { closed, waits }));
  expect(table).toContain(`LinkedIn Working 5 min ${name} 15 Sept 2027 Bluesky Working None`);
  expect(table).toMatch(/Pinterest Not answering\. Next try at 28 Nov 2026, 10:00:15 UTC None v5 Not announced/);
});
