import type { Problem } from "../errors";

/**
 * A format's limits as data, read by validation, by the composer and by the reference alike. Sizes are bytes (MB is
 * 1,048,576 of them), sides pixels, ratios width divided by height, durations seconds.
 */
export type Limits = Sourced & {
  /** Absent: this format takes no text, and what is given is not sent. */
  text?: TextLimit;
  /** Texts among the settings (a title), by the setting's name. */
  settings?: { [name: string]: TextLimit };
  /** Attachments, for a carousel. */
  count?: { min: number; max: number };
  image?: ImageLimits;
  /** An image that moves, where its limits are others than a still one's. */
  animation?: AnimationLimits;
  video?: VideoLimits;
  /** What `thumbnailPath` may name. Absent: this format takes no cover, and what is given is not sent. */
  cover?: ImageLimits;
  /** The cover is one of the attachments: `thumbnailPath` says which, the first where it is not given. */
  coverIsAttached?: true;
};

/** The network's own page on these limits; the nearest one counts. */
export type Sourced = { source?: string };

export type TextLimit = Sourced & {
  max: number;
  /** How the network counts; see `textLength`. */
  unit: TextUnit;
  /** At most so many bytes of UTF-8, where the network bounds them besides. */
  bytes?: number;
  /** Long links are shown cut, and count as they are shown; see `shownText`. */
  shortLinks?: true;
  /** Text that is empty after trimming is refused. */
  required?: boolean;
  hashtags?: number;
  mentions?: number;
  /** `$TICKER`s. */
  cashtags?: number;
  /** Addresses, each different one once. */
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
  /** What the network itself takes, where more is taken here: an image beyond it is converted. */
  sentAs?: Pick<ImageLimits, "types" | "side" | "shorterSide">;
  types: string[];
  maxBytes?: number;
  ratio?: { min: number; max: number };
  /** The shorter side is bounded from below, the longer from above. */
  side?: { min?: number; max?: number };
  /** The shorter side, where that too is bounded from above. */
  shorterSide?: { max: number };
  /** Telegram bounds width and height together. */
  maxSideSum?: number;
  /** LinkedIn bounds width times height. */
  maxPixels?: number;
  /** Pictures in an image that moves. */
  maxFrames?: number;
  /** Of what it shows in words, where the network takes such a text and says how long it may be. */
  altText?: TextLimit;
};

/** Width times height times frames is bounded besides. */
export type AnimationLimits = ImageLimits & { maxFramePixels?: number };

export type VideoLimits = Sourced & {
  types: string[];
  minBytes?: number;
  maxBytes?: number;
  seconds?: { min?: number; max?: number };
  /** `isOpen`: neither bound itself is taken. */
  ratio?: { min: number; max: number; isOpen?: true };
  /** As for images. */
  side?: { min?: number; max?: number };
  shorterSide?: { max: number };
  /** The longer side, where that too is bounded from below. */
  longerSide?: { min: number };
  /** Pixels across, where only those are bounded. */
  maxWidth?: number;
  /** Of the picture track, as media answers name them: see `codecNames`. */
  codecs?: string[];
  /** Of the sound, where there is any. */
  audioCodecs?: string[];
  /** Frames a second. */
  frameRate?: { min?: number; max?: number };
  /** As for images. */
  altText?: TextLimit;
};

/** What breaks a rule, before it is known which post it is in; `at` is the field's path from there on. */
export type Breach = Omit<Problem, "path"> & { at: string };

export const MB = 1_048_576;

/** The content types an upload can have, under the name that a person knows them by. */
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
};

/** The codecs a video can have, under the name that a person knows them by. */
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
