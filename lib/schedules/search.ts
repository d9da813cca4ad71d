import { eq, type SQL, sql } from "drizzle-orm";
import { db, posts, publications, schedules } from "../db";
import { allNetworks } from "../networks";
import { MARKS, wordsIn } from "./search-text";

/** Settings that are texts, such as a title: each has a limit. */
const TEXTS = new Set(
  allNetworks().flatMap(({ formats, variants }) =>
    [formats, ...Object.values(variants?.formats ?? {})].flatMap((some) =>
      Object.values(some).flatMap(({ limits }) => Object.keys(limits.settings ?? {})),
    ),
  ),
);

/**
 * Whether the texts of a schedule hold every word of `text`, in any case, with or without accents. The longest word is looked
 * for first, since a text seldom has it; letters and accents are taken apart only where a text has more than ASCII, since that
 * costs as much as all else here.
 * @returns undefined where there is no word in it
 */
export function saying(text: string): SQL | undefined {
  const words = [...new Set(wordsIn(text))].toSorted((a, b) => b.length - a.length);
  const patterns = words.map(patternOf);
  if (patterns.length === 0) return undefined;
  const settings = [...TEXTS].map((name) => sql`${publications.settings} ->> ${name}`);
  const texts = db
    .select({
      said: sql`string_agg(concat_ws(' ', ${sql.join([posts.content, ...settings], sql`, `)}), ' ')`.as("said"),
    })
    .from(publications)
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(eq(publications.scheduleId, schedules.id));
  const apart = sql`case when octet_length(said) = length(said) then said else normalize(said, NFKD) end`;
  return sql`(select (${apart}) collate "C" ~ all (${sql.param(patterns)}::text[]) from (${texts}) as texts)`;
}

/** A word as a regular expression that asks nothing of the database's locale: both cases, and marks between all letters. */
function patternOf(word: string): string {
  return Array.from(word, inAnyCase).join(`[${MARKS}]*`);
}

function inAnyCase(letter: string): string {
  const upper = letter.toUpperCase();
  if (upper !== letter && Array.from(upper).length === 1) return `[${letter}${upper}]`;
  return letter.replace(/[^\p{L}\p{N}]/u, "\\$&");
}
