import { normalized } from "./text";

/**
 * Combining marks (accents, points, Hebrew and Arabic vowels, emoji variants) in the bracket syntax that JavaScript and
 * PostgreSQL share. Vowels of Indic scripts are not included, because a word without them is another word.
 */
export const MARKS =
  "\\u0300-\\u036f\\u0483-\\u0489\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u064b-\\u065f\\u0670\\u1ab0-\\u1aff\\u1dc0-\\u1dff\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f";
const marks = new RegExp(`[${MARKS}]`, "g");

/** Returns text for comparison, without case and accents: a search for `cafe` finds `Café`. */
export function foldText(text: string): string {
  return normalized(text, "NFKD").replace(marks, "").toLowerCase();
}

/** Splits a search text into words for comparison. */
export function searchWords(text: string): string[] {
  return foldText(text).split(/\s+/).filter(Boolean);
}
