import type { Problem } from "../../errors";
import {
  type AnimationLimits,
  codecNames,
  type DocumentLimits,
  type ImageLimits,
  type Limits,
  MB,
  type VideoLimits,
} from "../../networks";
import { asSent, containerCauses, conversionWarning, typeName } from "./conversion";
import type { KnownMedia } from "./facts";

/** A problem with a limit, without the path of the field. */
export type LimitProblem = Omit<Problem, "path">;

/** Returns the limits for an image: those for animations if it is animated and the network has separate ones. */
export function pictureLimits({ image, animation }: Limits, { details: { frames = 1 } }: KnownMedia) {
  return animation && frames > 1 ? animation : image;
}

/** Returns the problems of an image, animated or not. */
export function pictureProblems(network: string, limits: Limits, item: KnownMedia): LimitProblem[] {
  const by = pictureLimits(limits, item);
  const problems = imageProblems(network, by, item);
  return by && by === limits.animation ? [...problems, ...framePixelProblems(network, by, item)] : problems;
}

function framePixelProblems(network: string, { maxFramePixels }: AnimationLimits, item: KnownMedia): LimitProblem[] {
  const pixels = (item.width ?? 0) * (item.height ?? 0) * (item.details.frames ?? 1);
  if (maxFramePixels === undefined || pixels <= maxFramePixels) return [];
  const message = `${network} takes at most ${maxFramePixels} pixels in all frames together, this image has ${pixels}`;
  const limit = { max: maxFramePixels };
  return [{ message, rule: "image.frame_pixels", measured: pixels, limit, fix: "Resize the image" }];
}

/** Returns the problems of an image in the form in which it will be sent. */
export function imageProblems(network: string, limits: ImageLimits | undefined, item: KnownMedia): LimitProblem[] {
  if (!limits) return [{ message: `${network} takes no images here`, rule: "image.unsupported" }];
  const sent = asSent(limits, item);
  // If larger images are accepted and converted (`sentAs`), the limits apply to the original file.
  const judged = limits.sentAs ? item : sent;
  const [width, height] = [judged.width ?? 0, judged.height ?? 0];
  const problems = fileProblems(network, "images", limits, judged);
  if (sent !== item) problems.push(conversionWarning(network, item, sent));
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, width, height));
  problems.push(...sideProblems(network, "image", limits, width, height));
  if (limits.maxSideSum !== undefined && width + height > limits.maxSideSum) {
    const message = `${network} takes at most ${limits.maxSideSum} pixels of width and height together, this image has ${width + height}`;
    const limit = { max: limits.maxSideSum };
    problems.push({ message, rule: "image.side_sum", measured: width + height, limit, fix: "Resize the image" });
  }
  return [...problems, ...pixelProblems(network, limits, judged)];
}

/** Returns the problems with the number of pixels and frames. */
function pixelProblems(network: string, { maxPixels, maxFrames }: ImageLimits, item: KnownMedia): LimitProblem[] {
  const problems: LimitProblem[] = [];
  const pixels = (item.width ?? 0) * (item.height ?? 0);
  if (maxPixels !== undefined && pixels > maxPixels) {
    const message = `${network} takes at most ${maxPixels} pixels, this image has ${pixels} (${item.width} x ${item.height})`;
    const limit = { max: maxPixels };
    problems.push({ message, rule: "image.pixels", measured: pixels, limit, fix: "Resize the image" });
  }
  const { frames = 1 } = item.details;
  if (maxFrames !== undefined && frames > maxFrames) {
    const message = `${network} takes at most ${maxFrames} frames, this image has ${frames}`;
    const fix = "Leave frames out";
    problems.push({ message, rule: "image.frames", measured: frames, limit: { max: maxFrames }, fix });
  }
  return problems;
}

/** Returns the problems of a video and its tracks. */
export function videoProblems(network: string, limits: VideoLimits | undefined, item: KnownMedia): LimitProblem[] {
  if (!limits) return [{ message: `${network} does not take videos here`, rule: "video.unsupported" }];
  const problems = fileProblems(network, "videos", limits, item);
  const { width, height } = { width: item.width ?? 0, height: item.height ?? 0 };
  const seconds = item.durationSeconds ?? 0;
  if (limits.seconds && isOutside(limits.seconds, seconds)) {
    const message = `${network} takes ${boundsOf(limits.seconds)} seconds, this video has ${seconds}`;
    const fix = seconds < (limits.seconds.min ?? 0) ? "Use a longer video" : "Cut the video";
    problems.push({ message, rule: "video.seconds", measured: seconds, limit: limits.seconds, fix });
  }
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, width, height));
  problems.push(...sideProblems(network, "video", limits, width, height));
  if (limits.maxWidth !== undefined && width > limits.maxWidth) {
    const message = `${network} takes at most ${limits.maxWidth} pixels across, this video has ${width}`;
    const limit = { max: limits.maxWidth };
    problems.push({ message, rule: "video.width", measured: width, limit, fix: "Resize the video" });
  }
  problems.push(...containerProblems(network, limits, item));
  return [...problems, ...trackProblems(network, limits, item.details)];
}

/**
 * Returns the problems of a container that cannot be removed by rewrapping (`videoRecipeFor`). They are reported for the video
 * as it would be sent, so one that is rewrapped has none.
 */
function containerProblems(network: string, limits: VideoLimits, item: KnownMedia): LimitProblem[] {
  const { index, editList } = item.details;
  if (!index) return []; // what is not known is not refused
  return containerCauses(limits, item).map((cause) => {
    const message = `${network} does not take this video, because it ${cause}, and Carillon cannot copy it into another container`;
    const fix = "Export the video again as MP4 with H.264 and AAC, with fast start";
    return {
      message,
      rule: "video.container",
      measured: editList ?? index,
      limit: "moov in front, no edit lists",
      fix,
    };
  });
}

/** Returns the problems of a document. */
export function documentProblems(
  network: string,
  limits: DocumentLimits | undefined,
  item: KnownMedia,
): LimitProblem[] {
  if (!limits) return [{ message: `${network} does not take documents here`, rule: "document.unsupported" }];
  const problems = sizeProblems(network, limits, item);
  const { pages = 0 } = item.details;
  if (limits.maxPages !== undefined && pages > limits.maxPages) {
    const message = `${network} takes at most ${limits.maxPages} pages, this document has ${pages}`;
    const limit = { max: limits.maxPages };
    problems.push({ message, rule: "document.pages", measured: pages, limit, fix: "Leave pages out" });
  }
  return problems;
}

/** Returns the problems of the tracks, as far as they are known. Frame rates are rounded: 59.94 counts as 60. */
function trackProblems(network: string, limits: VideoLimits, details: KnownMedia["details"]): LimitProblem[] {
  const { frameRate, videoCodec, audioCodec, bitDepth, videoBitRate, audioChannels, audioSampleRate } = details;
  const problems: LimitProblem[] = [];
  if (limits.frameRate && frameRate !== undefined && isOutside(limits.frameRate, Math.round(frameRate))) {
    const { isFixed: _, ...limit } = limits.frameRate;
    const message = `${network} takes ${boundsOf(limit)} frames a second, this video has ${frameRate}`;
    const fix = "Convert the video to another frame rate";
    problems.push({ message, rule: "video.frame_rate", measured: frameRate, limit, fix });
  }
  problems.push(...codecProblems(network, "video", limits.codecs, videoCodec));
  problems.push(...codecProblems(network, "audio", limits.audioCodecs, audioCodec));
  const counted = [
    { rule: "video.bit_depth", limit: limits.bitDepth, measured: bitDepth, unit: "bits a colour value" },
    { rule: "video.bit_rate", limit: limits.videoBitRate, measured: videoBitRate, unit: "bits a second" },
    { rule: "audio.channels", limit: limits.audioChannels, measured: audioChannels, unit: "audio channels" },
    { rule: "audio.sample_rate", limit: limits.audioSampleRate, measured: audioSampleRate, unit: "Hz of audio" },
  ];
  for (const { rule, limit, measured, unit } of counted) {
    if (!limit || measured === undefined || measured <= limit.max) continue;
    const message = `${network} takes at most ${limit.max} ${unit}, this video has ${measured}`;
    problems.push({ message, rule, measured, limit, fix: `Convert the video to at most ${limit.max} ${unit}` });
  }
  return [...problems, ...pictureKindProblems(network, limits, details)];
}

/** Returns the problems with the kind of the pictures. Whether pictures are interlaced is only known to be possible. */
function pictureKindProblems(
  network: string,
  { chroma: taken, squarePixels, progressive, frameRate }: VideoLimits,
  { chroma, pixelAspect, isInterlaced, isVariableRate }: KnownMedia["details"],
): LimitProblem[] {
  const problems: LimitProblem[] = [];
  if (taken && chroma !== undefined && !taken.includes(chroma)) {
    const message = `${network} takes the chroma subsampling ${taken.join(", ")}, this video has ${chroma}`;
    const fix = `Convert the video to ${taken[0]}`;
    problems.push({ message, rule: "video.chroma", measured: chroma, limit: taken, fix });
  }
  if (squarePixels && pixelAspect !== undefined) {
    const message = `${network} takes videos with square pixels, this video's pixels are ${pixelAspect} times as wide as high`;
    const fix = "Convert the video to square pixels";
    problems.push({ message, rule: "video.pixel_aspect", measured: pixelAspect, limit: 1, fix });
  }
  const severity = "warning" as const;
  if (progressive && isInterlaced) {
    const message = `${network} takes progressive videos, and this one may be interlaced, so ${network} may refuse it`;
    problems.push({ message, rule: "video.interlaced", fix: "Deinterlace the video", severity });
  }
  if (frameRate?.isFixed && isVariableRate) {
    const message = `${network} asks for a fixed frame rate, and this video has a variable one, so ${network} may refuse it`;
    const fix = "Convert the video to a constant frame rate";
    problems.push({ message, rule: "video.variable_rate", fix, severity });
  }
  return problems;
}

function codecProblems(network: string, of: "video" | "audio", limit: string[] | undefined, codec: string | undefined) {
  if (!limit || codec === undefined || limit.includes(codec)) return [];
  const named = (one: string) => codecNames[one] ?? one;
  const message = `${network} takes ${limit.map(named).join(", ")} ${of}, this file's is ${named(codec)}`;
  const fix = `Convert the ${of} to ${named(limit[0] ?? "")}`;
  return [{ message, rule: `${of}.codec`, measured: codec, limit, fix }];
}

function fileProblems(
  network: string,
  what: string,
  limits: { types: string[]; minBytes?: number; maxBytes?: number },
  item: KnownMedia,
): LimitProblem[] {
  const problems: LimitProblem[] = [];
  if (!limits.types.includes(item.contentType)) {
    const taken = limits.types.map(typeName).join(", ");
    const message = `${network} takes ${taken} ${what}, this file is ${typeName(item.contentType)}`;
    const fix = `Convert the file to ${typeName(limits.types[0] ?? "")}`;
    problems.push({ message, rule: "media.type", measured: item.contentType, limit: limits.types, fix });
  }
  return [...problems, ...sizeProblems(network, limits, item)];
}

/** Returns the problems with a file's size, if the size is known. */
export function sizeProblems(
  network: string,
  limits: { minBytes?: number; maxBytes?: number },
  { sizeBytes }: Pick<KnownMedia, "sizeBytes">,
): LimitProblem[] {
  const problems: LimitProblem[] = [];
  if (sizeBytes === undefined) return problems;
  if (limits.maxBytes !== undefined && sizeBytes > limits.maxBytes) {
    const message = `${network} takes at most ${megabytes(limits.maxBytes)}, this file has ${(sizeBytes / MB).toFixed(limits.maxBytes % MB === 0 ? 1 : 2)} MB`;
    const fix = "Export the file smaller";
    problems.push({ message, rule: "media.size", measured: sizeBytes, limit: { max: limits.maxBytes }, fix });
  }
  if (limits.minBytes !== undefined && sizeBytes < limits.minBytes) {
    const message = `${network} takes no file below ${limits.minBytes / 1024} KB, this one has ${(sizeBytes / 1024).toFixed(1)} KB`;
    const fix = "Export the file larger";
    problems.push({ message, rule: "media.size", measured: sizeBytes, limit: { min: limits.minBytes }, fix });
  }
  return problems;
}

/** Shows up to two decimals, because some networks count in millions of bytes. */
function megabytes(bytes: number): string {
  return `${Number((bytes / MB).toFixed(2))} MB`;
}

type Bounds = { min?: number; max?: number };

function isOutside({ min = 0, max = Number.POSITIVE_INFINITY }: Bounds, value: number): boolean {
  return value < min || value > max;
}

/** `3 to 60`, `at least 3` or `at most 60`. */
function boundsOf({ min, max }: Bounds): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  return min === undefined ? `at most ${max}` : `at least ${min}`;
}

function sideProblems(
  network: string,
  what: "image" | "video",
  { side, shorterSide, longerSide }: { side?: Bounds; shorterSide?: { max: number }; longerSide?: { min: number } },
  width: number,
  height: number,
): LimitProblem[] {
  if (!(width > 0 && height > 0)) return [];
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  const [measured, fix] = [`${width} x ${height}`, `Resize the ${what}`];
  const problems: LimitProblem[] = [];
  if (side && (isOutside({ min: side.min }, shorter) || isOutside({ max: side.max }, longer))) {
    const message = `${network} takes ${boundsOf(side)} pixels a side, this ${what} has ${measured}`;
    problems.push({ message, rule: `${what}.side`, measured, limit: side, fix });
  }
  if (shorterSide && isOutside(shorterSide, shorter)) {
    const message = `${network} takes at most ${shorterSide.max} pixels on the shorter side, this ${what} has ${measured}`;
    problems.push({ message, rule: `${what}.shorter_side`, measured, limit: shorterSide, fix });
  }
  if (longerSide && isOutside(longerSide, longer)) {
    const message = `${network} takes at least ${longerSide.min} pixels on the longer side, this ${what} has ${measured}`;
    problems.push({ message, rule: `${what}.side`, measured, limit: longerSide, fix });
  }
  return problems;
}

function ratioProblems(
  network: string,
  limit: NonNullable<VideoLimits["ratio"] & ImageLimits["ratio"]>,
  width: number,
  height: number,
): LimitProblem[] {
  const { certainMin = 0, ...bound } = limit;
  const { min, max, isOpen } = bound;
  const ratio = width / height;
  const isTaken = isOpen ? ratio > min && ratio < max : ratio >= min && ratio <= max;
  if (!(height > 0) || (isTaken && ratio >= certainMin)) return [];
  const measured = ratio.toFixed(2);
  if (isTaken) {
    const message = `${network} may refuse a ratio of width to height below ${certainMin}, this file has ${measured} (${width} x ${height})`;
    return [
      {
        message,
        rule: "media.ratio_uncertain",
        measured: Number(measured),
        limit: { min: certainMin },
        fix: "Crop the file",
        severity: "warning",
      },
    ];
  }
  const bounds = isOpen ? `above ${min} and below ${max}` : `from ${min} to ${max}`;
  const message = `${network} takes a ratio of width to height ${bounds}, this file has ${measured} (${width} x ${height})`;
  return [{ message, rule: "media.ratio", measured: Number(measured), limit: bound, fix: "Crop the file" }];
}
