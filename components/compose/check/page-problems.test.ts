import { describe, expect, test } from "vitest";
import type { Draft } from "../draft/draft";
import { account, draftFor, file, targetsFor } from "../testing/page";
import type { Upload } from "../uploads/use-uploads";
import { pageProblems } from "./page-problems";

const NOW = Date.parse("2031-05-01T12:00:00Z");
const x = account(1, "X_TWITTER");
const telegram = account(2, "TELEGRAM");
const tiktok = account(3, "TIKTOK");

function texts(draft: Draft, accounts = [x], files: Upload[] = [], chats = {}): string[] {
  return pageProblems(draft, targetsFor(draft, accounts, files, chats), files, NOW).map(({ text }) => text);
}

test("a text for an account has no problems", () => {
  expect(texts(draftFor([x], ["Ding"]))).toEqual([]);
});

test("an empty page asks for an account and a text, and leads to both", () => {
  const found = pageProblems(draftFor([], [""]), [], [], NOW);
  expect(found.map(({ text, fixes }) => [text, fixes.map(({ label }) => label)])).toEqual([
    ["Choose at least one account.", ["Choose accounts"]],
    ["Write something or add a picture.", ["Write"]],
  ]);
});

test("a folder that is still being read counts as an unfinished upload", () => {
  const draft = draftFor([x], ["Ding"]);
  expect(pageProblems(draft, targetsFor(draft, [x]), [], NOW, true).map(({ text }) => text)).toEqual([
    "Files are still being uploaded.",
  ]);
});

test("a picture alone or one account's own text is enough", () => {
  expect(texts(draftFor([x], [""]), [x], [file("a.jpg")])).toEqual([]);
  expect(texts(draftFor([x], [""], { own: { a1: [{ id: "p1", text: "Mine" }] } }))).toEqual([]);
});

describe("a file", () => {
  const underway: Upload = { id: "1", name: "a.jpg", kind: "image", share: 0.4 };
  test.each<[string, Upload, string]>([
    ["is still being uploaded", underway, "Files are still being uploaded."],
    ["could not be uploaded", { ...underway, error: "Broken" }, "A file did not upload. Try it again or remove it."],
  ])("%s", (_, upload, says) => {
    expect(texts(draftFor([x], ["Ding"]), [x], [upload])).toEqual([says]);
  });
});

describe("the time", () => {
  const later = (at: string) => draftFor([x], ["Ding"], { when: "later", at });
  test.each([
    ["is not picked", "", ["Pick a date and a time."]],
    ["has passed", "2031-04-30T10:00", ["The time you picked has passed."]],
    ["is in the future", "2031-05-03T10:00", []],
  ])("%s", (_, at, says) => {
    expect(texts(later(at))).toEqual(says);
  });

  test("reports a missing slot until one is found", () => {
    const next = (slot: string) => draftFor([x], ["Ding"], { when: "next", slot, at: "2031-04-30T10:00" });
    expect(texts(next(""))).toEqual(["There is no free time to take."]);
    expect(texts(next("2031-05-03T10:00:00Z"))).toEqual([]);
  });

  test("a past time offers to post now", () => {
    const [past] = pageProblems(later("2031-04-30T10:00"), targetsFor(later(""), [x]), [], NOW);
    const [now] = past?.fixes ?? [];
    expect(now && "change" in now && now.change(later("2031-04-30T10:00")).when).toBe("now");
  });
});

test("reports options that the network has not returned yet, or does not offer", () => {
  expect(texts(draftFor([telegram], ["Ding"]), [telegram])).toEqual([
    "Looking up where this Telegram account can post.",
  ]);
  expect(texts(draftFor([telegram], ["Ding"]), [telegram], [], { 2: [] })).toEqual([
    "This Telegram account has nowhere to post yet. Add a place under Accounts.",
  ]);
  expect(texts(draftFor([tiktok], ["Ding"]), [tiktok])).toEqual(["Asking TikTok what this account may choose."]);
});
