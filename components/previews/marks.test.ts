import { describe, expect, test } from "vitest";
import type { Platform } from "@/lib/platforms";
import { stretchesOf, withStyles } from "./marks";

const marked = (platform: Platform, text: string) =>
  stretchesOf(platform, text).flatMap(({ text: shown, mark }) => (mark ? [`${mark} ${shown}`] : []));

const TEXT = "See https://www.example.com/bells/of/the/old/tower with @bells and #carillon";

test.each<[Platform, string[]]>([
  ["X_TWITTER", ["link example.com/bells/of/the/o…", "mention @bells", "tag #carillon"]],
  ["BLUE_SKY", ["link www.example.com/bells/of/the...", "tag #carillon"]],
  ["LINKEDIN", ["link https://www.example.com/bells/of/the/old/tower", "tag #carillon"]],
  ["INSTAGRAM", ["mention @bells", "tag #carillon"]],
  ["PINTEREST", ["tag #carillon"]],
  ["TELEGRAM", ["link https://www.example.com/bells/of/the/old/tower", "mention @bells", "tag #carillon"]],
])("how %s shows a link, a mention and a hashtag", (platform, found) => {
  expect(marked(platform, TEXT)).toEqual(found);
});

describe("not marked", () => {
  test.each<[string, Platform, string]>([
    ["an address of mail", "X_TWITTER", "write to ring@bells today"],
    ["a number", "INSTAGRAM", "we are #1"],
    ["a sign within a word", "FACEBOOK", "a#b"],
    ["a handle without a domain", "BLUE_SKY", "@bells"],
    ["a plain @ on LinkedIn", "LINKEDIN", "@bells"],
  ])("%s", (_, platform, text) => {
    expect(marked(platform, text)).toEqual([]);
  });
});

test("LinkedIn shows the name of a mention, and X a cashtag", () => {
  expect(marked("LINKEDIN", "with @[Old Tower](urn:li:organization:1) today")).toEqual(["mention Old Tower"]);
  expect(marked("X_TWITTER", "buy $BELL")).toEqual(["tag $BELL"]);
});

test("keeps the whole text where nothing is replaced", () => {
  const all = stretchesOf("TELEGRAM", TEXT).map(({ text }) => text);
  expect(all.join("")).toBe(TEXT);
});

test("cuts pieces where the formatting changes, also within a link", () => {
  const entities = [
    { type: "bold", offset: 0, length: 7 },
    { type: "italic", offset: 2, length: 2 },
  ];
  expect(withStyles(stretchesOf("TELEGRAM", "See a.com now"), entities)).toEqual([
    { text: "Se", styles: ["bold"] },
    { text: "e ", styles: ["bold", "italic"] },
    { text: "a.c", mark: "link", styles: ["bold"] },
    { text: "om", mark: "link" },
    { text: " now" },
  ]);
});
