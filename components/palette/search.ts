import { foldText, searchWords } from "@/lib/search-text";
import { handleOf } from "../accounts/names";
import type { ApiAccount, ApiSchedule } from "../api/types";
import type { ApiMedia } from "../library/queries";
import { textsOf } from "../posts/facts";

/**
 * Ranks texts: 0 if the first begins with the query, 1 if every query word begins a word, 2 if every query word
 * occurs; undefined otherwise.
 */
export function rankOf(query: string, ...texts: string[]): number | undefined {
  const words = searchWords(query);
  const [first = ""] = texts;
  const whole = foldText(texts.join(" "));
  if (!words.every((word) => whole.includes(word))) return undefined;
  if (foldText(first).startsWith(words.join(" "))) return 0;
  const starts = whole.split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => starts.some((start) => start.startsWith(word))) ? 1 : 2;
}

/** Returns matching things, best first and stable. @param textsOf a thing's texts, its name first */
export function best<T>(things: readonly T[], query: string, textsOf: (thing: T) => string[]): T[] {
  return things
    .map((thing) => ({ thing, rank: rankOf(query, ...textsOf(thing)) }))
    .filter((one): one is { thing: T; rank: number } => one.rank !== undefined)
    .sort((a, b) => a.rank - b.rank)
    .map(({ thing }) => thing);
}

const BEFORE = 24;

/** Cuts a text to start a little before the first match. */
export function excerptOf(text: string, query: string): string {
  const [word = ""] = query.trim().split(/\s+/);
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return at <= BEFORE * 2 ? text : `…${text.slice(at - BEFORE)}`;
}

/** The maximum number of results per kind. */
const MOST = 6;

type Searched = {
  /** Cached schedules; the last of duplicates wins. */
  known: readonly ApiSchedule[];
  /** The API's results, which also match alt texts and links. */
  found?: readonly ApiSchedule[];
};

/** Finds schedules by text; among equals, the nearest to `nowMs` first. */
export function searchPosts({ known, found = [] }: Searched, query: string, nowMs: number): ApiSchedule[] {
  const each = [...new Map(known.map((schedule) => [schedule.id, schedule])).values()];
  const away = ({ scheduledTime }: ApiSchedule) => (scheduledTime ? Math.abs(Date.parse(scheduledTime) - nowMs) : 0);
  const nearest = each.filter((schedule) => saidBy(schedule).length > 0).sort((a, b) => away(a) - away(b));
  const answering = best(nearest, query, saidBy);
  const others = found.filter(({ id }) => answering.every((one) => one.id !== id));
  return [...answering, ...others].slice(0, MOST);
}

/** Returns a schedule's texts and titles. */
export function saidBy(schedule: ApiSchedule): string[] {
  const titles = schedule.publications.flatMap(({ platformSettings: { title } }) => (title ? [String(title)] : []));
  return [...textsOf(schedule), ...new Set(titles)];
}

/** @param networkOf a network's name */
export function searchAccounts(
  accounts: readonly ApiAccount[],
  query: string,
  networkOf: (account: ApiAccount) => string,
) {
  return best(accounts, query, (one) => [handleOf(one), one.accountDisplayName, networkOf(one)]).slice(0, MOST);
}

/** Finds files by name and alt text. */
export function searchFiles(files: readonly ApiMedia[], query: string): ApiMedia[] {
  return best(files, query, ({ filename, altText = "" }) => [filename, altText]).slice(0, MOST);
}
