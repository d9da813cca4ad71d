import { isVideo, type Media } from "../media";
import { type ImageLimits, type Limits, MB, type TextLimit, typeNames, type VideoLimits } from "../networks";
import { countCashtags, countHashtags, countMentions, textLength } from "../networks/text";

/** What breaks a format's limits: one sentence each, beginning with the field's path. Pure; the limits are data. */
export function limitProblems(
  network: string,
  limits: Limits,
  content: string,
  media: Media[],
  path: string,
): string[] {
  const problems = limits.text
    ? textProblems(network, limits.text, content).map((problem) => `${path}.content: ${problem}`)
    : [];
  if (limits.count && (media.length < limits.count.min || media.length > limits.count.max)) {
    const { min, max } = limits.count;
    const bound = media.length > max ? `at most ${max}` : `at least ${min}`;
    problems.push(
      `${path}.attachmentPaths: ${network} takes ${bound} ${media.some(isVideo) ? "attachments" : "images"}`,
    );
  }
  for (const [index, item] of media.entries()) {
    const found = isVideo(item)
      ? videoProblems(network, limits.video, item)
      : imageProblems(network, limits.image, item);
    problems.push(...found.map((problem) => `${path}.attachmentPaths[${index}]: ${problem}`));
  }
  return problems;
}

function textProblems(network: string, limit: TextLimit, content: string): string[] {
  const length = textLength(limit.unit, content);
  const problems: string[] = [];
  if (limit.required && content.trim() === "") problems.push(`${network} needs a text here`);
  if (length > limit.max) problems.push(`${network} takes at most ${limit.max} ${limit.unit}, this text has ${length}`);
  const counted = [
    { what: "hashtags", most: limit.hashtags, count: countHashtags },
    { what: "mentions", most: limit.mentions, count: countMentions },
    { what: "cashtags", most: limit.cashtags, count: countCashtags },
  ];
  for (const { what, most, count } of counted) {
    if (most !== undefined && count(content) > most) {
      problems.push(`${network} takes at most ${most} ${what}, this text has ${count(content)}`);
    }
  }
  return problems;
}

function imageProblems(network: string, limits: ImageLimits | undefined, item: Media): string[] {
  if (!limits) return [`${network} takes no images here`];
  const { width = 0, height = 0 } = { width: item.width ?? undefined, height: item.height ?? undefined };
  const problems = fileProblems(network, "images", limits, item);
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, width, height));
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits.side ?? {};
  if (Math.min(width, height) < min || Math.max(width, height) > max) {
    problems.push(`${network} takes ${min} to ${max} pixels a side, this image has ${width} x ${height}`);
  }
  if (limits.maxSideSum !== undefined && width + height > limits.maxSideSum) {
    problems.push(
      `${network} takes at most ${limits.maxSideSum} pixels of width and height together, this image has ${width + height}`,
    );
  }
  return problems;
}

function videoProblems(network: string, limits: VideoLimits | undefined, item: Media): string[] {
  if (!limits) return [`${network} does not take videos here`];
  const problems = fileProblems(network, "videos", limits, item);
  const seconds = item.durationSeconds ?? 0;
  const { min = 0, max = Number.POSITIVE_INFINITY } = limits.seconds ?? {};
  if (seconds < min || seconds > max)
    problems.push(`${network} takes ${min} to ${max} seconds, this video has ${seconds}`);
  if (limits.ratio) problems.push(...ratioProblems(network, limits.ratio, item.width ?? 0, item.height ?? 0));
  return problems;
}

function fileProblems(
  network: string,
  what: string,
  limits: { types: string[]; maxBytes?: number },
  item: Media,
): string[] {
  const problems: string[] = [];
  if (!limits.types.includes(item.contentType)) {
    const taken = limits.types.map(nameOf).join(", ");
    problems.push(`${network} takes ${taken} ${what}, this file is ${nameOf(item.contentType)}`);
  }
  if (limits.maxBytes !== undefined && item.sizeBytes > limits.maxBytes) {
    problems.push(
      `${network} takes at most ${limits.maxBytes / MB} MB, this file has ${(item.sizeBytes / MB).toFixed(1)} MB`,
    );
  }
  return problems;
}

function ratioProblems(
  network: string,
  { min, max }: { min: number; max: number },
  width: number,
  height: number,
): string[] {
  const ratio = width / height;
  if (!(height > 0) || (ratio >= min && ratio <= max)) return [];
  return [
    `${network} takes a ratio of width to height from ${min} to ${max}, this file has ${ratio.toFixed(2)} (${width} x ${height})`,
  ];
}

function nameOf(contentType: string): string {
  return typeNames[contentType] ?? contentType;
}
