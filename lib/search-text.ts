/**
 * Combining marks (accents, points, Hebrew and Arabic vowels, emoji variants) in the bracket syntax that JavaScript and
 * PostgreSQL share. Vowels of Indic scripts are not included, because a word without them is another word.
 */
export const MARKS =
  "\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f";

/**
 * Returns a text in a normalization form, in time linear in its length. `normalize` sorts the marks of a letter, which takes
 * quadratic time, so runs of more than 30 marks are cut like in stream-safe text (Unicode Standard Annex #15, section 13). The
 * result is the same for all other text, because nothing but marks is sorted.
 */
export function normalized(text: string, form = "NFC"): string {
  return text.replace(/\P{M}*\p{M}{0,30}/gu, (piece) => piece.normalize(form));
}

/** Returns text for comparison, without case and accents: a search for `cafe` finds `Café`. */
export function foldText(text: string): string {
  return normalized(text, "NFKD")
    .replace(new RegExp(`[${MARKS}]`, "g"), "")
    .toLowerCase();
}

/** Splits a search text into words for comparison. */
export function searchWords(text: string): string[] {
  return foldText(text).split(/\s+/).filter(Boolean);
}
