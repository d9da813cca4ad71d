import { describe, expect, test } from "vitest";
import { versionListProblems, versionProblems } from "./network";

describe("end of a version", () => {
  const said = (day: string) =>
    versionProblems({ name: "Net", version: { name: "v1", endsOn: "2027-06-30" } }, new Date(day)).map(
      ({ severity, problem }) => [severity, problem],
    );
  const ends = "Net ends version v1 of its API on 2027-06-30";
  const ended = "Net ended version v1 of its API on 2027-06-30";

  test.each([
    ["90 days before", "2027-04-01T00:00:00Z", []],
    ["a second less than 90 days before", "2027-04-01T00:00:01Z", [["warning", ends]]],
    ["a second before it", "2027-06-29T23:59:59Z", [["warning", ends]]],
    ["on the day", "2027-06-30T00:00:00Z", [["failure", ended]]],
    ["a year after", "2028-06-30T00:00:00Z", [["failure", ended]]],
  ])("%s", (_, day, problems) => {
    expect(said(day)).toEqual(problems);
  });

  test("a version without an announced end has no problem", () => {
    expect(versionProblems({ name: "Net", version: { name: "v1" } }, new Date("2099-01-01"))).toEqual([]);
  });
});

test("a list of version ends older than a year causes a warning", () => {
  expect(versionListProblems(new Date("2027-11-19T23:59:59Z"))).toEqual([]);
  expect(versionListProblems(new Date("2027-11-20T00:00:00Z"))).toEqual([
    {
      severity: "warning",
      problem: "The end dates of the networks' API versions were last checked on 2026-11-20",
      fix: "Update Carillon: newer end dates may have been announced",
    },
  ]);
});
