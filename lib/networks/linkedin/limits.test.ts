import { describe, expect, test } from "vitest";
import { formatProblems } from "../../schedules/check/publication";
import { allNetworks } from "..";
import { MB } from "../limits";
import { linkedin } from ".";
import { settings } from "./settings";

type Known = NonNullable<Parameters<typeof formatProblems>[3][number]>;

const photo = (facts: Partial<Known> = {}): Known => ({
  contentType: "image/jpeg",
  sizeBytes: 100_000,
  width: 1000,
  height: 1000,
  durationSeconds: null,
  details: {},
  ...facts,
});
const clip = (facts: Partial<Known> = {}) => photo({ contentType: "video/mp4", durationSeconds: 10, ...facts });
const problems = (content: string, media: Known[], given: object = {}, cover?: Known) => {
  const post = { content, attachmentPaths: media.map((_, index) => `key ${index}`) };
  return formatProblems(linkedin, settings.parse(given), post, media, cover);
};
const rules = (...given: Parameters<typeof problems>) => problems(...given).map(({ at, rule }) => [at, rule]);
const first = (rule: string) => [["attachmentPaths[0]", rule]];

describe("a PDF", () => {
  const document = (pages = 300) =>
    photo({ contentType: "application/pdf", width: null, height: null, details: { pages } });

  test("may have 300 pages, and is posted alone", () => {
    expect(rules("", [document()])).toEqual([]);
    expect(rules("", [document(301)])).toEqual(first("document.pages"));
    expect(rules("", [photo(), document()])).toEqual([["attachmentPaths[1]", "document.unsupported"]]);
  });

  test.each(allNetworks().filter(({ platform }) => platform !== "LINKEDIN"))("is refused by $name", (network) => {
    const given = { title: "A", privacyLevel: "SELF_ONLY" };
    const asked = Object.entries(given).filter(
      ([name]) => network.flatBody?.firstLine?.setting === name || network.flatBody?.choice?.setting === name,
    );
    const parsed = network.settings.parse(Object.fromEntries(asked));
    const found = formatProblems(network, parsed, { content: "Ding", attachmentPaths: ["a"] }, [document()]);
    expect(found).toMatchObject([
      { rule: "format.unsupported", message: `${network.name} does not take a document here` },
    ]);
  });
});

describe("limits of text, images and videos", () => {
  test.each<[when: string, content: string, media: Known[], found: string[][]]>([
    ["2,999 characters", "x".repeat(2999), [], []],
    ["3,000 characters that all need escaping", "(".repeat(3000), [], []],
    ["3,001 characters", "x".repeat(3001), [], [["content", "text.length"]]],
    ["an emoji counts as two", "🔔".repeat(1501), [], [["content", "text.length"]]],
    ["no text", " ", [], [["content", "text.required"]]],
    ["an image without text", "", [photo()], []],
    ["a GIF of 250 frames", "", [photo({ contentType: "image/gif", details: { frames: 250 } })], []],
    ["251 frames", "", [photo({ contentType: "image/gif", details: { frames: 251 } })], first("image.frames")],
    ["a WebP", "", [photo({ contentType: "image/webp" })], first("image.converted")],
    ["6000 x 6000", "", [photo({ width: 6000, height: 6000 })], []],
    ["36,152,319 pixels", "", [photo({ width: 36_152_319, height: 1 })], []],
    ["36,152,320 pixels", "", [photo({ width: 36_152_320, height: 1 })], first("image.converted")],
    [
      "an animation of 36,152,320 pixels",
      "",
      [photo({ contentType: "image/gif", width: 36_152_320, height: 1, details: { frames: 2 } })],
      first("image.pixels"),
    ],
    ["two images", "", [photo(), photo()], []],
    ["20 images", "", Array(20).fill(photo()), []],
    ["21 images", "", Array(21).fill(photo()), [["attachmentPaths", "media.count"]]],
    ["an image and a video", "", [photo(), clip()], [["attachmentPaths[1]", "video.unsupported"]]],
    ["a video of 3 seconds", "", [clip({ durationSeconds: 3 })], []],
    ["2.9 seconds", "", [clip({ durationSeconds: 2.9 })], first("video.seconds")],
    ["30 minutes", "", [clip({ durationSeconds: 1800 })], []],
    ["30 minutes and a second", "", [clip({ durationSeconds: 1801 })], first("video.seconds")],
    ["75 KB", "", [clip({ sizeBytes: 75 * 1024 })], []],
    ["a byte less than 75 KB", "", [clip({ sizeBytes: 75 * 1024 - 1 })], first("media.size")],
    ["500 MB", "", [clip({ sizeBytes: 500 * MB })], []],
    ["a byte more than 500 MB", "", [clip({ sizeBytes: 500 * MB + 1 })], first("media.size")],
    ["a MOV", "", [clip({ contentType: "video/quicktime" })], first("media.type")],
  ])("%s", (_, content, media, found) => {
    expect(rules(content, media)).toEqual(found);
  });

  test("a cover is an image", () => {
    expect(rules("", [clip()], {}, photo({ contentType: "image/png" }))).toEqual([]);
    expect(rules("", [clip()], {}, photo({ contentType: "image/webp" }))).toEqual([
      ["thumbnailPath", "image.converted"],
    ]);
  });
});

describe("visibility", () => {
  test("defaults to PUBLIC", () => {
    expect(settings.parse({})).toEqual({ visibility: "PUBLIC" });
  });
  test.each(["PUBLIC", "CONNECTIONS"])("accepts %s", (visibility) => {
    expect(rules("text", [], { visibility })).toEqual([]);
  });
  test.each([[[]], [[photo()]], [[photo(), photo()]], [[clip()]]])("accepts GROUP with a warning", (media) => {
    expect(problems("text", media, { visibility: "GROUP" })).toMatchObject([
      { at: "platformSettings.visibility", rule: "visibility.group", severity: "warning" },
    ]);
  });
});
