import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { ApiAttentionItem } from "../api/types";
import { AttentionItems } from "./attention";

test("a post whose account was disconnected since is named in a full sentence", () => {
  const post = (id: number, content: string, status: string, error?: string) => ({
    ...{ id, overallStatus: "FAILED", scheduledTime: "2027-01-01T12:00:00Z" },
    publications: [
      {
        ...{ id, socialMediaAccountId: 7, platformSettings: { type: "TWITTER" }, status },
        posts: [{ id, content, status, error }],
      },
    ],
  });
  const items = [post(1, "Ring", "UNKNOWN"), post(2, "Rang", "FAILED", "It was refused.")].map((item) => ({
    ...{ kind: "POST_FAILED", time: "2027-01-01T12:01:00.000000", isUnread: true },
    post: item,
  })) as ApiAttentionItem[]; // only the fields that are shown
  const list = createElement(AttentionItems, { items, accounts: [], networks: [] });
  const page = renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, list));
  const titles = [...page.matchAll(/<p class="[^"]*font-medium">(.*?)<\/p>/g)].map(([, html]) =>
    html?.replace(/<[^>]*>/g, ""),
  );
  expect(titles).toEqual(["The outcome of “Ring” is unknown", "“Rang” failed"]);
});
