import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ApiSchedule } from "../api/types";
import { PostRow, textStart } from "./post-row";

test.each([
  ["a short text", "The bells ring", "The bells ring"],
  ["only the first line", "The bells\nring at noon", "The bells"],
  ["whole words and an ellipsis", "The bells of St Mary ring", "The bells of St…"],
  ["no punctuation before the ellipsis", "The bells of Birch. They ring", "The bells of Birch…"],
  ["whole emojis", `a${"🔔".repeat(20)}`, `a${"🔔".repeat(9)}…`],
  ["a mark that belongs to the words", "Do the bells ring? Yes, at noon", "Do the bells ring?…"],
  ["a part of a word that is longer than the limit", "Donaudampfschifffahrtsgesellschaft", "Donaudampfschifffahr…"],
])("the start of a text is %s", (_, text, start) => {
  expect(textStart(text, 20)).toBe(start);
});

test.each([
  ["DRAFT", "Not scheduled yet"],
  ["SCHEDULED", "in 2 days"],
])("the row of a post with a time that is %s says “%s” below its state", (overallStatus, reason) => {
  const schedule = {
    ...{ id: 1, overallStatus, scheduledTime: "2027-01-03T12:00:00Z" },
    publications: [
      { id: 1, socialMediaAccountId: 7, platformSettings: { type: "TWITTER" }, status: "PENDING", posts: [] },
    ],
  } as unknown as ApiSchedule; // only the fields that are shown
  const row = createElement(PostRow, {
    schedule,
    accounts: [],
    networks: [],
    nowMs: Date.parse("2027-01-01T12:00:00Z"),
  });
  const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, row));
  expect(/title="([^"]*)"/.exec(page)?.[1]).toBe(reason);
});
