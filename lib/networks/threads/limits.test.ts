import { describe, expect, test } from "vitest";
import { formatProblems } from "../../schedules/check/publication";
import { MB } from "../limits";
import type { Network } from "../network";
import { knownClip, knownPicture, violatedRules } from "../testing/limits";
import { textLength } from "../text/count";
import { threads as definition } from ".";

const threads: Network = definition as Network; // the type that generic code sees
const broken = (planned: Parameters<typeof violatedRules>[1]) => violatedRules(threads, planned);
const links = (count: number) => Array.from({ length: count }, (_, n) => `https://example.com/${n}`).join(" ");
const many = (count: number) => Array.from({ length: count }, () => knownPicture());

const fiveLinks = Array.from({ length: 5 }, (_, index) => `https://${index}.example`).join(" ");

describe("limits: one below, at and above each bound", () => {
  test.each<[limit: string, rule: string, Parameters<typeof violatedRules>[1][]]>([
    ["500 characters", "text.length", [499, 500, 501].map((n) => ({ content: "a".repeat(n) }))],
    [
      "500 with emoji counted as four bytes",
      "text.length",
      [123, 124, 125].map((n) => ({ content: `abcd${"😀".repeat(n)}` })),
    ],
    ["5 links", "text.links", [4, 5, 6].map((n) => ({ content: links(n) }))],
    ["a topic of 50 characters", "text.length", [49, 50, 51].map((n) => ({ settings: { topicTag: "t".repeat(n) } }))],
    [
      "images of 8 MB (larger ones are converted)",
      "image.converted",
      [-1, 0, 1].map((n) => ({ media: [knownPicture({ sizeBytes: 8 * MB + n })] })),
    ],
    ["videos of 1 GB", "media.size", [-1, 0, 1].map((n) => ({ media: [knownClip({ sizeBytes: 1024 * MB + n })] }))],
    [
      "wide images",
      "media.ratio",
      [9990, 10_000, 10_010].map((width) => ({ media: [knownPicture({ width, height: 1000 })] })),
    ],
    [
      "tall images",
      "media.ratio",
      [9990, 10_000, 10_010].map((height) => ({ media: [knownPicture({ width: 1000, height })] })),
    ],
    ["wide videos", "media.ratio", [999, 1000, 1001].map((width) => ({ media: [knownClip({ width, height: 100 })] }))],
    [
      "tall videos",
      "media.ratio",
      [9990, 10_000, 10_010].map((height) => ({ media: [knownClip({ width: 100, height })] })),
    ],
    ["videos 1,920 pixels wide", "video.width", [1919, 1920, 1921].map((width) => ({ media: [knownClip({ width })] }))],
    [
      "videos of 300 seconds",
      "video.seconds",
      [299, 300, 301].map((n) => ({ media: [knownClip({ durationSeconds: n })] })),
    ],
    [
      "60 frames per second",
      "video.frame_rate",
      [59.94, 60, 61].map((frameRate) => ({ media: [knownClip({ frameRate })] })),
    ],
    [
      "23 frames per second",
      "video.frame_rate",
      [24, 23, 22].map((frameRate) => ({ media: [knownClip({ frameRate })] })),
    ],
    ["20 items", "media.count", [19, 20, 21].map((n) => ({ media: many(n) }))],
  ])("%s: %s", (_, rule, [inside = {}, at = {}, outside = {}]) => {
    expect([broken(inside), broken(at), broken(outside)]).toEqual([[], [], [rule]]);
  });
});

describe("types and combinations", () => {
  test.each<[what: string, planned: Parameters<typeof violatedRules>[1], rules: string[]]>([
    ["no text", { content: " " }, ["text.required"]],
    ["an image without text", { content: "", media: [knownPicture()] }, []],
    ["a PNG", { media: [knownPicture({ contentType: "image/png" })] }, []],
    ["a WebP is converted", { media: [knownPicture({ contentType: "image/webp" })] }, ["image.converted"]],
    ["a GIF is converted", { media: [knownPicture({ contentType: "image/gif" })] }, ["image.converted"]],
    ["a MOV", { media: [knownClip({ contentType: "video/quicktime" })] }, []],
    ["a WebM", { media: [knownClip({ contentType: "video/webm", videoCodec: "vp9" })] }, ["media.type", "video.codec"]],
    ["H.265", { media: [knownClip({ videoCodec: "hevc" })] }, []],
    ["MP3 audio", { media: [knownClip({ details: { audioCodec: "mp3" } })] }, ["audio.codec"]],
    ["VP9", { media: [knownClip({ videoCodec: "vp9" })] }, ["video.codec"]],
    ["images and a video in one carousel", { media: [knownPicture(), knownClip()] }, []],
    ["a topic with a full stop", { settings: { topicTag: "a.b" } }, ["topic.characters"]],
    ["a topic with an ampersand", { settings: { topicTag: "a&b" } }, ["topic.characters"]],
    ["a topic of only a number sign", { settings: { topicTag: "#" } }, ["topic.empty"]],
    ["a poll", { settings: { pollOptions: ["Yes", "No"] } }, []],
    ["a poll with one option", { settings: { pollOptions: ["Yes"] } }, ["settings.count"]],
    ["a poll with a long option", { settings: { pollOptions: ["Yes", "a".repeat(26)] } }, ["poll.length"]],
    ["a poll with an image", { settings: { pollOptions: ["Yes", "No"] }, media: [knownPicture()] }, ["poll.alone"]],
    [
      "a poll with a link attachment",
      { settings: { pollOptions: ["Yes", "No"], linkAttachment: "https://a.example" } },
      ["poll.alone"],
    ],
    [
      "a link attachment with an image",
      { settings: { linkAttachment: "https://a.example" }, media: [knownPicture()] },
      ["threads.link_attachment"],
    ],
    [
      "five links and one of them as the attachment",
      { content: fiveLinks, settings: { linkAttachment: "https://0.example" } },
      [],
    ],
    [
      "five links and another one as the attachment",
      { content: fiveLinks, settings: { linkAttachment: "https://a.example" } },
      ["text.links"],
    ],
    ["a location", { settings: { locationId: "12345" } }, []],
    ["the same link six times", { content: "https://a.example ".repeat(6) }, []],
  ])("%s", (_, planned, rules) => expect(broken(planned)).toEqual(rules));

  test("reports all problems at once", () => {
    const media = [
      knownPicture({ contentType: "image/webp", sizeBytes: 9 * MB }),
      knownClip({ durationSeconds: 301, frameRate: 61 }),
    ];
    expect(broken({ content: "a".repeat(501), settings: { topicTag: "a.b" }, media })).toEqual([
      "text.length",
      "image.converted",
      "video.seconds",
      "video.frame_rate",
      "topic.characters",
    ]);
  });

  test("the fix for a topic removes the invalid characters", () => {
    const settings = threads.settings.parse({ topicTag: "#R&B v2.0" });
    const [problem] = formatProblems(threads, settings, { content: "a", attachmentPaths: [] }, []);
    expect(problem).toMatchObject({ at: "platformSettings.topicTag", change: { op: "replace", value: "RB v20" } });
  });
});

test.each([
  ["plain", 5],
  ["ça", 2],
  ["日本", 2],
  ["😀", 4],
  ["👩‍👩‍👧", 18],
  ["🇩🇪", 8],
  ["1️⃣", 7],
  ["❤️", 6],
  ["e\u0301", 2],
])("%s counts as %i", (text, length) => expect(textLength("characters and emoji bytes", text)).toBe(length));
