import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Feeds } from "./feeds";

test.each([
  ["before the page was opened", "2027-01-01T11:50:00.000000", "Last read 10 minutes ago"],
  ["since the page was opened", "2027-01-01T12:10:00.000000", "Last read now"],
])("a feed that was read %s is said to be in the past", (_, lastReadTime, words) => {
  const feed = {
    ...{ id: 1, url: "https://example.com/feed.xml", posts: 2, state: "ACTIVE" as const, lastReadTime },
    ...{ template: { isDraft: true, publications: [] }, createdTime: lastReadTime },
  };
  const list = createElement(Feeds, { initial: [feed], networks: [], nowMs: Date.parse("2027-01-01T12:00:00Z") });
  const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, list));
  expect(/Last read [^<]*/.exec(page)?.[0]).toBe(words);
});
