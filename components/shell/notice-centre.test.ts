import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ApiAttentionItem } from "../api/types";
import { NoticeCentre } from "./notice-centre";

/** Only the fields that count. */
const post = (isUnread: boolean) => ({ kind: "POST_FAILED", isUnread, post: {} }) as ApiAttentionItem;
const webhook = (isUnread: boolean) => ({ kind: "WEBHOOK_DISABLED", isUnread, webhook: {} }) as ApiAttentionItem;

function shownFor(items: ApiAttentionItem[], isMore: boolean) {
  const client = new QueryClient();
  client.setQueryData(["schedules", "attention"], { time: "2027-01-01T12:00:00.000000", isMore, items });
  const link = createElement(NoticeCentre, { path: "/", className: "", words: "" });
  const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, link)).replaceAll("<!-- -->", "");
  return { label: /aria-label="([^"]*)"/.exec(html)?.[1], count: /tabular-nums[^>]*>([^<]*)</.exec(html)?.[1] };
}

test.each([
  ["the number of unread notices", [post(true), webhook(true), post(false)], false, "2", "Notifications, 2 unread"],
  ["that older posts are unread too", [post(true), webhook(false)], true, "1+", "Notifications, at least 1 unread"],
  ["an exact number if the older posts are read", [post(true), post(false)], true, "1", "Notifications, 1 unread"],
  ["nothing if all are read", [post(false)], true, undefined, undefined],
])("the link to the notifications says %s", (_, items, isMore, count, label) => {
  expect(shownFor(items, isMore)).toEqual({ label, count });
});
