/**
 * Marks upon letters (accents, points, vowels of Hebrew and Arabic, variants of emoji), as a bracket expression holds them
 * both here and in PostgreSQL. Vowels of Indic scripts are no accents: without them it is another word.
 */
export const MARKS =
  "\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f";
const marks = new RegExp(`[${MARKS}]`, "g");

/** Text as it is compared: `Café` is found by `cafe`. */
export function folded(text: string): string {
  return text.normalize("NFKD").replace(marks, "").toLowerCase();
}

/** The words that somebody looks for, as they are compared. */
export function wordsIn(text: string): string[] {
  return folded(text).split(/\s+/).filter(Boolean);
}
