import { describe, expect, test } from "vitest";
import type { ImageLimits, VideoLimits } from "../../networks";
import { asSent, asVideos, conversionRecipe, videoRecipeFor, videoWarnings } from "./conversion";
import type { KnownMedia } from "./facts";
import { limitProblems } from "./limits";

const JPEG = "image/jpeg";
const PNG = "image/png";
const WEBP = "image/webp";
const image = (facts: Partial<KnownMedia> = {}): KnownMedia => ({
  contentType: JPEG,
  sizeBytes: 1_000,
  width: 1_000,
  height: 500,
  durationSeconds: null,
  details: {},
  ...facts,
});

describe("an accepted image is not converted", () => {
  test.each<[what: string, limits: ImageLimits, item: KnownMedia]>([
    ["its type", { types: [JPEG, PNG] }, image({ contentType: PNG })],
    ["as many bytes as may be", { types: [JPEG], maxBytes: 1_000 }, image()],
    ["as many pixels a side as may be", { types: [JPEG], side: { max: 1_000 } }, image()],
    ["as many pixels together as may be", { types: [JPEG], maxSideSum: 1_500 }, image()],
  ])("%s", (_, limits, item) => {
    expect(conversionRecipe(limits, item)).toBeUndefined();
    expect(asSent(limits, item)).toBe(item);
  });
});

describe("an image that is not accepted is converted", () => {
  const size = { width: 1_000, height: 500 };
  test.each<[what: string, limits: ImageLimits, item: KnownMedia, recipe: object]>([
    ["another type", { types: [JPEG] }, image({ contentType: PNG }), { contentType: JPEG, ...size }],
    ["another type, to PNG where JPEG is not taken", { types: [PNG] }, image(), { contentType: PNG, ...size }],
    ["one byte too many", { types: [JPEG], maxBytes: 999 }, image(), { contentType: JPEG, ...size, maxBytes: 999 }],
    [
      "a PNG with too many bytes",
      { types: [PNG, JPEG], maxBytes: 999 },
      image({ contentType: PNG }),
      { contentType: JPEG, ...size, maxBytes: 999 },
    ],
    [
      "one pixel too many",
      { types: [JPEG], side: { max: 999 } },
      image(),
      { contentType: JPEG, width: 999, height: 499 },
    ],
    [
      "a WebP with too many pixels stays a WebP",
      { types: [JPEG, WEBP], side: { max: 100 } },
      image({ contentType: WEBP }),
      { contentType: WEBP, width: 100, height: 50 },
    ],
    [
      "too many pixels together",
      { types: [JPEG], maxSideSum: 750 },
      image(),
      { contentType: JPEG, width: 500, height: 250 },
    ],
    [
      "rounding stays within the ratio limits",
      { types: [JPEG], side: { max: 333 }, ratio: { min: 0.8, max: 1.91 } },
      image({ width: 800, height: 1_000 }),
      { contentType: JPEG, width: 267, height: 333 },
    ],
  ])("%s", (_, limits, item, recipe) => {
    expect(conversionRecipe(limits, item)).toEqual(recipe);
    const { contentType, width, height } = asSent(limits, item);
    expect(recipe).toMatchObject({ contentType, width, height });
    expect(conversionRecipe(limits, asSent(limits, item))).toBeUndefined();
  });
});

describe("if larger images are accepted here than at the network", () => {
  const limits: ImageLimits = {
    types: [JPEG, PNG, WEBP],
    side: { min: 360, max: 4096 },
    sentAs: { types: [JPEG, WEBP], side: { max: 1920 }, shorterSide: { max: 1080 } },
  };
  test.each<[what: string, item: KnownMedia, recipe: object | undefined]>([
    ["a JPEG within both", image({ width: 1080, height: 1920 }), undefined],
    ["a PNG", image({ contentType: PNG }), { contentType: JPEG, width: 1_000, height: 500 }],
    ["a longer side", image({ width: 1000, height: 1921 }), { contentType: JPEG, width: 999, height: 1920 }],
    ["a shorter side", image({ width: 1081, height: 1081 }), { contentType: JPEG, width: 1080, height: 1080 }],
    ["the most that is taken", image({ width: 4096, height: 4096 }), { contentType: JPEG, width: 1080, height: 1080 }],
  ])("%s", (_, item, recipe) => {
    expect(conversionRecipe(limits, item)).toEqual(recipe);
    expect(conversionRecipe(limits, asSent(limits, item))).toBeUndefined();
    const found = limitProblems("Net", { image: limits }, { content: "", settings: {}, media: [item] });
    expect(found.map(({ rule, severity }) => [rule, severity])).toEqual(recipe ? [["image.converted", "warning"]] : []);
  });

  test("an image beyond the larger limits is rejected even if it could be converted", () => {
    const media = [image({ width: 4097, height: 4096 })];
    const found = limitProblems("Net", { image: limits }, { content: "", settings: {}, media });
    expect(found.filter(({ severity }) => severity !== "warning").map(({ rule }) => rule)).toEqual(["image.side"]);
  });
});

describe("an image that cannot be converted faithfully is rejected as it is", () => {
  test.each<[what: string, limits: ImageLimits, item: KnownMedia]>([
    ["an animation", { types: [JPEG] }, image({ contentType: "image/gif", details: { frames: 2 } })],
    ["one whose size is not known", { types: [JPEG] }, image({ contentType: PNG, width: null })],
    ["one that would become too small", { types: [JPEG], side: { min: 320, max: 600 } }, image()],
    ["a network that takes none of what can be made", { types: ["image/gif"] }, image()],
  ])("%s", (_, limits, item) => {
    expect(conversionRecipe(limits, item)).toBeUndefined();
  });
});

describe("a video that a network refuses only because of its container", () => {
  const [MP4, MOV, MKV] = ["video/mp4", "video/quicktime", "video/x-matroska"];
  const strict: VideoLimits = { types: [MP4], codecs: ["avc"], indexInFront: true, noEditLists: true };
  const usual = { videoCodec: "avc", audioCodec: "aac", hasAudio: true, index: "front" } as const;
  const film = (details: KnownMedia["details"] = {}, facts: Partial<KnownMedia> = {}): KnownMedia => ({
    ...image({ contentType: MP4, durationSeconds: 5, details: { ...usual, ...details } }),
    ...facts,
  });
  const taken = (video: VideoLimits) => ({ video: { limits: { video } } });

  test.each<[because: string, item: KnownMedia]>([
    ["has its index (moov) at the end (no fast start)", film({ index: "end" })],
    ["has its index in fragments (moof)", film({ index: "fragments" })],
    ["has an edit list", film({ editList: "start" })],
    ["has its index (moov) at the end (no fast start) and has an edit list", film({ index: "end", editList: "start" })],
    ["is MOV and has its index (moov) at the end (no fast start)", film({ index: "end" }, { contentType: MOV })],
    ["is MKV", film({ index: undefined }, { contentType: MKV })],
    [
      "may have its index (moov) at the end or edit lists, which was not recorded when it was uploaded",
      film({ index: undefined }),
    ],
  ])("is rewrapped, and the warning names the cause: it %s", (because, item) => {
    const recipe = videoRecipeFor(taken(strict), [item], item);
    expect(recipe).toEqual({ contentType: MP4, width: 1_000, height: 500, rewrap: true });
    const sent = asVideos(taken(strict), [item]);
    expect(sent).toEqual([{ ...item, contentType: MP4, details: usual }]);
    const message = `Net does not take this video as it is, because it ${because}: it is sent as an MP4 with the same pictures and sound`;
    expect(videoWarnings("Net", taken(strict), [item], sent)).toEqual([
      expect.objectContaining({ at: "attachmentPaths[0]", message, rule: "video.rewrapped", severity: "warning" }),
    ]);
    expect(limitProblems("Net", { video: strict }, { content: "", settings: {}, media: sent })).toEqual([]);
  });

  test.each<[what: string, limits: VideoLimits, item: KnownMedia, rules: string[]]>([
    ["one that is taken as it is", strict, film(), []],
    ["one for a network that does not mind", { types: [MP4, MOV] }, film({ index: "end" }, { contentType: MOV }), []],
    [
      "one that its edit list cuts",
      strict,
      film({ index: "end", editList: "cut" }),
      ["video.container", "video.container"],
    ],
    [
      "an MKV with sound that no MP4 should have",
      strict,
      film({ audioCodec: "flac" }, { contentType: MKV }),
      ["media.type"],
    ],
    [
      "an MKV with a codec that is refused",
      strict,
      film({ videoCodec: "hevc" }, { contentType: MKV }),
      ["media.type", "video.codec"],
    ],
    ["one for a network without MP4", { types: ["video/webm"] }, film(), ["media.type"]],
  ])("%s is not rewrapped", (_, limits, item, rules) => {
    expect(videoRecipeFor(taken(limits), [item], item)).toBeUndefined();
    expect(asVideos(taken(limits), [item])).toEqual([item]);
    const found = limitProblems("Net", { video: limits }, { content: "", settings: {}, media: [item] });
    expect(found.map(({ rule }) => rule)).toEqual(rules);
  });

  test("in a carousel is rewrapped by the limits of carousels", () => {
    const two = [film({ index: "end" }), film()];
    expect(asVideos({ carousel: { limits: { video: strict } } }, two)).toEqual([film(), film()]);
    expect(asVideos(taken(strict), two)).toEqual(two);
  });
});
