import type { Entity } from "@/lib/networks/text/markup";
import { linksAndTags, shortLink, withoutOverlap } from "@/lib/networks/text/rich-text";
import type { Platform } from "@/lib/platforms";

export type TextMark = "link" | "mention" | "tag";
/** A piece of a text as its network shows it; `styles` are the types of the entities around it. */
export type Stretch = { text: string; mark?: TextMark; styles?: string[] };

type Span = { start: number; end: number; mark: TextMark; text: string };

const MENTIONS: { [P in Platform]?: RegExp } = {
  X_TWITTER: /(?<![\w@])@\w{1,15}(?!\w)/g,
  BLUE_SKY: /(?<=^|\s|\()@[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+/gi,
  THREADS: /(?<![\w.@])@[\w.]*\w/g,
  INSTAGRAM: /(?<![\w.@])@[\w.]*\w/g,
  TIKTOK: /(?<![\w.@])@[\w.]*\w/g,
  TELEGRAM: /(?<![\w@])@[a-z]\w{3,31}/gi,
  YOUTUBE: /(?<![\w.@])@[\w.-]*\w/g,
  LINKEDIN: /@\[([^[\]]+)\]\(urn:li:(?:person|organization):[\w-]+\)/g,
};
const TAG = /(?<![\p{L}\p{N}\p{M}_&/#])[#＃](?=[\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+/gu;
const CASHTAG = /(?<=^|\s)\$[a-z]{1,6}(?:[._][a-z]{1,2})?(?=$|[\s\p{P}])/giu;
/** These networks do not link addresses in texts. */
const WITHOUT_LINKS: Platform[] = ["INSTAGRAM", "TIKTOK", "PINTEREST"];
const WITH_CASHTAGS: Platform[] = ["X_TWITTER", "TELEGRAM"];
/** X shows at most this many characters of a URL's path. */
const X_PATH = 15;

/** Splits a text into links, mentions, hashtags and plain text. */
export function stretchesOf(platform: Platform, text: string): Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (const span of withoutOverlap(spansOf(platform, text))) {
    if (span.start > end) stretches.push({ text: text.slice(end, span.start) });
    stretches.push({ text: span.text, mark: span.mark });
    end = span.end;
  }
  return end < text.length ? [...stretches, { text: text.slice(end) }] : stretches;
}

/** Cuts the pieces of a text where its formatting changes. The network must show links as they were written. */
export function withStyles(stretches: Stretch[], entities: Entity[] = []): Stretch[] {
  let start = 0;
  return stretches.flatMap((stretch) => {
    const [first, end] = [start, start + stretch.text.length];
    start = end;
    const edges = entities.flatMap(({ offset, length }) => [offset, offset + length]);
    const cuts = [...new Set([first, ...edges.filter((edge) => edge > first && edge < end), end])].sort(
      (a, b) => a - b,
    );
    return cuts.slice(1).map((to, index) => {
      const from = cuts[index] ?? first;
      const around = entities.filter(({ offset, length }) => offset <= from && to <= offset + length);
      const styles = around.map(({ type }) => type);
      return {
        ...stretch,
        text: stretch.text.slice(from - first, to - first),
        ...(styles.length > 0 ? { styles } : {}),
      };
    });
  });
}

function spansOf(platform: Platform, text: string): Span[] {
  const links = WITHOUT_LINKS.includes(platform) ? [] : linksIn(platform, text);
  const mentions = found(text, MENTIONS[platform], "mention");
  const cashtags = WITH_CASHTAGS.includes(platform) ? found(text, CASHTAG, "tag") : [];
  return [...links, ...mentions, ...tagsIn(platform, text), ...cashtags];
}

function linksIn(platform: Platform, text: string): Span[] {
  return linksAndTags(text).flatMap((one) => {
    if (!("link" in one)) return [];
    return [{ ...one, mark: "link", text: shownLink(platform, text.slice(one.start, one.end)) }];
  });
}

function tagsIn(platform: Platform, text: string): Span[] {
  if (platform !== "BLUE_SKY") return found(text, TAG, "tag");
  return linksAndTags(text).flatMap((one) =>
    "tag" in one ? [{ ...one, mark: "tag", text: text.slice(one.start, one.end) }] : [],
  );
}

/** If the pattern has a group, only that is shown. */
function found(text: string, pattern: RegExp | undefined, mark: TextMark): Span[] {
  if (!pattern) return [];
  return [...text.matchAll(pattern)].map(({ 0: all, 1: shown = all, index }) => ({
    start: index,
    end: index + all.length,
    mark,
    text: shown,
  }));
}

function shownLink(platform: Platform, address: string): string {
  if (platform === "BLUE_SKY") return shortLink(address);
  if (platform !== "X_TWITTER" && platform !== "THREADS") return address;
  const [host = "", ...path] = address.replace(/^https?:\/\/(?:www\.)?/i, "").split(/(?=[/?#])/);
  const rest = path.join("").replace(/^\/$/, "");
  return rest.length > X_PATH ? `${host}${rest.slice(0, X_PATH)}…` : host + rest;
}
