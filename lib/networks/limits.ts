import type { Problem } from "../errors";
import type { Markup } from "./text/markup";

/**
 * The limits of a format as data. Validation, the composer and the API reference all read them. Sizes are in bytes
 * (1 MB = 1,048,576 bytes), sides in pixels, ratios are width divided by height, durations are in seconds.
 */
export type Limits = Sourced & {
  /** Absent: the format has no text, and a given text is not sent. */
  text?: TextLimit;
  /** Limits of texts in the settings (such as a title), by the setting's name. */
  settings?: { [name: string]: TextLimit };
  /** Number of attachments in a carousel. */
  count?: { min: number; max: number };
  image?: ImageLimits;
  /** Limits of animated images, if they differ from those of still images. */
  animation?: AnimationLimits;
  video?: VideoLimits;
  document?: DocumentLimits;
  /** Limits of the file in `thumbnailPath`. Absent: the format has no cover, and a given cover is not sent. */
  cover?: ImageLimits;
  /** The cover is one of the attachments: `thumbnailPath` names it; the default is the first. */
  coverIsAttached?: true;
};

/**
 * The page that states these limits: the network's documentation, or that of another service if the network documents none. The
 * innermost `source` applies.
 */
export type Sourced = { source?: string };

/** Another service's page that states limits which Facebook, Instagram and LinkedIn do not document. */
export const UPLOAD_POST = "https://docs.upload-post.com/resources/character-limits/";

export type TextLimit = Sourced & {
  max: number;
  /** How the network counts; see `textLength`. */
  unit: TextUnit;
  /** Maximum UTF-8 bytes, if the network limits them in addition. */
  bytes?: number;
  /** Long links are shortened when shown, and counted in their shortened form; see `shownText`. */
  shortLinks?: true;
  /** The setting that names the markup of the text. Markup is not counted. */
  markupSetting?: string;
  /** The markup of this text; see `limitsFor`. */
  markup?: Markup;
  /** Rejects text that is empty after trimming. */
  required?: boolean;
  hashtags?: number;
  mentions?: number;
  /** `$TICKER` symbols. */
  cashtags?: number;
  /** Web addresses; duplicates count once. */
  links?: number;
};

export type TextUnit =
  | "code points"
  | "UTF-16 units"
  | "graphemes"
  | "bytes"
  | "weighted characters"
  | "characters and emoji bytes";

export type ImageLimits = Sourced & {
  /** What the network accepts, if we accept more: images beyond it are converted. */
  sentAs?: Pick<ImageLimits, "types" | "side" | "shorterSide">;
  types: string[];
  maxBytes?: number;
  /** From `min` up to `certainMin`, sources disagree: a warning, and the network decides. */
  ratio?: { min: number; max: number; certainMin?: number };
  /** `min` applies to the shorter side, `max` to the longer side. */
  side?: { min?: number; max?: number };
  /** Maximum of the shorter side, if the network also limits that. */
  shorterSide?: { max: number };
  /** Telegram limits the sum of width and height. */
  maxSideSum?: number;
  /** LinkedIn limits width times height. */
  maxPixels?: number;
  /** Frames of an animation. */
  maxFrames?: number;
  /** Limit of the alternative text, if the network takes one and documents its length. */
  altText?: TextLimit;
};

/** Animations can also have a limit on width times height times frames. */
export type AnimationLimits = ImageLimits & { maxFramePixels?: number };

export type VideoLimits = Sourced & {
  types: string[];
  minBytes?: number;
  maxBytes?: number;
  seconds?: { min?: number; max?: number };
  /** `isOpen`: the bounds themselves are not accepted. */
  ratio?: { min: number; max: number; isOpen?: true };
  /** As for images. */
  side?: { min?: number; max?: number };
  shorterSide?: { max: number };
  /** Minimum of the longer side, if the network also limits that. */
  longerSide?: { min: number };
  /** Maximum width, if only the width is limited. */
  maxWidth?: number;
  /** Video codecs, by the names that media responses use: see `codecNames`. */
  codecs?: string[];
  /** Chroma subsampling, for example `4:2:0`. */
  chroma?: string[];
  /** Bits of each colour value. */
  bitDepth?: { max: number };
  squarePixels?: true;
  /** Frames that consist of two fields may be refused. */
  progressive?: true;
  /** Bits per second of the video track. */
  videoBitRate?: { max: number };
  /** Audio codecs, if the video has sound. */
  audioCodecs?: string[];
  audioChannels?: { max: number };
  /** In hertz. */
  audioSampleRate?: { max: number };
  /** Frames per second. `isFixed`: a variable rate may be refused. */
  frameRate?: { min?: number; max?: number; isFixed?: true };
  /** The index (`moov`) must come before the data: "fast start". Other videos are rewrapped when they are sent. */
  indexInFront?: true;
  /** Edit lists are refused. Those that only align the tracks are removed by rewrapping. */
  noEditLists?: true;
  /** As for images. */
  altText?: TextLimit;
};

/** Limits of PDF files. */
export type DocumentLimits = Sourced & { maxBytes?: number; maxPages?: number };

export type FileKind = "image" | "video" | "document";

export function fileKindOf(contentType: string): FileKind {
  if (contentType.startsWith("video/")) return "video";
  return contentType === "application/pdf" ? "document" : "image";
}

/** A violated rule before the post's index is known; `at` is the path of the field within the post. */
export type FieldProblem = Omit<Problem, "path"> & { at: string };

export const MB = 1_048_576;

/** Returns the problem of a list in the settings that has too few or too many entries. */
export function countProblems(
  network: string,
  setting: string,
  entries: unknown[],
  { min = 0, max }: { min?: number; max: number },
  source: string,
): FieldProblem[] {
  const measured = entries.length;
  if (measured >= min && measured <= max) return [];
  const problem = {
    at: `platformSettings.${setting}`,
    rule: "settings.count",
    measured,
    limit: min > 0 ? { min, max } : { max },
    source,
  };
  if (measured < min)
    return [
      { ...problem, message: `${network} needs at least ${min} here, not ${measured}`, fix: `Add ${min - measured}` },
    ];
  const message = `${network} takes at most ${max} here, not ${measured}`;
  const change = { op: "replace", value: entries.slice(0, max) } as const;
  return [{ ...problem, message, fix: `Remove ${measured - max}`, change }];
}

/** Display names of the content types that can be uploaded. */
export const typeNames: { [contentType: string]: string } = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "image/gif": "GIF",
  "image/avif": "AVIF",
  "image/tiff": "TIFF",
  "video/mp4": "MP4",
  "video/quicktime": "MOV",
  "video/webm": "WebM",
  "video/x-matroska": "MKV",
  "application/pdf": "PDF",
};

/** Display names of the codecs. */
export const codecNames: { [codec: string]: string } = {
  avc: "H.264",
  hevc: "H.265",
  vp8: "VP8",
  vp9: "VP9",
  av1: "AV1",
  aac: "AAC",
  mp3: "MP3",
  opus: "Opus",
  vorbis: "Vorbis",
};
