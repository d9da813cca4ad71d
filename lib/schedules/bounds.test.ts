import { describe, expect, test } from "vitest";
import {
  type AnimationLimits,
  allNetworks,
  type Formats,
  type Limits,
  type TextLimit,
  type VideoLimits,
} from "../networks";
import { formatBreaches } from "./check";
import type { KnownMedia } from "./facts";
import { limitBreaches } from "./limits";

type Given = { content?: string; settings?: { [name: string]: string }; media?: KnownMedia[]; cover?: KnownMedia };
/** What keeps the rule at its very bound, and what breaks it by one. */
type Bound = { rule: string; bound: string; keeps: Given; breaks: Given };

const file = (facts: Partial<KnownMedia>): KnownMedia => ({
  contentType: "image/jpeg",
  sizeBytes: 1,
  width: 1000,
  height: 1000,
  durationSeconds: null,
  details: {},
  ...facts,
});

function textBounds(limit: TextLimit, as: (content: string) => Given): Bound[] {
  const of = (what: string, max: number | undefined, word: (count: number) => string): Bound[] =>
    max === undefined
      ? []
      : [{ rule: `text.${what}`, bound: `${what} ${max}`, keeps: as(word(max)), breaks: as(word(max + 1)) }];
  return [
    ...of("length", limit.max, (count) => "a".repeat(count)),
    ...of("hashtags", limit.hashtags, (count) => "#a ".repeat(count)),
    ...of("mentions", limit.mentions, (count) => "@a ".repeat(count)),
    ...of("cashtags", limit.cashtags, (count) => "$A ".repeat(count)),
    ...(limit.required ? [{ rule: "text.required", bound: "required", keeps: as("a"), breaks: as(" ") }] : []),
  ];
}

type Sized = AnimationLimits & VideoLimits;

function fileBounds(kind: "image" | "video", limits: Partial<Sized>, as: (item: KnownMedia) => Given): Bound[] {
  const type = limits.types?.[0] ?? "";
  const given = (facts: Partial<KnownMedia>) => as(file({ contentType: type, durationSeconds: 10, ...facts }));
  const pair = (rule: string, bound: unknown, keeps: Partial<KnownMedia>, breaks: Partial<KnownMedia>): Bound => ({
    rule,
    bound: `${rule} ${bound}`,
    keeps: given(keeps),
    breaks: given(breaks),
  });
  const { maxBytes, ratio, side, shorterSide, maxSideSum, maxWidth, seconds, frameRate, codecs, audioCodecs } = limits;
  const { minBytes, maxFrames, maxPixels, maxFramePixels } = limits;
  const both = (
    rule: string,
    { min, max }: { min?: number; max?: number } = {},
    facts: (value: number) => Partial<KnownMedia>,
  ) => [
    ...(min === undefined ? [] : [pair(rule, min, facts(min), facts(min - 1))]),
    ...(max === undefined ? [] : [pair(rule, max, facts(max), facts(max + 1))]),
  ];
  const tall = (ratio?.max ?? 0) > 4 && kind === "image" ? 100 : 1000; // so that an image is not scaled before it is judged
  return [
    pair("media.type", type, {}, { contentType: `${kind}/other` }),
    ...both("media.size", { min: minBytes, max: maxBytes }, (sizeBytes) => ({ sizeBytes })),
    ...(ratio
      ? [
          pair(
            "media.ratio",
            ratio.min,
            { width: Math.ceil(ratio.min * tall), height: tall },
            { width: Math.ceil(ratio.min * tall) - 1, height: tall },
          ),
          pair(
            "media.ratio",
            ratio.max,
            { width: Math.floor(ratio.max * tall), height: tall },
            { width: Math.floor(ratio.max * tall) + 1, height: tall },
          ),
        ]
      : []),
    ...both(`${kind}.side`, { min: side?.min }, (height) => ({ width: side?.min, height })),
    ...both(`${kind}.side`, { max: side?.max }, (height) => ({ width: side?.max, height })),
    ...both(`${kind}.shorter_side`, { max: shorterSide?.max }, (height) => ({ width: 10_000, height })),
    ...both("image.frames", { max: maxFrames }, (frames) => ({ width: 1, height: 1, details: { frames } })),
    ...both("image.pixels", { max: maxPixels }, (width) => ({ width, height: 1 })),
    ...both("image.frame_pixels", { max: maxFramePixels }, (pixels) => ({
      width: pixels / 2,
      height: 1,
      details: { frames: 2 },
    })),
    ...both("image.side_sum", { max: maxSideSum }, (sum) => ({ width: 10, height: sum - 10 })),
    ...both("video.width", { max: maxWidth }, (width) => ({ width })),
    ...both("video.seconds", seconds, (durationSeconds) => ({ durationSeconds })),
    ...both("video.frame_rate", frameRate, (rate) => ({ details: { frameRate: rate } })),
    ...(codecs
      ? [pair("video.codec", codecs[0], { details: { videoCodec: codecs[0] } }, { details: { videoCodec: "other" } })]
      : []),
    ...(audioCodecs
      ? [
          pair(
            "audio.codec",
            audioCodecs[0],
            { details: { audioCodec: audioCodecs[0] } },
            { details: { audioCodec: "other" } },
          ),
        ]
      : []),
  ];
}

function boundsOf({ text, settings = {}, count, image, animation, video, cover }: Limits): Bound[] {
  const one = file({ contentType: image?.types[0] ?? video?.types[0] });
  const several = (length: number): Given => ({ media: Array.from({ length }, () => one) });
  const alone = (item: KnownMedia): Given => ({ media: [item] });
  const moving = (item: KnownMedia): Given => ({ media: [{ ...item, details: { frames: 2, ...item.details } }] });
  return [
    ...(text ? textBounds(text, (content) => ({ content })) : []),
    ...Object.entries(settings).flatMap(([name, limit]) =>
      textBounds(limit, (content) => ({ settings: { [name]: content } })),
    ),
    ...(count
      ? [
          {
            rule: "media.count",
            bound: `count ${count.min}`,
            keeps: several(count.min),
            breaks: several(count.min - 1),
          },
          {
            rule: "media.count",
            bound: `count ${count.max}`,
            keeps: several(count.max),
            breaks: several(count.max + 1),
          },
        ]
      : []),
    ...(image ? fileBounds("image", image, alone) : []),
    ...(animation ? fileBounds("image", animation, moving) : []),
    ...(video ? fileBounds("video", video, alone) : []),
    ...(cover ? fileBounds("image", cover, (item) => ({ media: [one], cover: item })) : []),
  ];
}

const PAGE = /^https:\/\/[\w.]+\//;

/** What an image breaks of these is mended by the worker, and only said (lib/schedules/fit.ts). */
const CONVERTIBLE = ["media.type", "media.size", "image.side", "image.side_sum", "image.pixels"];

const breachesOf = (limits: Limits, given: Given) =>
  limitBreaches("Net", limits, { content: "", settings: {}, media: [], ...given });

const variantsOf = ({
  formats,
  variants,
}: {
  formats: Formats<unknown>;
  variants?: { formats: { [value: string]: Formats<unknown> } };
}) => Object.entries(variants?.formats ?? { "": formats });

describe.each(allNetworks())("$platform", (network) => {
  const rows = variantsOf(network).flatMap(([variant, formats]) =>
    Object.entries(formats).flatMap(([name, { limits }]) =>
      boundsOf(limits).map((bound) => ({ ...bound, limits, when: `${name} ${variant}`.trim() })),
    ),
  );
  test.each(rows)("$when: $bound at the bound, and one beyond it", ({ limits, rule, keeps, breaks }) => {
    const isMended = CONVERTIBLE.includes(rule) && !limits.image?.sentAs; // else it is judged as it came
    const rules = isMended ? [rule, "image.converted"] : [rule];
    const broken = (given: Given) => breachesOf(limits, given).filter((found) => rules.includes(found.rule));
    expect(broken(keeps)).toEqual([]);
    const [breach, ...others] = broken(breaks);
    expect(others).toEqual([]);
    expect(breach?.source).toMatch(PAGE);
    if (breach?.severity === "warning") return;
    expect(breach).toMatchObject({ measured: expect.anything(), limit: expect.anything(), fix: expect.any(String) });
  });
});

test("a rule that is no limit of one field names its page too, as does a format that is not taken", () => {
  const youtube = allNetworks().find(({ platform }) => platform === "YOUTUBE");
  const pagesOf = (attachmentPaths: string[], media: KnownMedia[]) =>
    youtube &&
    formatBreaches(youtube, { title: "a < b" }, { content: "", attachmentPaths }, media).map(({ rule, source }) => [
      rule,
      source,
    ]);
  const video = file({ contentType: "video/mp4", durationSeconds: 10 });
  expect(pagesOf(["a"], [video])).toEqual([[expect.any(String), expect.stringMatching(PAGE)]]);
  expect(pagesOf([], [])).toEqual([["format.unsupported", expect.stringMatching(PAGE)]]);
});
