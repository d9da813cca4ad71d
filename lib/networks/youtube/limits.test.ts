import { describe, expect, test } from "vitest";
import type { KnownMedia } from "../../schedules/check/facts";
import { formatProblems } from "../../schedules/check/publication";
import { MB } from "../limits";
import { youtube } from ".";
import { settings } from "./settings";

const clip = (facts: Partial<KnownMedia> = {}): KnownMedia => ({
  contentType: "video/mp4",
  sizeBytes: MB,
  width: 1920,
  height: 1080,
  durationSeconds: 30,
  details: { frameRate: 30 },
  ...facts,
});
const image = (facts: Partial<KnownMedia> = {}) => clip({ contentType: "image/jpeg", durationSeconds: null, ...facts });
const problems = (media: KnownMedia[], content = "", title = "A title", cover?: KnownMedia) =>
  formatProblems(
    youtube,
    settings.parse({ title, madeForKids: false }),
    { content, attachmentPaths: [] },
    media,
    cover,
  );
/** Returns the path and rule of each problem of a post. */
const broken = (...post: Parameters<typeof problems>) => problems(...post).map(({ at, rule }) => `${at} ${rule}`);

describe("texts", () => {
  const heart = "🩷"; // two UTF-16 units, four bytes
  test.each<[string, string, string, string[]]>([
    ["a title of 100", "", "t".repeat(100), []],
    ["a title of 101", "", "t".repeat(101), ["platformSettings.title text.length"]],
    ["a title of 50 hearts", "", heart.repeat(50), []],
    ["a title of 51 hearts", "", heart.repeat(51), ["platformSettings.title text.length"]],
    ["no title", "", " ", ["platformSettings.title text.required"]],
    ["no description", "", "A title", []],
    ["5,000 bytes", "d".repeat(5000), "A title", []],
    ["5,001 bytes", "d".repeat(5001), "A title", ["content text.length"]],
    ["5,000 bytes of hearts", heart.repeat(1250), "A title", []],
    ["5,001 bytes of hearts", `${heart.repeat(1250)}d`, "A title", ["content text.length"]],
  ])("%s", (_, content, title, rules) => {
    expect(broken([clip()], content, title)).toEqual(rules);
  });

  test("rejects angle brackets, with a fix that removes them", () => {
    expect(problems([clip()], "a <b>", "1 > 0")).toMatchObject([
      { at: "content", rule: "youtube.angle_brackets", measured: 2, change: { op: "replace", value: "a b" } },
      {
        at: "platformSettings.title",
        rule: "youtube.angle_brackets",
        measured: 1,
        change: { op: "replace", value: "1  0" },
      },
    ]);
  });
});

describe("answers of the person", () => {
  const rules = (given: object) =>
    formatProblems(youtube, settings.parse({ title: "A title", ...given }), { content: "", attachmentPaths: [] }, [
      clip(),
    ]).map(({ at, rule, severity = "error" }) => `${at} ${rule} ${severity}`);
  const captions = "1\n00:00:01,000 --> 00:00:02,500\nDing";

  test.each<[string, object, string[]]>([
    ["not made for kids", { madeForKids: false }, []],
    ["made for kids", { madeForKids: true }, []],
    ["no answer", {}, ["platformSettings.madeForKids youtube.made_for_kids warning"]],
    ["captions with their language", { madeForKids: false, captions, captionsLanguage: "en" }, []],
    [
      "captions without their language",
      { madeForKids: false, captions },
      ["platformSettings.captionsLanguage youtube.captions_language error"],
    ],
  ])("%s", (_, given, expected) => {
    expect(rules(given)).toEqual(expected);
  });
});

describe("files", () => {
  test.each<[string, KnownMedia[], string[]]>([
    ["MP4, MOV and WebM", [clip()], []],
    ["MOV", [clip({ contentType: "video/quicktime" })], []],
    ["WebM", [clip({ contentType: "video/webm" })], []],
    ["MKV", [clip({ contentType: "video/x-matroska" })], ["attachmentPaths[0] media.type"]],
    ["12 hours", [clip({ durationSeconds: 43_200 })], []],
    ["12 hours and a second", [clip({ durationSeconds: 43_201 })], ["attachmentPaths[0] video.seconds"]],
    ["256 GB", [clip({ sizeBytes: 256 * 1024 * MB })], []],
    ["256 GB and a byte", [clip({ sizeBytes: 256 * 1024 * MB + 1 })], ["attachmentPaths[0] media.size"]],
    ["a text without a video", [], ["attachmentPaths format.unsupported"]],
    ["an image", [image()], ["attachmentPaths format.unsupported"]],
    ["two videos", [clip(), clip()], ["attachmentPaths format.unsupported"]],
  ])("%s", (_, media, rules) => {
    expect(broken(media)).toEqual(rules);
  });
});

describe("cover", () => {
  test.each<[string, KnownMedia, string[]]>([
    ["JPEG of 50 MB", image({ sizeBytes: 50 * MB }), []],
    ["PNG", image({ contentType: "image/png" }), []],
    ["a byte more than 50 MB", image({ sizeBytes: 50 * MB + 1 }), ["thumbnailPath image.converted"]],
    ["WebP", image({ contentType: "image/webp" }), ["thumbnailPath image.converted"]],
    ["an animation", image({ contentType: "image/gif", details: { frames: 2 } }), ["thumbnailPath media.type"]],
  ])("%s", (_, cover, rules) => {
    expect(broken([clip()], "", "A title", cover)).toEqual(rules);
  });
});
