import type { Problem } from "../../errors";
import {
  type FieldProblem,
  fileKindOf,
  type Limits,
  type Network,
  PlatformError,
  type Sourced,
  type TextLimit,
  type TextUnit,
} from "../../networks";
import {
  countCashtags,
  countHashtags,
  countLinks,
  countMentions,
  limitsFor,
  textLength,
} from "../../networks/text/count";
import { readMarkup } from "../../networks/text/markup";
import { shownText } from "../../networks/text/rich-text";
import type { AttachedMedia, KnownMedia } from "./facts";
import {
  documentProblems,
  imageProblems,
  type LimitProblem,
  pictureLimits,
  pictureProblems,
  videoProblems,
} from "./file-limits";

/**
 * Returns the problems of a post with a format's limits, each with the field's path within the post and the page that states
 * the limit. Files that are still being imported are not checked.
 */
export function limitProblems(
  network: string,
  limits: Limits,
  {
    content,
    settings,
    media,
    cover,
  }: { content: string; settings: unknown; media: AttachedMedia[]; cover?: KnownMedia | undefined },
): FieldProblem[] {
  const at = (place: string, problems: LimitProblem[], { source = limits.source }: Sourced = {}) =>
    problems.map((one) => {
      // That a text is required is stated by the format's page, and not by that of the text's maximum.
      const page = one.rule === "text.required" ? (limits.source ?? source) : source;
      return { at: place, ...(page ? { source: page } : {}), ...one };
    });
  const problems = limits.text ? at("content", textProblems(network, limits.text, content), limits.text) : [];
  for (const [name, limit] of Object.entries(limits.settings ?? {})) {
    problems.push(...at(`platformSettings.${name}`, textProblems(network, limit, textSetting(settings, name)), limit));
  }
  problems.push(...at("attachmentPaths", countProblems(network, limits.count, media)));
  for (const [index, item] of media.entries()) {
    if (!item) continue;
    const [found, by] = fileProblemsOf(network, limits, item);
    problems.push(...at(`attachmentPaths[${index}]`, found, by));
  }
  problems.push(...altTextProblems(network, limits, { settings, media, cover }));
  if (cover && limits.cover)
    problems.push(...at("thumbnailPath", imageProblems(network, limits.cover, cover), limits.cover));
  return problems;
}

function fileProblemsOf(network: string, limits: Limits, item: KnownMedia): [LimitProblem[], Sourced | undefined] {
  switch (fileKindOf(item.contentType)) {
    case "video":
      return [videoProblems(network, limits.video, item), limits.video];
    case "document":
      return [documentProblems(network, limits.document, item), limits.document];
    default:
      return [pictureProblems(network, limits, item), pictureLimits(limits, item)];
  }
}

function textSetting(settings: unknown, name: string): string {
  const value =
    typeof settings === "object" && settings !== null && Object.entries(settings).find(([is]) => is === name);
  return value && typeof value[1] === "string" ? value[1] : "";
}

/** Returns the problems of the first comment in the (parsed) settings, if there is one. Without `scopes`, they are not known. */
export function commentProblems(
  { name, comment }: Network,
  settings: { [name: string]: unknown },
  path: string,
  account: { textMax?: number | null; scopes?: readonly string[] },
): Problem[] {
  const text = settings.firstComment;
  if (!comment || typeof text !== "string" || text === "") return [];
  const at = `${path}.firstComment`;
  const reason = comment.refusal?.(settings);
  if (reason)
    return [
      {
        path: at,
        message: reason,
        rule: "comment.unsupported",
        source: comment.source,
        fix: "Remove it",
        change: { op: "remove" },
      },
    ];
  const limit = limitsFor({ text: { ...comment.text, required: true } }, {}, account.textMax).text ?? comment.text;
  const source = limit.source ?? comment.source;
  const found: Problem[] = textProblems(name, limit, text).map((one) => ({ path: at, source, ...one }));
  if (comment.scope && account.scopes && !account.scopes.includes(comment.scope)) {
    const message = `This account's permission at ${name} does not cover comments, so the comment will fail`;
    const fix = "Reconnect the account, and grant the permission for comments";
    found.push({ path: at, message, rule: "comment.scope", source: comment.source, fix, severity: "warning" });
  }
  return found;
}

function countProblems(network: string, count: Limits["count"], media: AttachedMedia[]): LimitProblem[] {
  if (!count || (media.length >= count.min && media.length <= count.max)) return [];
  const over = media.length - count.max;
  const bound = over > 0 ? `at most ${count.max}` : `at least ${count.min}`;
  const what = media.some((item) => item && fileKindOf(item.contentType) !== "image") ? "attachments" : "images";
  const fix = over > 0 ? `Remove ${over}` : `Add ${count.min - media.length}`;
  const message = `${network} takes ${bound} ${what}`;
  return [{ message, rule: "media.count", measured: media.length, limit: count, fix }];
}

type AltTextPost = { settings: unknown; media: AttachedMedia[]; cover?: KnownMedia };

/** Returns the problems of alt texts that are too long. Alt texts that are not sent are not checked. */
function altTextProblems(network: string, limits: Limits, { settings, media, cover }: AltTextPost): FieldProblem[] {
  if (hasPostAltText(settings)) return [];
  return media.flatMap((item, index) => {
    const limit = item && altTextLimitOf(limits, item);
    const text = item?.altText;
    if (!limit || !text || !isAltTextSent(limits, { media, cover }, index)) return [];
    const measured = textLength(limit.unit, text);
    if (measured <= limit.max) return [];
    const message = `${network} takes at most ${limit.max} ${limit.unit} of alt text, this file's has ${measured}`;
    const fix = `Shorten the alt text by ${measured - limit.max} ${limit.unit}`;
    const of = { at: `attachmentPaths[${index}]`, rule: "media.alt_text", measured, limit: { max: limit.max } };
    return [{ ...of, source: limit.source ?? limits.source, message, fix }];
  });
}

function altTextLimitOf(limits: Limits, item: KnownMedia): TextLimit | undefined {
  const kind = fileKindOf(item.contentType);
  return kind === "document" ? undefined : (kind === "video" ? limits.video : pictureLimits(limits, item))?.altText;
}

/**
 * Checks alt texts again before anything is sent, because they may have changed since the post was checked.
 * @throws PlatformError
 */
export function assertAltTexts(network: string, limits: Limits, described: AltTextPost): void {
  const messages = altTextProblems(network, limits, described).map(({ message }) => message);
  if (messages.length > 0) throw new PlatformError("rejected", messages.join(". "));
}

/** Some networks take one alt text for the whole post. That setting is sent instead of the alt texts of the files. */
function hasPostAltText(settings: unknown): boolean {
  return typeof settings === "object" && settings !== null && "altText" in settings && Boolean(settings.altText);
}

/** If one of the attachments is the cover, only its alt text is sent. */
function isAltTextSent(
  { coverIsAttached }: Limits,
  { media, cover }: Omit<AltTextPost, "settings">,
  index: number,
): boolean {
  return !coverIsAttached || index === Math.max(0, media.indexOf(cover));
}

/** Returns the problems of a text with its limit, with a shortened text as the fix if that helps. */
function textProblems(network: string, limit: TextLimit, content: string): LimitProblem[] {
  const shown = shownText(limit, content);
  const length = textLength(limit.unit, shown);
  const bytes = limit.bytes === undefined ? 0 : textLength("bytes", shown);
  const isTooLong = length > limit.max;
  const maxBytes = limit.bytes ?? Number.POSITIVE_INFINITY;
  const hasTooManyBytes = bytes > maxBytes;
  const change = isTooLong || hasTooManyBytes ? truncationChange(content, limit, isTooLong) : undefined;
  const problems: LimitProblem[] = [];
  const wrong = limit.markup && readMarkup(content).problem;
  if (wrong) {
    const message = `${network} cannot read the markup of this text: ${wrong}`;
    problems.push({ message, rule: "text.markup", fix: "Correct the markup, or send the text without it" });
  }
  if (limit.required && shown.trim() === "") {
    const empty = { message: `${network} needs a text here`, rule: "text.required", measured: 0, limit: { min: 1 } };
    problems.push({ ...empty, fix: "Write a text" });
  }
  if (isTooLong) {
    const message = `${network} takes at most ${limit.max} ${limit.unit}, this text has ${length}`;
    const fix = shorterBy(length - limit.max, limit.unit);
    const problem = { message, rule: "text.length", measured: length, limit: { max: limit.max }, fix };
    problems.push({ ...problem, change });
  }
  if (hasTooManyBytes) {
    const message = `${network} takes at most ${maxBytes} bytes of text, this text has ${bytes}`;
    const fix = shorterBy(bytes - maxBytes, "bytes");
    const problem = { message, rule: "text.bytes", measured: bytes, limit: { max: maxBytes }, fix };
    problems.push({ ...problem, change });
  }
  const counted = [
    { what: "hashtags", most: limit.hashtags, count: countHashtags },
    { what: "mentions", most: limit.mentions, count: countMentions },
    { what: "cashtags", most: limit.cashtags, count: countCashtags },
    { what: "links", most: limit.links, count: countLinks },
  ];
  for (const { what, most, count } of counted) {
    if (most === undefined) continue;
    const found = count(content);
    if (found <= most) continue;
    const message = `${network} takes at most ${most} ${what}, this text has ${found}`;
    const fix = `Remove ${found - most} of the ${what}`;
    problems.push({ message, rule: `text.${what}`, measured: found, limit: { max: most }, fix });
  }
  return problems;
}

/** Names one unit in the singular; "characters and emoji bytes" has none. */
function shorterBy(count: number, unit: TextUnit): string {
  const isOne = count === 1 && unit !== "characters and emoji bytes";
  return `Shorten the text by ${count} ${isOne ? unit.slice(0, -1) : unit}`;
}

/** Returns the change to a text that fits all length limits; undefined if nothing is left of it, or its markup would break. */
function truncationChange(content: string, limit: TextLimit, isTooLong: boolean): LimitProblem["change"] {
  if (limit.markup) return undefined;
  const inBytes: TextLimit = { ...limit, max: limit.bytes ?? Number.POSITIVE_INFINITY, unit: "bytes" };
  const isOver = (text: string, { max, unit }: TextLimit) => textLength(unit, shownText(limit, text)) > max;
  const first = isTooLong ? truncateText(content, limit) : content;
  const value = first !== undefined && isOver(first, inBytes) ? truncateText(first, inBytes) : first;
  return value === undefined ? undefined : { op: "replace", value };
}

/**
 * Returns the longest beginning of a text that fits the limit. It ends after a whole word if that keeps at least half of what
 * would fit, and never within a link or a character. Undefined if nothing is left.
 */
export function truncateText(
  text: string,
  { max, unit, shortLinks }: Pick<TextLimit, "max" | "unit" | "shortLinks">,
): string | undefined {
  const fits = (end: number) => textLength(unit, shownText({ shortLinks }, text.slice(0, end))) <= max;
  const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  const characterAt = (index: number) => characters.containing(index)?.index ?? text.length;
  let end = characterAt(longestFittingLength(fits, max, text.length));
  // A part of a link can count more than the whole link, so a shorter text does not always fit.
  while (end > 0 && !fits(end)) end = characterAt(longestFittingLength(fits, max, end));
  const words = Math.max(text.slice(0, end + 1).search(/\s\S*$/), 0);
  const cutsLink = text.slice(words, end + 1).includes("://");
  const kept = text.slice(0, cutsLink || words > end / 2 ? words : end).trimEnd();
  return kept && fits(kept.length) ? kept : undefined;
}

/** Returns about how many UTF-16 units fit. Starts near `guess`, because counting a long text is slow. */
function longestFittingLength(fits: (end: number) => boolean, guess: number, most: number): number {
  let [low, high] = [0, Math.min(Math.max(guess, 1), most)];
  while (high < most && fits(high)) [low, high] = [high, Math.min(high * 2, most)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
