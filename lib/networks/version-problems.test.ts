import { describe, expect, test } from "vitest";
import { versionListProblems, versionProblems } from "./version-problems";

describe("a version's end", () => {
  const said = (day: string) =>
    versionProblems({ name: "Net", version: { name: "v1", endsOn: "2027-06-30" } }, new Date(day)).map(
      ({ severity, problem }) => [severity, problem],
    );
  const ends = "Net ends version v1 of its API on 2027-06-30";
  const ended = "Net ended version v1 of its API on 2027-06-30";

  test.each([
    ["ninety days before it", "2027-04-01T00:00:00Z", []],
    ["a second less than that", "2027-04-01T00:00:01Z", [["warning", ends]]],
    ["a second before it", "2027-06-29T23:59:59Z", [["warning", ends]]],
    ["on the day", "2027-06-30T00:00:00Z", [["failure", ended]]],
    ["a year after", "2028-06-30T00:00:00Z", [["failure", ended]]],
  ])("%s", (_, day, problems) => {
    expect(said(day)).toEqual(problems);
  });

  test("that nobody announced is no problem", () => {
    expect(versionProblems({ name: "Net", version: { name: "v1" } }, new Date("2099-01-01"))).toEqual([]);
  });
});

test("the list is said to be old when it is a year old, as ends may have been announced since", () => {
  expect(versionListProblems(new Date("2027-11-19T23:59:59Z"))).toEqual([]);
  expect(versionListProblems(new Date("2027-11-20T00:00:00Z"))).toEqual([
    {
      severity: "warning",
      problem: "The ends of the networks' API versions are known as of 2026-11-20 only",
      mend: "Update Carillon: others may have been announced since",
    },
  ]);
});
