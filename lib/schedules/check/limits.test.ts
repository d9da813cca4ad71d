import { describe, expect, test } from "vitest";
import { problemSentence } from "../../errors";
import type { Media } from "../../media";
import { type Limits, MB } from "../../networks";
import { limitProblems } from "./limits";

const said = (limits: Limits, content: string, media: Media[], settings = {}) =>
  limitProblems("Net", limits, { content, settings, media }).map(({ at, ...problem }) =>
    problemSentence({ path: at, ...problem }),
  );

function file(facts: Partial<Media>): Media {
  return {
    id: "",
    ownerId: "",
    key: "",
    filename: "a",
    contentType: "image/jpeg",
    sizeBytes: 1,
    digest: Buffer.alloc(0),
    width: 100,
    height: 100,
    durationSeconds: null,
    altText: null,
    details: {},
    labels: [],
    createdAt: "",
    ...facts,
  };
}

const text = (max: number, unit: NonNullable<Limits["text"]>["unit"]): Limits => ({ text: { max, unit } });
const image = (limits: Partial<NonNullable<Limits["image"]>>): Limits => ({
  image: { types: ["image/jpeg"], ...limits },
});
const video = (limits: Partial<NonNullable<Limits["video"]>>): Limits => ({
  video: { types: ["video/mp4"], ...limits },
});
const clip = (facts: Partial<Media> = {}) => file({ contentType: "video/mp4", durationSeconds: 10, ...facts });
/** A file that cannot be converted faithfully. */
const animation = (facts: Partial<Media> = {}) => file({ contentType: "image/gif", details: { frames: 2 }, ...facts });
const FAMILY = "👩‍👩‍👧‍👦";

describe("a text", () => {
  test.each<[when: string, limits: Limits, content: string, says: string[]]>([
    ["at its limit", text(5, "code points"), "12345", []],
    ["one over", text(5, "code points"), "123456", ["takes at most 5 code points, this text has 6"]],
    ["a family in code points", text(6, "code points"), FAMILY, ["takes at most 6 code points, this text has 7"]],
    ["a family in UTF-16 units", text(10, "UTF-16 units"), FAMILY, ["takes at most 10 UTF-16 units, this text has 11"]],
    ["a family in graphemes", text(1, "graphemes"), FAMILY, []],
    ["a family in bytes", text(24, "bytes"), FAMILY, ["takes at most 24 bytes, this text has 25"]],
    [
      "a link counts 23",
      text(22, "weighted characters"),
      "https://example.com/a",
      ["takes at most 22 weighted characters, this text has 23"],
    ],
    ["nothing, where nothing is asked for", text(5, "bytes"), "", []],
    [
      "only spaces where a text is required",
      { text: { max: 5, unit: "bytes", required: true } },
      " \n\t",
      ["needs a text here"],
    ],
    [
      "too many of everything",
      { text: { max: 99, unit: "bytes", hashtags: 1, mentions: 1, cashtags: 0 } },
      "#a #b @c @d $E",
      [
        "takes at most 1 hashtags, this text has 2",
        "takes at most 1 mentions, this text has 2",
        "takes at most 0 cashtags, this text has 1",
      ],
    ],
    ["a format without text", {}, "a".repeat(9999), []],
  ])("%s", (_, limits, content, says) => {
    expect(said(limits, content, [])).toEqual(says.map((one) => `content: Net ${one}`));
  });
});

describe("a text among the settings", () => {
  const limits: Limits = { settings: { title: { max: 5, unit: "code points", required: true } } };
  test("is counted like the post's text", () => {
    expect(said(limits, "", [], { title: "12345" })).toEqual([]);
    expect(said(limits, "", [], { title: "123456" })).toEqual([
      "platformSettings.title: Net takes at most 5 code points, this text has 6",
    ]);
    expect(said(limits, "", [], {})).toEqual(["platformSettings.title: Net needs a text here"]);
  });
});

describe("a file", () => {
  test.each<[when: string, limits: Limits, item: Media, says: string[]]>([
    ["of its type", image({}), file({}), []],
    [
      "of another type",
      image({}),
      file({ contentType: "image/png" }),
      [
        "does not take this image as it is (PNG, 100 x 100 pixels, 1 KB): it is sent as a JPEG of 100 x 100 pixels, with a white background instead of transparency",
      ],
    ],
    ["of another type, animated", image({}), animation(), ["takes JPEG images, this file is GIF"]],
    [
      "of a type without a name",
      image({}),
      animation({ contentType: "image/x-odd" }),
      ["takes JPEG images, this file is image/x-odd"],
    ],
    ["as large as allowed", image({ maxBytes: 5 * MB }), file({ sizeBytes: 5 * MB }), []],
    [
      "a byte larger",
      image({ maxBytes: 5 * MB }),
      file({ sizeBytes: 5 * MB + 1 }),
      ["does not take this image as it is (JPEG, 100 x 100 pixels, 5.0 MB): it is sent as a JPEG of 100 x 100 pixels"],
    ],
    [
      "a byte larger, animated",
      image({ maxBytes: 5 * MB, types: ["image/gif"] }),
      animation({ sizeBytes: 5 * MB + 1 }),
      ["takes at most 5 MB, this file has 5.0 MB"],
    ],
    ["at the ratio's edge", image({ ratio: { min: 0.8, max: 1.91 } }), file({ width: 80, height: 100 }), []],
    [
      "past the ratio's edge",
      image({ ratio: { min: 0.8, max: 1.91 } }),
      file({ width: 79, height: 100 }),
      ["takes a ratio of width to height from 0.8 to 1.91, this file has 0.79 (79 x 100)"],
    ],
    [
      "with a side too short",
      image({ side: { min: 360, max: 4096 } }),
      file({ width: 4096, height: 359 }),
      ["takes 360 to 4096 pixels a side, this image has 4096 x 359"],
    ],
    [
      "with a side too long",
      image({ side: { min: 360, max: 4096 } }),
      file({ width: 360, height: 4097 }),
      ["takes 360 to 4096 pixels a side, this image has 360 x 4097"],
    ],
    [
      "with sides too long together",
      image({ maxSideSum: 199 }),
      file({}),
      ["does not take this image as it is (JPEG, 100 x 100 pixels, 1 KB): it is sent as a JPEG of 99 x 99 pixels"],
    ],
    ["where no images go", video({}), file({}), ["takes no images here"]],
    ["a video where none go", image({}), clip(), ["does not take videos here"]],
    ["a video as long as allowed", video({ seconds: { min: 3, max: 10 } }), clip(), []],
    ["a video too long", video({ seconds: { min: 3, max: 9 } }), clip(), ["takes 3 to 9 seconds, this video has 10"]],
    [
      "a video too short",
      video({ seconds: { min: 11, max: 60 } }),
      clip(),
      ["takes 11 to 60 seconds, this video has 10"],
    ],
    [
      "a video too small",
      video({ side: { min: 101 } }),
      clip(),
      ["takes at least 101 pixels a side, this video has 100 x 100"],
    ],
    ["an image of as many pixels as allowed", image({ maxPixels: 10_000 }), file({}), []],
    [
      "an image of too many pixels",
      image({ maxPixels: 9_999, types: ["image/gif"] }),
      animation(),
      ["takes at most 9999 pixels, this image has 10000 (100 x 100)"],
    ],
    ["a video as small as allowed", video({ minBytes: 2048 }), clip({ sizeBytes: 2048 }), []],
    [
      "a video that is too small",
      video({ minBytes: 2048 }),
      clip({ sizeBytes: 1024 }),
      ["takes no file below 2 KB, this one has 1.0 KB"],
    ],
    ["a video as wide as allowed", video({ maxWidth: 100 }), clip({ height: 200 }), []],
    [
      "a video too wide",
      video({ maxWidth: 99 }),
      clip({ height: 50 }),
      ["takes at most 99 pixels across, this video has 100"],
    ],
    [
      "23.976 frames a second",
      video({ frameRate: { min: 24, max: 60 } }),
      clip({ details: { frameRate: 23.976 } }),
      [],
    ],
    ["an unknown frame rate", video({ frameRate: { min: 24, max: 60 } }), clip(), []],
    [
      "too few frames a second",
      video({ frameRate: { min: 23, max: 60 } }),
      clip({ details: { frameRate: 22 } }),
      ["takes 23 to 60 frames a second, this video has 22"],
    ],
    [
      "too many frames a second",
      video({ frameRate: { min: 23, max: 60 } }),
      clip({ details: { frameRate: 61 } }),
      ["takes 23 to 60 frames a second, this video has 61"],
    ],
    ["a codec of those allowed", video({ codecs: ["avc", "hevc"] }), clip({ details: { videoCodec: "hevc" } }), []],
    [
      "another codec",
      video({ codecs: ["avc", "hevc"] }),
      clip({ details: { videoCodec: "vp9" } }),
      ["takes H.264, H.265 video, this file's is VP9"],
    ],
    [
      "sound of another codec",
      video({ audioCodecs: ["aac"] }),
      clip({ details: { audioCodec: "opus" } }),
      ["takes AAC audio, this file's is Opus"],
    ],
    [
      "a video of another type",
      video({}),
      clip({ contentType: "video/quicktime" }),
      ["takes MP4 videos, this file is MOV"],
    ],
    [
      "everything wrong at once",
      image({ maxBytes: MB, maxSideSum: 10, side: { max: 50 } }),
      animation({ sizeBytes: 2 * MB }),
      [
        "takes JPEG images, this file is GIF",
        "takes at most 1 MB, this file has 2.0 MB",
        "takes at most 50 pixels a side, this image has 100 x 100",
        "takes at most 10 pixels of width and height together, this image has 200",
      ],
    ],
  ])("%s", (_, limits, item, says) => {
    expect(said(limits, "", [item])).toEqual(says.map((one) => `attachmentPaths[0]: Net ${one}`));
  });
});

describe("several files", () => {
  const limits: Limits = { ...image({}), ...video({}), count: { min: 2, max: 3 } };
  test.each<[files: Media[], says: string[]]>([
    [[file({}), file({})], []],
    [[file({})], ["Net takes at least 2 images"]],
    [Array(4).fill(file({})), ["Net takes at most 3 images"]],
    [[...Array(3).fill(file({})), clip()], ["Net takes at most 3 attachments"]],
  ])("case %#", (files, says) => {
    expect(said(limits, "", files)).toEqual(says.map((one) => `attachmentPaths: ${one}`));
  });

  test("each problem names the position", () => {
    const odd = animation();
    expect(said(limits, "", [file({}), odd, clip()])).toEqual([
      "attachmentPaths[1]: Net takes JPEG images, this file is GIF",
    ]);
  });
});

describe("a cover", () => {
  const refusals = (limits: Limits, cover: Media) =>
    limitProblems("Net", limits, { content: "", settings: {}, media: [clip()], cover }).map(({ at, message }) => [
      at,
      message,
    ]);
  const limits: Limits = { ...video({}), cover: { types: ["image/jpeg"], maxBytes: MB } };
  test("is checked with its own limits", () => {
    expect(refusals(limits, file({ sizeBytes: MB }))).toEqual([]);
    expect(refusals(limits, clip({ sizeBytes: MB + 1 }))).toEqual([
      ["thumbnailPath", "Net takes JPEG images, this file is MP4"],
      ["thumbnailPath", "Net takes at most 1 MB, this file has 1.0 MB"],
    ]);
  });
  test("is not checked if the network takes none", () => {
    expect(refusals(video({}), file({ contentType: "image/png" }))).toEqual([]);
  });
});
