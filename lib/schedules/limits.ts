import type { Problem } from "../errors";
import { isVideo, type Media } from "../media";
import { type ImageLimits, type Limits, MB, type TextLimit, typeNames, type VideoLimits } from "../networks";
import { countCashtags, countHashtags, countMentions, textLength } from "../networks/text";

/** A breach of a limit, before it is known where. */
type Breach = Omit<Problem, "path">;

/** What breaks a format's limits, each with the field's path. Pure; the limits are data. Of an unknown medium nothing is said. */
export function limitProblems(
  network: string,
  limits: Limits,
  content: string,
  media: (Media | undefined)[],
  path: string,
): Problem[] {
  const at = (place: string, breaches: Breach[]) => breaches.map((breach) => ({ path: `${path}.${place}`, ...breach }));
  const problems = limits.text ? at("content", textProblems(network, limits.text, content)) : [];
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

function textProblems(network: string, limit: TextLimit, content: string): Breach[] {
  const length = textLength(limit.unit, content);
  const problems: Breach[] = [];
  if (limit.required && content.trim() === "") {
    problems.push({ message: `${network} needs a text here`, rule: "text.required", fix: "Write a text" });
  }
  if (length > limit.max) {
    const message = `${network} takes at most ${limit.max} ${limit.unit}, this text has ${length}`;
    const fix = `Shorten the text by ${length - limit.max} ${limit.unit}`;
    problems.push({ message, rule: "text.length", measured: length, limit: { max: limit.max }, fix });
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

function countProblems(network: string, count: Limits["count"], media: (Media | undefined)[]): Breach[] {
  if (!count || (media.length >= count.min && media.length <= count.max)) return [];
  const over = media.length - count.max;
  const bound = over > 0 ? `at most ${count.max}` : `at least ${count.min}`;
  const what = media.some((item) => item && isVideo(item)) ? "attachments" : "images";
  const fix = over > 0 ? `Remove ${over}` : `Add ${count.min - media.length}`;
  const message = `${network} takes ${bound} ${what}`;
  return [{ message, rule: "media.count", measured: media.length, limit: count, fix }];
}

function imageProblems(network: string, limits: ImageLimits | undefined, item: Media): Breach[] {
  if (!limits) return [{ message: `${network} takes no images here`, rule: "image.unsupported" }];
  const { width = 0, height = 0 } = { width: item.width ?? undefined, height: item.height ?? undefined };
  const problems = fileProblems(network, "images", limits, item);
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, width, height));
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits.side ?? {};
  if (Math.min(width, height) < min || Math.max(width, height) > max) {
    const measured = `${width} x ${height}`;
    const message = `${network} takes ${min} to ${max} pixels a side, this image has ${measured}`;
    problems.push({ message, rule: "image.side", measured, limit: limits.side, fix: "Resize the image" });
  }
  if (limits.maxSideSum !== undefined && width + height > limits.maxSideSum) {
    const message = `${network} takes at most ${limits.maxSideSum} pixels of width and height together, this image has ${width + height}`;
    const limit = { max: limits.maxSideSum };
    problems.push({ message, rule: "image.side_sum", measured: width + height, limit, fix: "Resize the image" });
  }
  return problems;
}

function videoProblems(network: string, limits: VideoLimits | undefined, item: Media): Breach[] {
  if (!limits) return [{ message: `${network} does not take videos here`, rule: "video.unsupported" }];
  const problems = fileProblems(network, "videos", limits, item);
  const seconds = item.durationSeconds ?? 0;
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits.seconds ?? {};
  if (seconds < min || seconds > max) {
    const message = `${network} takes ${min} to ${max} seconds, this video has ${seconds}`;
    problems.push({ message, rule: "video.seconds", measured: seconds, limit: limits.seconds });
  }
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, item.width ?? 0, item.height ?? 0));
  return problems;
}

function fileProblems(
  network: string,
  what: string,
  limits: { types: string[]; maxBytes?: number },
  item: Media,
): Breach[] {
  const problems: Breach[] = [];
  if (!limits.types.includes(item.contentType)) {
    const taken = limits.types.map(nameOf).join(", ");
    const message = `${network} takes ${taken} ${what}, this file is ${nameOf(item.contentType)}`;
    const fix = `Convert the file to ${nameOf(limits.types[0] ?? "")}`;
    problems.push({ message, rule: "media.type", measured: item.contentType, limit: limits.types, fix });
  }
  if (limits.maxBytes !== undefined && item.sizeBytes > limits.maxBytes) {
    const message = `${network} takes at most ${limits.maxBytes / MB} MB, this file has ${(item.sizeBytes / MB).toFixed(1)} MB`;
    problems.push({ message, rule: "media.size", measured: item.sizeBytes, limit: { max: limits.maxBytes } });
  }
  return problems;
}

function ratioProblems(
  network: string,
  { min, max }: { min: number; max: number },
  width: number,
  height: number,
): Breach[] {
  const ratio = width / height;
  if (!(height > 0) || (ratio >= min && ratio <= max)) return [];
  const measured = ratio.toFixed(2);
  const message = `${network} takes a ratio of width to height from ${min} to ${max}, this file has ${measured} (${width} x ${height})`;
  return [{ message, rule: "media.ratio", measured: Number(measured), limit: { min, max }, fix: "Crop the file" }];
}

function nameOf(contentType: string): string {
  return typeNames[contentType] ?? contentType;
}
