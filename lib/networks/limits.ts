import type { Problem } from "../errors";

/**
 * A format's limits as data, read by validation, by the composer and by the reference alike. Sizes are bytes (MB is
 * 1,048,576 of them), sides pixels, ratios width divided by height, durations seconds.
 */
export type Limits = {
  /** Absent: this format takes no text, and what is given is not sent. */
  text?: TextLimit;
  /** Texts among the settings (a title), by the setting's name. */
  settings?: { [name: string]: TextLimit };
  /** Attachments, for a carousel. */
  count?: { min: number; max: number };
  image?: ImageLimits;
  video?: VideoLimits;
};

export type TextLimit = {
  max: number;
  /** How the network counts; see `textLength`. */
  unit: TextUnit;
  /** At most so many bytes of UTF-8, where the network bounds them besides. */
  bytes?: number;
  /** Text that is empty after trimming is refused. */
  required?: boolean;
  hashtags?: number;
  mentions?: number;
  /** `$TICKER`s. */
  cashtags?: number;
};

export type TextUnit = "code points" | "UTF-16 units" | "graphemes" | "bytes" | "weighted characters";

export type ImageLimits = {
  types: string[];
  maxBytes?: number;
  ratio?: { min: number; max: number };
  /** The shorter side is bounded from below, the longer from above. */
  side?: { min?: number; max?: number };
  /** Telegram bounds width and height together. */
  maxSideSum?: number;
};

export type VideoLimits = {
  types: string[];
  maxBytes?: number;
  seconds?: { min?: number; max?: number };
  ratio?: { min: number; max: number };
  /** As for images. */
  side?: { min?: number; max?: number };
  /** Frames a second. */
  frameRate?: { min?: number; max?: number };
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
