import type { Problem } from "../../errors";
import { isVideo } from "../../media";
import { type Breach, type Limits, PlatformError, type Sourced, type TextLimit } from "../../networks";
import { countCashtags, countHashtags, countLinks, countMentions, textLength } from "../../networks/text/count";
import { shownText } from "../../networks/text/rich-text";
import type { Attached, KnownMedia } from "./facts";
import { imageProblems, pictureLimits, pictureProblems, videoProblems } from "./file-limits";

/** A breach of a limit, before it is known where. */
export type Broken = Omit<Problem, "path">;

/** What breaks a format's limits, each with the field's path from the post on and the page that states it. Pure; the limits are data. Of an unknown medium nothing is said. */
export function limitBreaches(
  network: string,
  limits: Limits,
  {
    content,
    settings,
    media,
    cover,
  }: { content: string; settings: unknown; media: Attached[]; cover?: KnownMedia | undefined },
): Breach[] {
  const at = (place: string, broken: Broken[], { source = limits.source }: Sourced = {}) =>
    broken.map((one) => ({ at: place, ...(source ? { source } : {}), ...one }));
  const problems = limits.text ? at("content", textProblems(network, limits.text, content), limits.text) : [];
  for (const [name, limit] of Object.entries(limits.settings ?? {})) {
    problems.push(...at(`platformSettings.${name}`, textProblems(network, limit, textSetting(settings, name)), limit));
  }
  problems.push(...at("attachmentPaths", countProblems(network, limits.count, media)));
  for (const [index, item] of media.entries()) {
    if (!item) continue;
    const [found, by] = isVideo(item)
      ? [videoProblems(network, limits.video, item), limits.video]
      : [pictureProblems(network, limits, item), pictureLimits(limits, item)];
    problems.push(...at(`attachmentPaths[${index}]`, found, by));
  }
  problems.push(...altTextBreaches(network, limits, { settings, media, cover }));
  if (cover && limits.cover)
    problems.push(...at("thumbnailPath", imageProblems(network, limits.cover, cover), limits.cover));
  return problems;
}

function textSetting(settings: unknown, name: string): string {
  const value =
    typeof settings === "object" && settings !== null && Object.entries(settings).find(([is]) => is === name);
  return value && typeof value[1] === "string" ? value[1] : "";
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

type Described = { settings: unknown; media: Attached[]; cover?: KnownMedia };

/** Files whose words are longer than the network takes them. Of words that are not sent, nothing is said. */
function altTextBreaches(network: string, limits: Limits, { settings, media, cover }: Described): Breach[] {
  if (saysItself(settings)) return [];
  return media.flatMap((item, index) => {
    const limit = item && (isVideo(item) ? limits.video : pictureLimits(limits, item))?.altText;
    const text = item?.altText;
    if (!limit || !text || !isSent(limits, { media, cover }, index)) return [];
    const measured = textLength(limit.unit, text);
    if (measured <= limit.max) return [];
    const message = `${network} takes at most ${limit.max} ${limit.unit} of alt text, this file's has ${measured}`;
    const fix = `Shorten the alt text by ${measured - limit.max} ${limit.unit}`;
    const of = { at: `attachmentPaths[${index}]`, rule: "media.alt_text", measured, limit: { max: limit.max } };
    return [{ ...of, source: limit.source ?? limits.source, message, fix }];
  });
}

/**
 * Words that were changed after their post was checked are checked once more, before anything is sent.
 * @throws PlatformError
 */
export function assertAltTexts(network: string, limits: Limits, described: Described): void {
  const says = altTextBreaches(network, limits, described).map(({ message }) => message);
  if (says.length > 0) throw new PlatformError("rejected", says.join(". "));
}

/** A network that takes one text for the whole post has a setting for it, which is sent in place of the file's. */
function saysItself(settings: unknown): boolean {
  return typeof settings === "object" && settings !== null && "altText" in settings && Boolean(settings.altText);
}

/** Where one of the attachments is the cover, its words stand for all. */
function isSent({ coverIsAttached }: Limits, { media, cover }: Omit<Described, "settings">, index: number): boolean {
  return !coverIsAttached || index === Math.max(0, media.indexOf(cover));
}

/** What a text breaks of its limit, with a shorter one where that helps. */
function textProblems(network: string, limit: TextLimit, content: string): Broken[] {
  const shown = shownText(limit, content);
  const length = textLength(limit.unit, shown);
  const problems: Broken[] = [];
  if (limit.required && content.trim() === "") {
    const empty = { message: `${network} needs a text here`, rule: "text.required", measured: 0, limit: { min: 1 } };
    problems.push({ ...empty, fix: "Write a text" });
  }
  if (length > limit.max) {
    const message = `${network} takes at most ${limit.max} ${limit.unit}, this text has ${length}`;
    const fix = `Shorten the text by ${length - limit.max} ${limit.unit}`;
    const broken = { message, rule: "text.length", measured: length, limit: { max: limit.max }, fix };
    problems.push({ ...broken, change: shortening(content, limit) });
  }
  const bytes = textLength("bytes", shown);
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
    { what: "links", most: limit.links, count: countLinks },
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
  const inBytes: TextLimit = { ...limit, max: limit.bytes ?? Number.POSITIVE_INFINITY, unit: "bytes" };
  const isOver = (text: string, { max, unit }: TextLimit) => textLength(unit, shownText(limit, text)) > max;
  const first = isOver(content, limit) ? shortened(content, limit) : content;
  const value = first !== undefined && isOver(first, inBytes) ? shortened(first, inBytes) : first;
  return value === undefined ? undefined : { op: "replace", value };
}

/**
 * The beginning of a text that a network still takes: whole words where that keeps at least half of what would fit, and
 * never a part of a link or of what reads as one character. Undefined where nothing is left.
 */
export function shortened(
  text: string,
  { max, unit, shortLinks }: Pick<TextLimit, "max" | "unit" | "shortLinks">,
): string | undefined {
  const fits = (end: number) => textLength(unit, shownText({ shortLinks }, text.slice(0, end))) <= max;
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  let end = characters.containing(longest(fits, max, text.length))?.index ?? text.length;
  // A link that is cut can weigh more than a whole one, so a shorter text is not always one that fits.
  while (end > 0 && !fits(end)) end = characters.containing(end - 1)?.index ?? 0;
  const words = Math.max(text.slice(0, end + 1).search(/\s\S*$/), 0);
  const cutsLink = text.slice(words, end + 1).includes("://");
  const kept = text.slice(0, cutsLink || words > end / 2 ? words : end).trimEnd();
  return kept && fits(kept.length) ? kept : undefined;
}

/** About the most UTF-16 units that fit; looks near `guess` first, because counting a long text takes its time. */
function longest(fits: (end: number) => boolean, guess: number, most: number): number {
  let [low, high] = [0, Math.min(Math.max(guess, 1), most)];
  while (high < most && fits(high)) [low, high] = [high, Math.min(high * 2, most)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
