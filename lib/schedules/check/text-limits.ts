import type { TextLimit } from "../../networks";
import { countCashtags, countHashtags, countLinks, countMentions, textLength } from "../../networks/text/count";
import { shownText } from "../../networks/text/rich-text";
import { shortened } from "./fixes";
import type { Broken } from "./limits";

/** What a text breaks of its limit, with a shorter one where that helps. */
export function textProblems(network: string, limit: TextLimit, content: string): Broken[] {
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
