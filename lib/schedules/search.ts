import { eq, type SQL, sql } from "drizzle-orm";
import { dbOrTransaction, posts, publications, schedules } from "../db";
import { allNetworks } from "../networks";
import { MARKS, searchWords } from "./search-text";

/** The settings that contain text, such as a title: those with a text limit. */
const TEXT_SETTINGS = new Set(
  allNetworks().flatMap(({ formats, variants }) =>
    [formats, ...Object.values(variants?.formats ?? {})].flatMap((some) =>
      Object.values(some).flatMap(({ limits }) => Object.keys(limits.settings ?? {})),
    ),
  ),
);

/**
 * SQL condition: the texts of a schedule contain every word of `text`, ignoring case and accents. The longest word is tested
 * first because it is the least frequent. Only texts beyond ASCII are normalized, because that doubles the cost.
 * @returns undefined if `text` has no words
 */
export function matchesText(text: string): SQL | undefined {
  const words = [...new Set(searchWords(text))].toSorted((a, b) => b.length - a.length);
  const patterns = words.map(wordPattern);
  if (patterns.length === 0) return undefined;
  const settings = [...TEXT_SETTINGS].map((name) => sql`${publications.settings} ->> ${name}`);
  const texts = dbOrTransaction
    .select({
      body: sql`string_agg(concat_ws(' ', ${sql.join([posts.content, ...settings], sql`, `)}), ' ')`.as("body"),
    })
    .from(publications)
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(eq(publications.scheduleId, schedules.id));
  const apart = sql`case when octet_length(body) = length(body) then body else normalize(body, NFKD) end`;
  return sql`(select (${apart}) collate "C" ~ all (${sql.param(patterns)}::text[]) from (${texts}) as texts)`;
}

/** Returns a regular expression that matches both cases and accents without depending on the database's locale. */
function wordPattern(word: string): string {
  return Array.from(word, anyCasePattern).join(`[${MARKS}]*`);
}

function anyCasePattern(letter: string): string {
  const upper = letter.toUpperCase();
  if (upper !== letter && Array.from(upper).length === 1) return `[${letter}${upper}]`;
  return letter.replace(/[^\p{L}\p{N}]/u, "\\$&");
}
