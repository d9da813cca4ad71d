import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { ApiAttentionItem } from "../api/types";
import { AttentionItems, FirstAttention } from "./attention";

function failed(id: number, content: string, status: string, error?: string): ApiAttentionItem {
  return {
    ...{ kind: "POST_FAILED", time: "2027-01-01T12:01:00.000000", isUnread: true },
    post: {
      ...{ id, overallStatus: "FAILED", scheduledTime: "2027-01-01T12:00:00Z" },
      publications: [
        {
          ...{ id, socialMediaAccountId: 7, platformSettings: { type: "TWITTER" }, status },
          posts: [{ id, content, status, error }],
        },
      ],
    },
  } as unknown as ApiAttentionItem; // only the fields that are shown
}

function shownBy(list: ReactElement): string {
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, list));
}

function titlesIn(page: string) {
  return [...page.matchAll(/<p class="[^"]*font-medium[^"]*">(.*?)<\/p>/g)].map(([, html]) =>
    html?.replace(/<[^>]*>/g, ""),
  );
}

test("a post whose account was disconnected since is named in a full sentence", () => {
  const items = [failed(1, "Ring", "UNKNOWN"), failed(2, "Rang", "FAILED", "It was refused.")];
  const page = shownBy(createElement(AttentionItems, { items, accounts: [], networks: [] }));
  expect(titlesIn(page)).toEqual(["The outcome of “Ring” is unknown", "“Rang” failed"]);
});

describe("Home", () => {
  const account = { id: 7, platform: "X_TWITTER", accountUsername: "ada", state: "RECONNECT_REQUIRED" };
  const toReconnect = {
    ...{ kind: "ACCOUNT_TO_RECONNECT", time: "2027-01-01T11:00:00.000000", isUnread: true },
    account,
  } as ApiAttentionItem; // only the fields that are shown
  const home = (posts: number, isMore: boolean) => {
    const items = Array.from({ length: posts }, (_, at) => failed(at + 1, `Bell ${at + 1}`, "FAILED")).concat(
      toReconnect,
    );
    return shownBy(createElement(FirstAttention, { items, isMore, accounts: [], networks: [] }));
  };

  test("shows the accounts that need reconnecting first, five items, how many there are, and a link to all of them", () => {
    const page = home(50, true);
    const posts = [1, 2, 3, 4].map((number) => `“Bell ${number}” failed`);
    expect(titlesIn(page)).toEqual(["@ada on X_TWITTER needs reconnecting", ...posts]);
    expect(page).toContain(">51+</span>");
    expect(page).toContain('href="/notifications"');
  });

  test("needs no link if it shows everything", () => {
    const page = home(4, false);
    expect(titlesIn(page)).toHaveLength(5);
    expect(page).toContain(">5</span>");
    expect(page).not.toContain('href="/notifications"');
  });
});
