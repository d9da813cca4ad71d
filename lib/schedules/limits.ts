import type { Problem } from "../errors";
import { isVideo } from "../media";
import {
  type Breach,
  type ImageLimits,
  type Limits,
  MB,
  type TextLimit,
  typeNames,
  type VideoLimits,
} from "../networks";
import { countCashtags, countHashtags, countMentions, textLength } from "../networks/text";
import type { Attached, KnownMedia } from "./facts";
import { shortened } from "./fixes";

/** A breach of a limit, before it is known where. */
type Broken = Omit<Problem, "path">;

/** What breaks a format's limits, each with the field's path from the post on. Pure; the limits are data. Of an unknown medium nothing is said. */
export function limitBreaches(
  network: string,
  limits: Limits,
  { content, settings, media }: { content: string; settings: unknown; media: Attached[] },
): Breach[] {
  const at = (place: string, broken: Broken[]) => broken.map((one) => ({ at: place, ...one }));
  const problems = limits.text ? at("content", textProblems(network, limits.text, content)) : [];
  for (const [name, limit] of Object.entries(limits.settings ?? {})) {
    problems.push(...at(`platformSettings.${name}`, textProblems(network, limit, textSetting(settings, name))));
  }
  problems.push(...at("attachmentPaths", countProblems(network, limits.count, media)));
  for (const [index, item] of media.entries()) {
    if (!item) continue;
    const found = isVideo(item)
      ? videoProblems(network, limits.video, item)
      : imageProblems(network, limits.image, item);
    problems.push(...at(`attachmentPaths[${index}]`, found));
  }
  return problems;
}

function textSetting(settings: unknown, name: string): string {
  const value =
    typeof settings === "object" && settings !== null && Object.entries(settings).find(([is]) => is === name);
  return value && typeof value[1] === "string" ? value[1] : "";
}

function textProblems(network: string, limit: TextLimit, content: string): Broken[] {
  const length = textLength(limit.unit, content);
  const problems: Broken[] = [];
  if (limit.required && content.trim() === "") {
    problems.push({ message: `${network} needs a text here`, rule: "text.required", fix: "Write a text" });
  }
  if (length > limit.max) {
    const message = `${network} takes at most ${limit.max} ${limit.unit}, this text has ${length}`;
    const fix = `Shorten the text by ${length - limit.max} ${limit.unit}`;
    const broken = { message, rule: "text.length", measured: length, limit: { max: limit.max }, fix };
    problems.push({ ...broken, change: shortening(content, limit) });
  }
  const bytes = textLength("bytes", content);
  if (limit.bytes !== undefined && bytes > limit.bytes) {
    const message = `${network} takes at most ${limit.bytes} bytes of text, this text has ${bytes}`;
    const fix = `Shorten the text by ${bytes - limit.bytes} bytes`;
    const broken = { message, rule: "text.bytes", measured: bytes, limit: { max: limit.bytes }, fix };
    problems.push({ ...broken, change: shortening(content, limit) });
  }
  const counted = [
    { what: "hashtags", most: limit.hashtags, count: countHashtags },
    { what: "mentions", most: limit.mentions, count: countMentions },
    { what: "cashtags", most: limit.cashtags, count: countCashtags },
  ];
  for (const { what, most, count } of counted) {
    const found = count(content);
    if (most === undefined || found <= most) continue;
    const message = `${network} takes at most ${most} ${what}, this text has ${found}`;
    const fix = `Remove ${found - most} of the ${what}`;
    problems.push({ message, rule: `text.${what}`, measured: found, limit: { max: most }, fix });
  }
  return problems;
}

/** A text that keeps every bound of its length; undefined where nothing is left of it. */
function shortening(content: string, limit: TextLimit): Broken["change"] {
  const first = textLength(limit.unit, content) > limit.max ? shortened(content, limit) : content;
  const isTooWide = first !== undefined && textLength("bytes", first) > (limit.bytes ?? Number.POSITIVE_INFINITY);
  const value = isTooWide ? shortened(first, { max: limit.bytes ?? 0, unit: "bytes" }) : first;
  return value === undefined ? undefined : { op: "replace", value };
}

function countProblems(network: string, count: Limits["count"], media: Attached[]): Broken[] {
  if (!count || (media.length >= count.min && media.length <= count.max)) return [];
  const over = media.length - count.max;
  const bound = over > 0 ? `at most ${count.max}` : `at least ${count.min}`;
  const what = media.some((item) => item && isVideo(item)) ? "attachments" : "images";
  const fix = over > 0 ? `Remove ${over}` : `Add ${count.min - media.length}`;
  const message = `${network} takes ${bound} ${what}`;
  return [{ message, rule: "media.count", measured: media.length, limit: count, fix }];
}

function imageProblems(network: string, limits: ImageLimits | undefined, item: KnownMedia): Broken[] {
  if (!limits) return [{ message: `${network} takes no images here`, rule: "image.unsupported" }];
  const { width = 0, height = 0 } = { width: item.width ?? undefined, height: item.height ?? undefined };
  const problems = fileProblems(network, "images", limits, item);
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, width, height));
  problems.push(...sideProblems(network, "image", limits.side, width, height));
  if (limits.maxSideSum !== undefined && width + height > limits.maxSideSum) {
    const message = `${network} takes at most ${limits.maxSideSum} pixels of width and height together, this image has ${width + height}`;
    const limit = { max: limits.maxSideSum };
    problems.push({ message, rule: "image.side_sum", measured: width + height, limit, fix: "Resize the image" });
  }
  return problems;
}

function videoProblems(network: string, limits: VideoLimits | undefined, item: KnownMedia): Broken[] {
  if (!limits) return [{ message: `${network} does not take videos here`, rule: "video.unsupported" }];
  const problems = fileProblems(network, "videos", limits, item);
  const { width, height } = { width: item.width ?? 0, height: item.height ?? 0 };
  const seconds = item.durationSeconds ?? 0;
  if (limits.seconds && isOutside(limits.seconds, seconds)) {
    const message = `${network} takes ${boundsOf(limits.seconds)} seconds, this video has ${seconds}`;
    problems.push({ message, rule: "video.seconds", measured: seconds, limit: limits.seconds });
  }
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, width, height));
  problems.push(...sideProblems(network, "video", limits.side, width, height));
  return problems;
}

function fileProblems(
  network: string,
  what: string,
  limits: { types: string[]; maxBytes?: number },
  item: KnownMedia,
): Broken[] {
  const problems: Broken[] = [];
  if (!limits.types.includes(item.contentType)) {
    const taken = limits.types.map(nameOf).join(", ");
    const message = `${network} takes ${taken} ${what}, this file is ${nameOf(item.contentType)}`;
    const fix = `Convert the file to ${nameOf(limits.types[0] ?? "")}`;
    problems.push({ message, rule: "media.type", measured: item.contentType, limit: limits.types, fix });
  }
  if (limits.maxBytes !== undefined && item.sizeBytes > limits.maxBytes) {
    const message = `${network} takes at most ${megabytes(limits.maxBytes)}, this file has ${(item.sizeBytes / MB).toFixed(limits.maxBytes % MB === 0 ? 1 : 2)} MB`;
    problems.push({ message, rule: "media.size", measured: item.sizeBytes, limit: { max: limits.maxBytes } });
  }
  return problems;
}

/** Two decimals where they say something: some networks count in millions of bytes. */
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
  limit: Bounds | undefined,
  width: number,
  height: number,
): Broken[] {
  const { min, max } = limit ?? {};
  if (!limit || !(width > 0 && height > 0)) return [];
  if (!isOutside({ min }, Math.min(width, height)) && !isOutside({ max }, Math.max(width, height))) return [];
  const measured = `${width} x ${height}`;
  const message = `${network} takes ${boundsOf(limit)} pixels a side, this ${what} has ${measured}`;
  return [{ message, rule: `${what}.side`, measured, limit, fix: `Resize the ${what}` }];
}

function ratioProblems(
  network: string,
  { min, max }: { min: number; max: number },
  width: number,
  height: number,
): Broken[] {
  const ratio = width / height;
  if (!(height > 0) || (ratio >= min && ratio <= max)) return [];
  const measured = ratio.toFixed(2);
  const message = `${network} takes a ratio of width to height from ${min} to ${max}, this file has ${measured} (${width} x ${height})`;
  return [{ message, rule: "media.ratio", measured: Number(measured), limit: { min, max }, fix: "Crop the file" }];
}

function nameOf(contentType: string): string {
  return typeNames[contentType] ?? contentType;
}
