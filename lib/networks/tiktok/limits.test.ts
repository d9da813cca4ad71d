import { describe, expect, test } from "vitest";
import type { KnownMedia } from "../../schedules/check/facts";
import { formatProblems } from "../../schedules/check/publication";
import { MB } from "../limits";
import { tiktok } from ".";
import { captionOf, settings } from "./settings";

const agreed = { privacyLevel: "PUBLIC_TO_EVERYONE", hasUsageConfirmation: true };
const photo = (facts: Partial<KnownMedia> = {}): KnownMedia => ({
  contentType: "image/jpeg",
  sizeBytes: MB,
  width: 1080,
  height: 1080,
  durationSeconds: null,
  details: {},
  ...facts,
});
const clip = (facts: Partial<KnownMedia> = {}): KnownMedia => ({
  ...photo({ contentType: "video/mp4", durationSeconds: 30, details: { frameRate: 30 } }),
  ...facts,
});
/** Returns the path and rule of each problem of a post. */
const broken = (media: KnownMedia[], content = "", given: object = {}) =>
  formatProblems(tiktok, settings.parse({ ...agreed, ...given }), { content, attachmentPaths: [] }, media)
    .filter(({ severity }) => severity !== "warning")
    .map(({ at, rule }) => `${at} ${rule}`);

describe("photos", () => {
  test.each<[string, KnownMedia[], string[]]>([
    ["360 pixels", [photo({ width: 360, height: 360 })], []],
    ["359 pixels", [photo({ width: 359, height: 360 })], ["attachmentPaths[0] image.side"]],
    ["4096 pixels", [photo({ width: 4096, height: 4096 })], []],
    ["4097 pixels", [photo({ width: 4097, height: 4096 })], ["attachmentPaths[0] image.side"]],
    ["20 MB", [photo({ sizeBytes: 20 * MB })], []],
    ["20 MB and a byte", [photo({ sizeBytes: 20 * MB + 1 })], ["attachmentPaths[0] media.size"]],
    ["JPEG, PNG and WebP", ["jpeg", "png", "webp"].map((type) => photo({ contentType: `image/${type}` })), []],
    ["GIF", [photo({ contentType: "image/gif" })], ["attachmentPaths[0] media.type"]],
    ["ten", Array.from({ length: 10 }, () => photo()), []],
    ["eleven", Array.from({ length: 11 }, () => photo()), ["attachmentPaths media.count"]],
    ["with a video", [photo(), clip()], ["attachmentPaths[1] video.unsupported"]],
    ["none", [], ["attachmentPaths format.unsupported"]],
  ])("%s", (_, media, rules) => {
    expect(broken(media)).toEqual(rules);
  });

  test("counts title and description in UTF-16 units", () => {
    const heart = "🩷"; // two units
    expect(broken([photo()], heart.repeat(2000), { title: heart.repeat(45) })).toEqual([]);
    expect(broken([photo()], `${heart.repeat(2000)}a`, { title: `${heart.repeat(45)}a` })).toEqual([
      "content text.length",
      "platformSettings.title text.length",
    ]);
  });
});

describe("video", () => {
  test.each<[string, KnownMedia, string[]]>([
    ["MP4", clip(), []],
    ["MOV", clip({ contentType: "video/quicktime" }), []],
    ["WebM", clip({ contentType: "video/webm" }), []],
    ["MKV", clip({ contentType: "video/x-matroska" }), ["attachmentPaths[0] media.type"]],
    ["4 GB", clip({ sizeBytes: 4096 * MB }), []],
    ["4 GB and a byte", clip({ sizeBytes: 4096 * MB + 1 }), ["attachmentPaths[0] media.size"]],
    ["600 seconds", clip({ durationSeconds: 600 }), []],
    ["601 seconds", clip({ durationSeconds: 601 }), ["attachmentPaths[0] video.seconds"]],
    ["360 pixels", clip({ width: 360, height: 640 }), []],
    ["359 pixels", clip({ width: 359, height: 640 }), ["attachmentPaths[0] video.side"]],
    ["4096 pixels", clip({ width: 4096, height: 2160 }), []],
    ["4097 pixels", clip({ width: 4097, height: 2160 }), ["attachmentPaths[0] video.side"]],
    ["22 frames per second", clip({ details: { frameRate: 22 } }), ["attachmentPaths[0] video.frame_rate"]],
    ["23 frames per second", clip({ details: { frameRate: 23 } }), []],
    ["60 frames per second", clip({ details: { frameRate: 60 } }), []],
    ["61 frames per second", clip({ details: { frameRate: 61 } }), ["attachmentPaths[0] video.frame_rate"]],
  ])("%s", (_, media, rules) => {
    expect(broken([media])).toEqual(rules);
  });

  test.each<[string, string, string, string[]]>([
    ["a text of 2,200", "a".repeat(2200), "", []],
    ["a text of 2,201", "a".repeat(2201), "", ["content text.length"]],
    ["a title of 2,200", "", "a".repeat(2200), []],
    ["a title of 2,201", "", "a".repeat(2201), ["platformSettings.title text.length"]],
    ["2,199 and 1: the line break between them is left out", "a".repeat(2199), "b", []],
    ["2,201 together", "a".repeat(2000), "b".repeat(201), ["content tiktok.caption_length"]],
    ["emoji count as two", "🔔".repeat(1100), "b", ["content tiktok.caption_length"]],
  ])("%s", (_, content, title, rules) => {
    expect(broken([clip()], content, { title })).toEqual(rules);
  });
});

describe("the cover", () => {
  test.each<[string, KnownMedia[], object, string[]]>([
    ["the last frame of a video", [clip({ durationSeconds: 5 })], { videoCoverTimestampMs: 5000 }, []],
    [
      "after the end of a video",
      [clip({ durationSeconds: 5 })],
      { videoCoverTimestampMs: 5001 },
      ["platformSettings.videoCoverTimestampMs tiktok.cover_time"],
    ],
    ["the last photo", [photo(), photo()], { photoCoverIndex: 1 }, []],
    [
      "a photo that does not exist",
      [photo(), photo()],
      { photoCoverIndex: 2 },
      ["platformSettings.photoCoverIndex tiktok.cover_index"],
    ],
  ])("%s", (_, media, given, rules) => {
    expect(broken(media, "", given)).toEqual(rules);
  });
});

describe("the caption of a video", () => {
  const lengthOf = (title: number, content: number) => {
    const caption = captionOf({
      content: "b".repeat(content),
      settings: settings.parse({ ...agreed, title: "a".repeat(title) }),
    });
    return [caption.length, caption.replaceAll(/[ab]/g, "")];
  };

  test("a space before the line break keeps title and text apart, as far as the limit allows", () => {
    expect(lengthOf(5, 5)).toEqual([12, " \n"]);
    expect(lengthOf(0, 5)).toEqual([5, ""]);
    expect(lengthOf(1, 2197)).toEqual([2200, " \n"]);
    expect(lengthOf(1, 2198)).toEqual([2200, " "]);
    expect(lengthOf(1, 2199)).toEqual([2200, ""]);
  });
});

describe("settings", () => {
  test("the label for content made with AI is not sent for photos, which is a warning", () => {
    const found = (media: KnownMedia[]) =>
      formatProblems(
        tiktok,
        settings.parse({ ...agreed, aiContent: true }),
        { content: "", attachmentPaths: [] },
        media,
      ).map(({ rule, severity }) => [rule, severity]);
    expect(found([photo()])).toEqual([["tiktok.ai_photos", "warning"]]);
    expect(found([clip()])).toEqual([]);
  });

  test("a paid partnership cannot be visible only to its creator", () => {
    expect(broken([clip()], "", { brandContent: true, privacyLevel: "SELF_ONLY" })).toEqual([
      "platformSettings.privacyLevel tiktok.brand_content_private",
    ]);
    expect(broken([photo()], "", { brandContent: true })).toEqual([]);
    expect(broken([photo()], "", { privacyLevel: "SELF_ONLY" })).toEqual([]);
  });

  test("a missing Music Usage Confirmation only causes a warning", () => {
    const unasked = settings.parse({ privacyLevel: "SELF_ONLY" });
    const found = formatProblems(tiktok, unasked, { content: "", attachmentPaths: [] }, [clip()]);
    expect(found).toMatchObject([{ rule: "tiktok.usage_confirmation", severity: "warning" }]);
  });
});
