import type {
  AnimationLimits,
  DocumentLimits,
  FileKind,
  ImageLimits,
  Limits,
  TextLimit,
  VideoLimits,
} from "../../networks";
import type { KnownMedia } from "../check/facts";

/** What a post has, as far as a limit asks for it. */
export type Given = {
  content?: string;
  settings?: { [name: string]: string };
  media?: KnownMedia[];
  cover?: KnownMedia;
};

/** One datum of a format's limits (`of` is its path), what keeps the rule, at its very bound too, and what breaks it by one. */
type Bound = { of: string; rule: string; keeps: Given[]; breaks: Given };

/** A file that keeps every limit of a network, as long as its facts say nothing else. */
export const knownFile = (facts: Partial<KnownMedia>): KnownMedia => ({
  contentType: "image/jpeg",
  sizeBytes: 1,
  width: 1000,
  height: 1000,
  durationSeconds: null,
  details: {},
  ...facts,
});

/** The paths of everything in a format's limits that can be broken: numbers, lists, and what is required. */
export function breakable(limits: object): string[] {
  return Object.entries(limits).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === "number" || Array.isArray(value) || (name === "required" && value)) return [name];
    if (typeof value !== "object" || value === null) return [];
    return breakable(value).map((path) => `${name}.${path}`);
  });
}

/** Every bound of a format's limits. */
export function boundsOf({ text, settings = {}, count, image, animation, video, document, cover }: Limits): Bound[] {
  const one = knownFile({ contentType: image?.types[0] ?? video?.types[0] });
  const asPdf = (item: KnownMedia): Given => alone({ ...item, contentType: "application/pdf" });
  const several = (length: number): Given => ({ media: Array.from({ length }, () => one) });
  const alone = (item: KnownMedia): Given => ({ media: [item] });
  const moving = (item: KnownMedia): Given => ({ media: [{ ...item, details: { frames: 2, ...item.details } }] });
  return [
    ...(text ? textBounds("text", text, (content) => ({ content })) : []),
    ...Object.entries(settings).flatMap(([name, limit]) =>
      textBounds(`settings.${name}`, limit, (value) => ({ settings: { [name]: value } })),
    ),
    ...range("count", "media.count", count, several),
    ...(image ? fileBounds("image", "image", image, alone) : []),
    ...(animation ? fileBounds("animation", "image", animation, moving) : []),
    ...(video ? fileBounds("video", "video", video, alone) : []),
    ...(document ? fileBounds("document", "document", document, asPdf) : []),
    ...(cover ? fileBounds("cover", "image", cover, (item) => ({ media: [one], cover: item })) : []),
  ];
}

function atMost(of: string, rule: string, max: number | undefined, as: (value: number) => Given, by = 1): Bound[] {
  return max === undefined ? [] : [{ of, rule, keeps: [as(max - by), as(max)], breaks: as(max + by) }];
}

function atLeast(of: string, rule: string, min: number | undefined, as: (value: number) => Given, by = 1): Bound[] {
  return min === undefined ? [] : [{ of, rule, keeps: [as(min + by), as(min)], breaks: as(min - by) }];
}

type Range = { min?: number; max?: number };

function range(of: string, rule: string, { min, max }: Range = {}, as: (value: number) => Given, by = 1): Bound[] {
  return [...atLeast(`${of}.min`, rule, min, as, by), ...atMost(`${of}.max`, rule, max, as, by)];
}

function oneOf(of: string, rule: string, list: string[] | undefined, as: (value: string) => Given): Bound[] {
  return list ? [{ of, rule, keeps: list.map(as), breaks: as("other") }] : [];
}

/** A text of one visible character with this many bytes of UTF-8. */
const FAMILY = "👨‍👩‍👧‍👦";
const FAMILY_BYTES = 25;

function textBounds(of: string, limit: TextLimit, as: (text: string) => Given): Bound[] {
  const most = (name: string, rule: string, max: number | undefined, text: (count: number) => string) =>
    atMost(`${of}.${name}`, `text.${rule}`, max, (count) => as(text(count)));
  const times = (word: string) => (count: number) => word.repeat(count);
  const weighing = (bytes: number) =>
    FAMILY.repeat(Math.floor(bytes / FAMILY_BYTES)) + "a".repeat(bytes % FAMILY_BYTES);
  const links = (count: number) => Array.from({ length: count }, (_, index) => `https://a.example/${index}`).join(" ");
  return [
    ...most("max", "length", limit.max, times("a")),
    ...most("bytes", "bytes", limit.bytes, weighing),
    ...most("hashtags", "hashtags", limit.hashtags, times("#a ")),
    ...most("mentions", "mentions", limit.mentions, times("@a ")),
    ...most("cashtags", "cashtags", limit.cashtags, times("$A ")),
    ...most("links", "links", limit.links, links),
    ...(limit.required
      ? [{ of: `${of}.required`, rule: "text.required", keeps: [as("a"), as("aa")], breaks: as(" ") }]
      : []),
  ];
}

type FileLimits = Partial<ImageLimits & AnimationLimits & VideoLimits & DocumentLimits>;

function fileBounds(of: string, kind: FileKind, limits: FileLimits, as: (item: KnownMedia) => Given): Bound[] {
  const given = (facts: Partial<KnownMedia>) =>
    as(knownFile({ contentType: limits.types?.[0], durationSeconds: 10, ...facts }));
  const its = (name: string) => `${of}.${name}`;
  const details = (name: string) => (value: string | number) => given({ details: { [name]: value } });
  const { ratio, side, longerSide, seconds, frameRate, sentAs } = limits;
  const upright = (width: number) => given({ width, height: Math.max(width, longerSide?.min ?? width) });
  return [
    ...oneOf(its("types"), "media.type", limits.types, (contentType) =>
      given({ contentType: contentType === "other" ? `${kind}/other` : contentType }),
    ),
    ...atLeast(its("minBytes"), "media.size", limits.minBytes, (sizeBytes) => given({ sizeBytes })),
    ...atMost(its("maxBytes"), "media.size", limits.maxBytes, (sizeBytes) => given({ sizeBytes })),
    ...ratioBounds(its("ratio"), kind, ratio, given),
    ...range(its("side"), `${kind}.side`, side, upright),
    ...atLeast(its("longerSide.min"), `${kind}.side`, longerSide?.min, (height) =>
      given({ width: side?.min ?? height, height }),
    ),
    ...atMost(its("shorterSide.max"), `${kind}.shorter_side`, limits.shorterSide?.max, (height) =>
      given({ width: 10_000, height }),
    ),
    ...atMost(its("maxSideSum"), "image.side_sum", limits.maxSideSum, (sum) => given({ width: 10, height: sum - 10 })),
    ...atMost(its("maxPixels"), "image.pixels", limits.maxPixels, (width) => given({ width, height: 1 })),
    ...atMost(its("maxFrames"), "image.frames", limits.maxFrames, (frames) =>
      given({ width: 1, height: 1, details: { frames } }),
    ),
    ...atMost(
      its("maxFramePixels"),
      "image.frame_pixels",
      limits.maxFramePixels,
      (pixels) => given({ width: pixels / 2, height: 1, details: { frames: 2 } }),
      2,
    ),
    ...atMost(its("maxPages"), "document.pages", limits.maxPages, details("pages")),
    ...atMost(its("maxWidth"), "video.width", limits.maxWidth, (width) => given({ width })),
    ...range(its("seconds"), "video.seconds", seconds, (durationSeconds) => given({ durationSeconds }), 0.1),
    ...range(its("frameRate"), "video.frame_rate", frameRate, details("frameRate")),
    ...atMost(its("altText.max"), "media.alt_text", limits.altText?.max, (count) =>
      given({ altText: "a".repeat(count) }),
    ),
    ...oneOf(its("codecs"), "video.codec", limits.codecs, details("videoCodec")),
    ...oneOf(its("chroma"), "video.chroma", limits.chroma, details("chroma")),
    ...atMost(its("bitDepth.max"), "video.bit_depth", limits.bitDepth?.max, details("bitDepth")),
    ...atMost(its("videoBitRate.max"), "video.bit_rate", limits.videoBitRate?.max, details("videoBitRate")),
    ...oneOf(its("audioCodecs"), "audio.codec", limits.audioCodecs, details("audioCodec")),
    ...atMost(its("audioChannels.max"), "audio.channels", limits.audioChannels?.max, details("audioChannels")),
    ...atMost(its("audioSampleRate.max"), "audio.sample_rate", limits.audioSampleRate?.max, details("audioSampleRate")),
    ...(sentAs ? conversionBounds(its("sentAs"), sentAs, given) : []),
  ];
}

/** In pixels, the least that a ratio can differ by; an image so small that it isn't scaled before it is judged. */
function ratioBounds(
  of: string,
  kind: FileKind,
  ratio: FileLimits["ratio"],
  given: (facts: Partial<KnownMedia>) => Given,
): Bound[] {
  if (!ratio) return [];
  const height = ratio.max > 4 && kind === "image" ? 100 : 1000;
  const wide = (width: number) => given({ width, height });
  const [least, most] = ratio.isOpen
    ? [Math.floor(ratio.min * height) + 1, Math.ceil(ratio.max * height) - 1]
    : [Math.ceil(ratio.min * height), Math.floor(ratio.max * height)];
  const certain = "certainMin" in ratio ? ratio.certainMin : undefined;
  return [
    ...atLeast(`${of}.min`, "media.ratio", least, wide),
    ...atMost(`${of}.max`, "media.ratio", most, wide),
    ...atLeast(`${of}.certainMin`, "media.ratio_uncertain", certain && Math.ceil(certain * height), wide),
  ];
}

/** The network's own limits: a larger image is converted, with a warning. */
function conversionBounds(
  of: string,
  { types, side, shorterSide }: NonNullable<ImageLimits["sentAs"]>,
  given: (facts: Partial<KnownMedia>) => Given,
): Bound[] {
  const rule = "image.converted";
  const [width, height] = [side?.max, shorterSide?.max ?? side?.max];
  const at = (contentType: string) => given({ contentType: contentType === "other" ? "image/png" : contentType });
  return [
    ...oneOf(`${of}.types`, rule, types, at),
    ...atMost(`${of}.side.max`, rule, width, (longer) => given({ width: longer, height })),
    ...atMost(`${of}.shorterSide.max`, rule, shorterSide?.max, (shorter) => given({ width: shorter, height: shorter })),
  ];
}
