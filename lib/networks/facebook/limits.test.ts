import { describe, expect, test } from "vitest";
import { MB } from "../limits";
import type { Network } from "../network";
import { knownClip, knownPicture, violatedRules } from "../testing/limits";
import { facebook as definition } from ".";

type Planned = Parameters<typeof violatedRules>[1];

const facebook: Network = definition as Network; // the type that generic code sees
const broken = (planned: Planned) => violatedRules(facebook, planned);
const reels = { publicationType: "REELS" };
const story = { publicationType: "STORY" };
const reel = (facts: Parameters<typeof knownClip>[0] = {}): Planned => ({ settings: reels, media: [knownClip(facts)] });
const inStory = (facts: Parameters<typeof knownClip>[0] = {}): Planned => ({
  content: "",
  settings: story,
  media: [knownClip(facts)],
});
const photo = (facts: Parameters<typeof knownPicture>[0] = {}): Planned => ({ media: [knownPicture(facts)] });
const photos = (count: number): Planned => ({ media: Array.from({ length: count }, () => knownPicture()) });

describe("limits: one below, at and above each bound", () => {
  test.each<[limit: string, rule: string, Planned[]]>([
    ["63,206 characters", "text.length", [63_205, 63_206, 63_207].map((n) => ({ content: "a".repeat(n) }))],
    [
      "photos of 4 MB (larger ones are converted)",
      "image.converted",
      [-1, 0, 1].map((n) => photo({ sizeBytes: 4 * MB + n })),
    ],
    ["10 photos", "media.count", [9, 10, 11].map(photos)],
    [
      "feed videos of 2 GB",
      "media.size",
      [-1, 0, 1].map((n) => ({ media: [knownClip({ sizeBytes: 2048 * MB + n })] })),
    ],
    [
      "feed videos of 1 KB",
      "media.size",
      [1025, 1024, 1023].map((sizeBytes) => ({ media: [knownClip({ sizeBytes })] })),
    ],
    ["reels of 3 seconds", "video.seconds", [4, 3, 2].map((durationSeconds) => reel({ durationSeconds }))],
    ["reels of 90 seconds", "video.seconds", [89, 90, 91].map((durationSeconds) => reel({ durationSeconds }))],
    ["reels of 24 frames per second", "video.frame_rate", [25, 24, 23].map((frameRate) => reel({ frameRate }))],
    ["reels of 60 frames per second", "video.frame_rate", [59, 60, 61].map((frameRate) => reel({ frameRate }))],
    ["reels 540 pixels wide", "video.side", [541, 540, 539].map((width) => reel({ width, height: 960 }))],
    ["reels 960 pixels high", "video.side", [961, 960, 959].map((height) => reel({ width: 540, height }))],
    ["story videos of 3 seconds", "video.seconds", [4, 3, 2].map((durationSeconds) => inStory({ durationSeconds }))],
    [
      "story videos of 60 seconds",
      "video.seconds",
      [59, 60, 61].map((durationSeconds) => inStory({ durationSeconds })),
    ],
  ])("%s: %s", (_, rule, [inside = {}, at = {}, outside = {}]) => {
    expect([broken(inside), broken(at), broken(outside)]).toEqual([[], [], [rule]]);
  });
});

describe("types and combinations", () => {
  test.each<[what: string, planned: Planned, rules: string[]]>([
    ["no text", { content: " " }, ["text.required"]],
    ["a photo without text", { content: "", media: [knownPicture()] }, []],
    ["PNG", photo({ contentType: "image/png" }), []],
    ["GIF", photo({ contentType: "image/gif" }), []],
    ["TIFF", photo({ contentType: "image/tiff" }), []],
    ["WebP is converted", photo({ contentType: "image/webp" }), ["image.converted"]],
    ["a photo and a video in one feed post", { media: [knownPicture(), knownClip()] }, ["video.unsupported"]],
    ["a photo as a reel", { settings: reels, media: [knownPicture()] }, ["format.unsupported"]],
    ["two reels", { settings: reels, media: [knownClip(), knownClip()] }, ["format.unsupported"]],
    ["a story of text", { settings: story }, ["format.unsupported"]],
    [
      "a story's text may be long because it is not sent",
      { ...inStory(), content: "a".repeat(63_207) },
      ["text.not_sent"],
    ],
    [
      "a photo and a video as two stories",
      { settings: story, media: [knownPicture(), knownClip()] },
      ["text.not_sent"],
    ],
    ["REEL for REELS", { settings: { publicationType: "REEL" }, media: [knownClip()] }, []],
    ["VP9 in a reel", reel({ videoCodec: "vp9" }), []],
    ["MP3 in a reel", reel({ details: { audioCodec: "mp3" } }), ["audio.codec"]],
    ["MP3 in a story", inStory({ details: { audioCodec: "mp3" } }), ["audio.codec"]],
    [
      "a WebP as a reel's cover",
      { ...reel(), cover: knownPicture({ contentType: "image/webp" }) },
      ["image.converted"],
    ],
    [
      "a WebP as a video's cover",
      { media: [knownClip()], cover: knownPicture({ contentType: "image/webp" }) },
      ["image.converted"],
    ],
    ["VP8 in a reel", reel({ videoCodec: "vp8" }), ["video.codec"]],
    ["WebM", { media: [knownClip({ contentType: "video/webm", videoCodec: "vp9" })] }, ["media.type"]],
    ["a square reel causes a warning", reel({ width: 1080, height: 1080 }), ["video.upright"]],
    ["a wide reel causes a warning", reel({ width: 1920, height: 1080 }), ["video.upright"]],
    ["a strip is rejected", reel({ width: 1920, height: 700 }), ["media.ratio", "video.upright"]],
  ])("%s", (_, planned, rules) => expect(broken(planned)).toEqual(rules));
});
