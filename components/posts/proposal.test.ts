import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allNetworks } from "@/lib/networks";
import type { Network } from "@/lib/networks/network";
import { presentSchedule } from "@/lib/schedules";
import type { ApiAccount, ApiSchedule } from "../api/types";
import { networkFacts } from "../networks/facts";
import { ProposedContent } from "./proposal";

const DISTINCT = ["\tPerhaps  <b>bold</b> & more\n\nlast line ", ["one", "two"], [{ name: "deep", at: 0.5 }], false, 7];

/** A value of another kind for each setting that the network has, and for one that it may have later. */
function everySetting({ settings, settingsTypes }: Network): { type: string; [name: string]: unknown } {
  const { properties = {} } = z.toJSONSchema(settings, { unrepresentable: "any" });
  const names = [...Object.keys(properties), "ofTheFuture"];
  const values = names.map((name, index) => {
    const value = DISTINCT[index % DISTINCT.length];
    return [name, typeof value === "string" ? `${name}${value}` : value] as const;
  });
  return { ...Object.fromEntries(values), type: settingsTypes[0] };
}

/** A proposal as the API answers it. */
function proposed(network: Network): ApiSchedule {
  const post = (id: number, attachmentPaths: string[]) => ({
    id,
    content: `Text ${id} <a href="https://evil.example/${id}">harmless</a>`,
    attachmentPaths,
    chatId: `chat-${id}`,
    thumbnailPath: `1/cover-${id}.jpg`,
    status: "PENDING" as const,
  });
  const publication = (id: number, posts: ReturnType<typeof post>[]) => {
    return { id, accountId: id + 40, settings: everySetting(network), status: "PENDING" as const, posts };
  };
  const paths = ["a", "b", "c", "d", "e", "f"].map((name) => `1/${name}.jpg`);
  const fileTexts: { [path: string]: [filename: string, altText: string] } = {};
  for (const path of [...paths, "1/cover-1.jpg", "1/cover-2.jpg", "1/cover-3.jpg"])
    fileTexts[path] = [`name of ${path}`, `alt text of ${path}`];
  const shown = presentSchedule({
    id: 1,
    status: "DRAFT",
    scheduledTime: "2090-01-01 12:00:07+00",
    pendingImports: [],
    proposedAt: "2089-01-01 12:00:00+00",
    proposedBy: "An agent",
    publications: [
      publication(1, [post(1, paths), post(2, [])]),
      publication(2, [post(3, ["https://far.example/g.jpg"])]),
    ],
    fileTexts,
  });
  return shown as ApiSchedule;
}

const account = (id: number, { platform }: Network): ApiAccount => ({
  id,
  platform,
  accountId: "1",
  accountUsername: `bells${id}`,
  accountDisplayName: `The Bells ${id}`,
  state: "ACTIVE",
  stateTime: "",
  createdTime: "",
  updatedTime: "",
});

/** The text of the list as a person reads it. */
function textOf(network: Network, schedule: ApiSchedule): string {
  const accounts = [account(41, network), account(42, network)];
  const chats = [{ id: "chat-2", title: "The tower", type: "channel", platform: network.platform }];
  const props = { schedule, accounts, networks: networkFacts(), chats, files: new Map() };
  const entities: { [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };
  return renderToStaticMarkup(createElement(ProposedContent, props))
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(#?\w+);/g, (_, name: string) => entities[name] ?? "");
}

/** The names and the values in a part of an answer. */
function partsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) => (Array.isArray(value) ? [] : [name]).concat(partsOf(inner)));
}

describe.each(allNetworks().map((network) => [network.name, network] as const))("the list for %s", (_, network) => {
  const schedule = proposed(network);
  const text = textOf(network, schedule);

  test("has every setting under its name in the API, with its whole value", () => {
    for (const { platformSettings } of schedule.publications) {
      expect(Object.keys(platformSettings).length).toBeGreaterThan(1);
      for (const part of partsOf(platformSettings)) expect(text).toContain(part);
    }
  });

  test("has the time, each account, and each post with its own destination, whole text, files and cover", () => {
    expect(text).toContain(String(schedule.scheduledTime));
    for (const { socialMediaAccountId, posts } of schedule.publications) {
      expect(text).toContain(`@bells${socialMediaAccountId} ${network.name}`);
      for (const { content, chatId, attachmentPaths = [], thumbnail } of posts)
        for (const part of [content, chatId, thumbnail, ...attachmentPaths]) expect(text).toContain(part);
    }
    expect(text).toContain("The tower (chat-2)");
  });

  test("has the name and the alt text of every file that the digest covers", () => {
    const files = schedule.proposal?.files ?? [];
    expect(files).toHaveLength(9);
    for (const { filename, altText } of files) {
      expect(text).toContain(filename);
      expect(text).toContain(`Alt text: ${altText}`);
    }
  });
});

test("without a time, the list says that the post goes out when it is approved", () => {
  const [network] = allNetworks();
  if (!network) throw new Error("there are no networks");
  expect(textOf(network, { ...proposed(network), scheduledTime: undefined })).toContain("As soon as you approve it");
});
