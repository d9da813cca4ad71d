import { describe, expect, onTestFinished, test } from "vitest";
import { env } from "../../env";
import { formatProblems } from "../../schedules/check/publication";
import { withSettings } from "../../testing/settings";
import { MB } from "../limits";
import { pinterest } from ".";
import { settings } from "./settings";

withSettings({ pinterestCarousel: true });

type Known = NonNullable<Parameters<typeof formatProblems>[3][number]>;

const photo = (facts: Partial<Known> = {}): Known => ({
  contentType: "image/jpeg",
  sizeBytes: 1000,
  width: 1000,
  height: 1500,
  durationSeconds: null,
  details: {},
  ...facts,
});
const clip = (facts: Partial<Known> = {}) =>
  photo({ contentType: "video/mp4", width: 1080, height: 1920, durationSeconds: 10, ...facts });
const problems = (content: string, media: Known[], cover?: Known) => {
  const post = { content, attachmentPaths: media.map((_, index) => `key ${index}`) };
  return formatProblems(pinterest, settings.parse({}), post, media, cover).map(({ at, rule }) => [at, rule]);
};
const first = (rule: string) => [["attachmentPaths[0]", rule]];

describe("limits of Pins", () => {
  test.each<[when: string, content: string, media: Known[], found: string[][]]>([
    ["799 characters", "x".repeat(799), [photo()], []],
    ["800 characters, each of two UTF-16 units", "🔔".repeat(800), [photo()], []],
    ["801 characters", "x".repeat(801), [photo()], [["content", "text.length"]]],
    ["no media", "a text", [], [["attachmentPaths", "format.unsupported"]]],
    ["a PNG of 20 MB", "", [photo({ contentType: "image/png", sizeBytes: 20 * MB })], []],
    ["one byte more than 20 MB", "", [photo({ sizeBytes: 20 * MB + 1 })], first("image.converted")],
    ["a WebP", "", [photo({ contentType: "image/webp" })], first("image.converted")],
    ["a GIF", "", [photo({ contentType: "image/gif" })], first("image.converted")],
    ["an animated GIF", "", [photo({ contentType: "image/gif", details: { frames: 2 } })], first("media.type")],
    ["two images", "", [photo(), photo()], []],
    ["five images", "", Array(5).fill(photo()), []],
    ["six images", "", Array(6).fill(photo()), [["attachmentPaths", "media.count"]]],
    ["images of several shapes", "", [photo(), photo({ width: 999 })], [["attachmentPaths", "carousel.shapes"]]],
    [
      "an image and a video",
      "",
      [photo(), clip({ width: 1000, height: 1500 })],
      [["attachmentPaths[1]", "video.unsupported"]],
    ],
    ["a video of 3.9 seconds", "", [clip({ durationSeconds: 3.9 })], first("video.seconds")],
    ["a video of 4 seconds", "", [clip({ durationSeconds: 4 })], []],
    ["a video of 15 minutes", "", [clip({ durationSeconds: 900 })], []],
    ["15 minutes and a second", "", [clip({ durationSeconds: 901 })], first("video.seconds")],
    ["a video of 2 GB", "", [clip({ sizeBytes: 2048 * MB })], []],
    ["one byte more than 2 GB", "", [clip({ sizeBytes: 2048 * MB + 1 })], first("media.size")],
    ["a little wider than 1:2", "", [clip({ width: 501, height: 1000 })], []],
    ["1:2", "", [clip({ width: 500, height: 1000 })], first("media.ratio")],
    ["narrower", "", [clip({ width: 499, height: 1000 })], first("media.ratio")],
    ["a little narrower than 1.91:1", "", [clip({ width: 1909, height: 1000 })], []],
    ["1.91:1", "", [clip({ width: 1910, height: 1000 })], first("media.ratio")],
    ["wider", "", [clip({ width: 1911, height: 1000 })], first("media.ratio")],
    ["a MOV", "", [clip({ contentType: "video/quicktime" })], []],
    ["a WebM", "", [clip({ contentType: "video/webm" })], first("media.type")],
    ["H.264", "", [clip({ details: { videoCodec: "avc" } })], []],
    ["H.265", "", [clip({ details: { videoCodec: "hevc" } })], []],
    ["VP9", "", [clip({ details: { videoCodec: "vp9" } })], first("video.codec")],
  ])("%s", (_, content, media, found) => {
    expect(problems(content, media)).toEqual(found);
  });

  test("a cover is a JPEG or PNG", () => {
    expect(problems("", [clip()], photo({ contentType: "image/png" }))).toEqual([]);
    expect(problems("", [clip()], photo({ contentType: "image/webp" }))).toEqual([
      ["thumbnailPath", "image.converted"],
    ]);
  });

  test("a carousel's cover is one of its images", () => {
    const of = (thumbnailPath: string) => {
      const post = { content: "", attachmentPaths: ["a", "b"], thumbnailPath };
      return formatProblems(pinterest, {}, post, [photo(), photo()], photo());
    };
    expect(of("b")).toEqual([]);
    expect(of("c")).toMatchObject([
      { at: "thumbnailPath", rule: "cover.attached", measured: "c", limit: ["a", "b"], change: { op: "remove" } },
    ]);
  });

  test.each<[when: string, media: Known[], kept: string[] | undefined]>([
    ["two images", [photo(), photo()], ["a"]],
    ["an image and a video", [photo(), clip()], ["a"]],
    ["six images", Array(6).fill(photo()), ["a"]],
  ])("%s, without carousels: rejected, and the fix keeps the first", (_, media, kept) => {
    const post = { content: "", attachmentPaths: ["a", "b", "c", "d", "e", "f"].slice(0, media.length) };
    Object.assign(env, { pinterestCarousel: false });
    onTestFinished(() => void Object.assign(env, { pinterestCarousel: true }));
    expect(formatProblems(pinterest, {}, post, media)).toEqual([
      {
        at: "attachmentPaths",
        message: "Pinterest does not take several attachments here",
        rule: "format.unsupported",
        limit: ["image", "video"],
        source: expect.stringContaining("pinterest/api-description"),
        fix: "Keep one attachment",
        change: { op: "replace", value: kept },
      },
    ]);
  });

  test("the bounds of the ratio are excluded, and the message says so", () => {
    const [problem] = formatProblems(pinterest, {}, { content: "", attachmentPaths: ["a"] }, [
      clip({ width: 500, height: 1000 }),
    ]);
    expect(problem).toMatchObject({
      message: "Pinterest takes a ratio of width to height above 0.5 and below 1.91, this file has 0.50 (500 x 1000)",
      limit: { min: 0.5, max: 1.91, isOpen: true },
    });
  });

  test("different shapes only cause a warning", () => {
    const post = { content: "", attachmentPaths: ["a", "b"] };
    const [problem] = formatProblems(pinterest, {}, post, [photo(), photo({ width: 999 })]);
    expect(problem).toMatchObject({ severity: "warning", measured: "1000 x 1500, 999 x 1500" });
  });
});

describe("settings", () => {
  const problems = (given: object) =>
    settings
      .safeParse(given)
      .error?.issues.map(({ path, code, ...issue }) => [
        path.join("."),
        code === "custom" && "params" in issue ? issue.params?.rule : undefined,
      ]) ?? [];

  test.each([
    ["title", 100],
    ["altText", 500],
  ])("%s accepts %i characters; one more is reported with the numbers", (name, max) => {
    expect(problems({ [name]: "🔔".repeat(max - 1) })).toEqual([]);
    expect(problems({ [name]: "🔔".repeat(max) })).toEqual([]);
    expect(problems({ [name]: "x".repeat(max + 1) })).toEqual([[name, "text.length"]]);
  });

  test("accepts a link of 2,048 characters", () => {
    const link = (length: number) => "https://example.com/".padEnd(length, "a");
    expect(problems({ link: link(2048) })).toEqual([]);
    expect(problems({ link: link(2049) })).toEqual([["link", "text.length"]]);
  });

  test.each([
    ["an invalid link", { link: "not a link" }],
    ["a script as link", { link: "javascript:alert(1)" }],
    ["a section that is not a number", { boardSectionId: "spring" }],
  ])("%s", (_, given) => {
    expect(problems(given)).toHaveLength(1);
  });
});
