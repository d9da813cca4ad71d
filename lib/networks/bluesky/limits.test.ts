import { describe, expect, test } from "vitest";
import { limitProblems } from "../../schedules/check/limits";
import { formatProblems } from "../../schedules/check/publication";
import type { FormatName } from "../network";
import { networkFormat } from "../network";
import { bluesky } from ".";

const family = "👨‍👩‍👧‍👦"; // one grapheme, 25 bytes
/** Returns an address of this length, which is shown as `example.com/aaaaaaaaaaaa...`. */
const longLink = (length: number) => `https://example.com/${"a".repeat(length - 20)}`;
/** The longest path that is shown in full. */
const shortest = longLink(34);
type Medium = Parameters<typeof limitProblems>[2]["media"][number];

const file = (more: { [name: string]: unknown } = {}): Medium =>
  ({
    contentType: "image/jpeg",
    sizeBytes: 1000,
    width: 10,
    height: 10,
    durationSeconds: null,
    details: {},
    ...more,
  }) as Medium; // the only fields that the limits read
const film = (more: { [name: string]: unknown } = {}): Medium =>
  file({ contentType: "video/mp4", durationSeconds: 5, ...more });

function problems(format: FormatName, content: string, media: Medium[] = []) {
  const limits = networkFormat(bluesky, {}, format)?.limits;
  if (!limits) throw new Error("Bluesky has no such format");
  return limitProblems("Bluesky", limits, { content, settings: {}, media });
}
const rules = (...given: Parameters<typeof problems>) =>
  problems(...given).map(({ rule, measured, limit }) => [rule, measured, limit]);

describe("text limits: 300 graphemes and 3,000 bytes as shown", () => {
  test.each([
    ["299 graphemes", "a".repeat(299), []],
    ["300 graphemes", "a".repeat(300), []],
    ["301 graphemes", "a".repeat(301), [["text.length", 301, { max: 300 }]]],
    ["a family emoji counts as one", family.repeat(10) + "a".repeat(290), []],
    ["2,999 bytes", family.repeat(119) + "a".repeat(24), []],
    ["3,000 bytes", family.repeat(120), []],
    ["3,001 bytes", `${family.repeat(120)}a`, [["text.bytes", 3001, { max: 3000 }]]],
    ["300 graphemes with a long link cut to 27", `${"a".repeat(272)} ${longLink(400)}`, []],
    [
      "301 graphemes with a long link cut to 27",
      `${"a".repeat(273)} ${longLink(400)}`,
      [["text.length", 301, { max: 300 }]],
    ],
    ["3,000 bytes with a long link cut to 27", `${family.repeat(118)}${"a".repeat(22)} ${longLink(400)}`, []],
    [
      "3,001 bytes with a long link cut to 27",
      `${family.repeat(118)}${"a".repeat(23)} ${longLink(400)}`,
      [["text.bytes", 3001, { max: 3000 }]],
    ],
    ["a link that is not shortened counts in full", `${"a".repeat(265)} ${shortest}`, []],
    ["one more than that", `${"a".repeat(266)} ${shortest}`, [["text.length", 301, { max: 300 }]]],
    [
      "both limits exceeded",
      family.repeat(301),
      [
        ["text.length", 301, { max: 300 }],
        ["text.bytes", 7525, { max: 3000 }],
      ],
    ],
    ["no text", " ", [["text.required", 0, { min: 1 }]]],
  ])("%s", (_, content, found) => {
    expect(rules("text", content)).toEqual(found);
  });

  test("the suggested fix keeps both limits", () => {
    for (const { change } of problems("text", family.repeat(301))) {
      const value = change && "value" in change ? String(change.value) : "";
      expect([Buffer.byteLength(value), value]).toEqual([3000, family.repeat(120)]);
    }
  });

  test("the suggested fix keeps a long link whole", () => {
    const [problem] = problems("text", `${"a".repeat(260)} ${longLink(400)} ${"b ".repeat(20)}`);
    expect(problem?.change).toMatchObject({ op: "replace", value: `${"a".repeat(260)} ${longLink(400)} b b b b b b` });
  });

  test("a post with an image needs no text", () => {
    expect(rules("image", "", [file()])).toEqual([]);
  });
});

describe("file limits: count, size, type and duration", () => {
  const many = (count: number) => Array.from({ length: count }, () => file());
  test.each<[string, FormatName, Medium[], string[]]>([
    ["an image of 1,999,999 bytes", "image", [file({ sizeBytes: 1_999_999 })], []],
    ["an image of 2,000,000 bytes", "image", [file({ sizeBytes: 2_000_000 })], []],
    ["an image of 2,000,001 bytes", "image", [file({ sizeBytes: 2_000_001 })], ["image.converted"]],
    ["a PNG", "image", [file({ contentType: "image/png" })], []],
    ["a WebP", "image", [file({ contentType: "image/webp" })], []],
    ["a still GIF", "image", [file({ contentType: "image/gif" })], ["image.converted"]],
    ["an animated GIF", "image", [file({ contentType: "image/gif", details: { frames: 2 } })], ["media.type"]],
    ["2 images", "carousel", many(2), []],
    ["9 images", "carousel", many(9), []],
    ["10 images", "carousel", many(10), []],
    ["11 images", "carousel", many(11), ["media.count"]],
    ["a video in a carousel", "carousel", [file(), film()], ["video.unsupported"]],
    ["a video of 299,999,999 bytes", "video", [film({ sizeBytes: 299_999_999 })], []],
    ["a video of 300,000,000 bytes", "video", [film({ sizeBytes: 300_000_000 })], []],
    ["a video of 300,000,001 bytes", "video", [film({ sizeBytes: 300_000_001 })], ["media.size"]],
    ["599 seconds", "video", [film({ durationSeconds: 599 })], []],
    ["600 seconds", "video", [film({ durationSeconds: 600 })], []],
    ["601 seconds", "video", [film({ durationSeconds: 601 })], ["video.seconds"]],
    ["a MOV", "video", [film({ contentType: "video/quicktime" })], []],
    ["an MKV", "video", [film({ contentType: "video/x-matroska" })], ["media.type"]],
  ])("%s", (_, format, media, found) => {
    expect(problems(format, "x", media).map(({ rule }) => rule)).toEqual(found);
  });
});

test.each([
  ["on Bluesky's own servers", "https://morel.us-east.host.bsky.network", 2_000_000],
  ["at the default entryway", undefined, 2_000_000],
  ["on an independent server", "https://pds.example.com", 999_000],
  ["on a server with a similar name", "https://host.bsky.network.example.com", 999_000],
])("converts images of an account %s to the server's limit", (_, pds, maxBytes) => {
  const { limits } = networkFormat(bluesky, {}, "image") ?? {};
  if (!limits) throw new Error("Bluesky has no image format");
  const tokens = { accessToken: "a", ...(pds ? { extra: { pds } } : {}) };
  const { image, ...others } = bluesky.limitsForAccount?.(tokens, limits) ?? {};
  expect(image?.maxBytes).toBe(maxBytes);
  expect({ ...others, image: limits.image }).toEqual(limits);
});

test("allows at most 25 posts in a thread", () => {
  expect(bluesky.posts).toEqual({ max: 25, chain: "reply" });
});

describe("settings", () => {
  const found = (given: object, more: object = {}) =>
    bluesky.settings.safeParse(given).success
      ? formatProblems(bluesky, given, { content: "a", attachmentPaths: [], ...more }, []).map(
          ({ at, rule, measured, limit }) => [at, rule, measured, limit],
        )
      : "refused";

  test.each([
    ["three languages", { languages: ["en", "de-AT", "zh-Hant-TW"] }, []],
    [
      "four languages",
      { languages: ["en", "de", "fr", "it"] },
      [["platformSettings.languages", "settings.count", 4, { max: 3 }]],
    ],
    ["a word as a language", { languages: ["english language"] }, "refused"],
    ["two groups who can reply", { whoCanReply: ["MENTIONED", "FOLLOWERS"] }, []],
    ["nobody", { whoCanReply: ["NOBODY"] }, []],
    [
      "nobody and somebody",
      { whoCanReply: ["NOBODY", "FOLLOWERS"] },
      [["platformSettings.whoCanReply", "bluesky.nobody", "NOBODY, FOLLOWERS", undefined]],
    ],
    ["an unknown label", { labels: ["BORING"] }, "refused"],
    ["a quote by its address", { quote: "https://bsky.app/profile/bob.test/post/3kaaaaaaaaaaa" }, []],
    ["a quote by its URI", { quote: "at://did:plc:bob/app.bsky.feed.post/3kaaaaaaaaaaa" }, []],
    ["a quote of a profile", { quote: "https://bsky.app/profile/bob.test" }, "refused"],
    ["a quote on another site", { quote: "https://example.com/profile/bob.test/post/3kaaaaaaaaaaa" }, "refused"],
  ])("%s", (_, given, problems) => expect(found(given)).toEqual(problems));

  test("who can reply is checked only for the first post of a thread", () => {
    expect(found({ whoCanReply: ["NOBODY", "FOLLOWERS"] }, { isReply: true })).toEqual([]);
  });
});
