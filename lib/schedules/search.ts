import { eq, type SQL, sql } from "drizzle-orm";
import { dbOrTransaction, posts, publications, schedules } from "../db";
import { allNetworks } from "../networks";
import { MARKS, searchWords } from "../search-text";

/** The settings that contain text, such as a title: those with a text limit. The SQL function `setting_texts` reads them too. */
export const TEXT_SETTINGS = new Set(
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
  const patterns = longestFirst(text).map(wordPattern);
  if (patterns.length === 0) return undefined;
  const settings = [...TEXT_SETTINGS].map((name) => sql`${publications.settings} ->> ${name}`);
  const texts = dbOrTransaction
    .select({
      body: sql`string_agg(concat_ws(' ', ${sql.join([posts.content, ...settings], sql`, `)}), ' ')`.as("body"),
    })
    .from(publications)
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(eq(publications.scheduleId, schedules.id));
  const apart = sql`case when octet_length(body) = length(body) then body else decomposed(body) end`;
  return sql`(select (${apart}) collate "C" ~ all (${sql.param(patterns)}::text[]) from (${texts}) as texts)`;
}

/** Returns a regular expression that matches both cases and accents without depending on the database's locale. */
function wordPattern(word: string): string {
  return Array.from(word, anyCasePattern).join(`[${MARKS}]*`);
}

function anyCasePattern(letter: string): string {
  const [lower, upper] = bothCases(letter);
  if (upper) return `[${lower}${upper}]`;
  return letter.replace(/[^\p{L}\p{N}]/u, "\\$&");
}

/** Returns a lower-case letter and its upper case, if that is one other letter. */
function bothCases(letter: string): string[] {
  const upper = letter.toUpperCase();
  return upper !== letter && Array.from(upper).length === 1 ? [letter, upper] : [letter];
}

const longestFirst = (text: string) => [...new Set(searchWords(text))].toSorted((a, b) => b.length - a.length);

/** How many words are looked up. If each of them is frequent, a further one would hardly help. */
const LOOK_UPS = 3;
/** With more schedules than this, comparing the newest ones finds a page sooner. */
const MAX_FOUND = 5_000;

/**
 * Looks up in the index which of the owner's schedules may match a text. Each still has to be compared with `matchesText`.
 * @returns their ids; undefined if they are too many, or the text has no words
 */
export async function findByIndex(ownerId: string, text: string): Promise<number[] | undefined> {
  for (const word of longestFirst(text).slice(0, LOOK_UPS)) {
    const ids = await schedulesWithGrams(ownerId, gramQuery(word));
    if (ids.length <= MAX_FOUND) return ids;
  }
  return undefined;
}

/**
 * The index entries of a post contain its owner, and those of a publication's settings its account. So words that are frequent
 * only in other owners' texts cost little.
 */
async function schedulesWithGrams(ownerId: string, grams: string): Promise<number[]> {
  const ofOwner = `${grams} & (' ${ownerId}' | ' ')`;
  const ofAccounts = sql`(
    select (${grams} || ' & (' || string_agg(quote_literal(' ' || id), ' | ') || ')')::tsquery
    from accounts where owner_id = ${ownerId})`;
  const { rows } = await dbOrTransaction.execute<{ id: number }>(sql`
    select distinct id::float8 as id from (
      (select schedule_id as id from posts join publications on publications.id = publication_id
       where text_grams(content, owner_id::text) @@ ${ofOwner}::tsquery limit ${MAX_FOUND + 1})
      union all
      (select schedule_id from publications
       where setting_texts(settings) <> '' and text_grams(setting_texts(settings), account_id::text) @@ ${ofAccounts}
       limit ${MAX_FOUND + 1})
    ) as found`);
  return rows.map(({ id }) => id);
}

/** The length of the grams that the SQL function `text_grams` makes of a text. At the end of a word they are shorter. */
const GRAM = 3;
/** Enough to find a long word. Each gram of letters beyond ASCII is looked up in up to eight spellings. */
const MAX_GRAMS = 16;

/** Returns a tsquery that each text with this word matches. Very long texts have no grams, so they always match. */
function gramQuery(word: string): string {
  const letters = Array.from(word, (letter) => bothCases(letter).map(asciiLower));
  const isShort = letters.length < GRAM;
  const count = Math.min(Math.max(letters.length - GRAM + 1, 1), MAX_GRAMS);
  const grams = Array.from({ length: count }, (_, at) => {
    const spellings = new Set(combinations(letters.slice(at, at + GRAM)));
    return `(${Array.from(spellings, (one) => `${quoted(one)}${isShort ? ":*" : ""}`).join(" | ")})`;
  });
  return `((${grams.join(" & ")}) | ' long')`;
}

/** `text_grams` lowers the letters of ASCII only, which does not depend on the database's locale. */
const asciiLower = (letter: string) => letter.replace(/[A-Z]/, (one) => one.toLowerCase());

function combinations(letters: string[][]): string[] {
  return letters.reduce<string[]>(
    (starts, some) => starts.flatMap((start) => some.map((letter) => start + letter)),
    [""],
  );
}

/** Quotes a lexeme for a tsquery (PostgreSQL, section 8.11.2). */
const quoted = (lexeme: string) => `'${lexeme.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
