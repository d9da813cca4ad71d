import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { dayAndTime } from "../time/format";
import { NextDays, rowDay, Today } from "./today";

describe("the day of a post in a list can be read in only one way", () => {
  test.each([
    ["2027-03-10", "Wed 10"],
    ["2027-03-04", "Thu 4"],
    ["2027-03-16", "Tue 16"],
    ["2027-03-03", "3 Mar"], // a week ago
    ["2027-03-17", "17 Mar"],
    ["2026-12-31", "31 Dec 2026"],
    ["2028-03-10", "10 Mar 2028"],
  ])("%s, on 10 March 2027", (day, words) => {
    expect(rowDay(day, "2027-03-10")).toBe(words);
  });

  test("a time in another year has its year", () => {
    const now = new Date(2027, 2, 10, 12).getTime();
    expect(dayAndTime(new Date(2027, 4, 10, 9), now)).toMatch(/^Mon,? 10 May, 0?9:00/);
    expect(dayAndTime(new Date(2028, 4, 10, 9), now)).toMatch(/^10 May 2028, 0?9:00/);
  });
});

test.each([
  [undefined, "Hello, Grace"],
  [4, "Good evening, Grace"],
  [5, "Good morning, Grace"],
  [12, "Good afternoon, Grace"],
  [18, "Good evening, Grace"],
])("the page's HTML greets a reader whose clock shows the hour %s with “%s”", (hour, greeting) => {
  const hero = createElement(Today, { name: "Grace", hour, posts: undefined, nowMs: 0 });
  const page = renderToStaticMarkup(hero);
  expect(/<h1[^>]*>([^<]*)</.exec(page)?.[1]).toBe(greeting);
});

test("a day whose posts are not counted yet is not called empty", () => {
  const days = createElement(NextDays, { today: "2027-03-10" });
  const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, days));
  expect(page).toMatch(/>Wednesday,? 10 March<\/span>/);
  expect(page).not.toContain("No posts");
  expect(page).not.toContain("<rect");
});
