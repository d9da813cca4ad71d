/** Stands in a text where something is put in when it is shown. */
export const GAP = "{}";

/** A word of a sentence with the marks around it; no `camelCase`, `SNAKE_CASE`, `path/to`, `key=value` or `X-Header-Name`. */
const WORD = /^[([“‘"'*]*\p{L}\p{Ll}*(?:['’-]\p{Ll}+)*[)\]”’"'*.,;:!?…]*$/u;
const CAPITALISED = /^[([“‘"'*]*\p{Lu}(?:\p{Ll}|-\p{Ll})/u;

/** Utilities of Tailwind that are single words; the others have a dash, a colon or a bracket. */
const UTILITIES = new Set([
  ...["absolute", "block", "border", "capitalize", "fixed", "flex", "grid", "group", "hidden", "inline", "italic"],
  ...["outline", "peer", "relative", "rounded", "shadow", "static", "sticky", "transition", "truncate", "underline"],
]);

/** Whether a text says anything at all, for places where a person reads whatever stands there. */
export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(GAP, "").replace(/%s|&#?\w+;|https?:\/\/\S*/g, ""));
}

/** Whether a text anywhere in code looks as if a person read it: a word beside a word or a gap, or one with a capital. */
export function isProse(text: string): boolean {
  if (isClassList(text) || isStyle(text)) return false;
  const kinds = text.split(/\s+/).map(kindOf).filter(Boolean);
  const isInRow = kinds.some((kind, index) => isWord(kind) && (isOpen(kinds[index - 1]) || isOpen(kinds[index + 1])));
  return isInRow || (kinds.includes("capitalised word") && !kinds.includes("code"));
}

type Kind = "word" | "capitalised word" | "acronym" | "gap" | "code";

/** What stands between two spaces; undefined for signs. */
function kindOf(token: string): Kind | undefined {
  const rest = token.replaceAll(GAP, "").replace("%s", "");
  if (/^\d+$/.test(token)) return "gap";
  if (rest !== token && /^(’s)?[^\p{L}]*$/u.test(rest)) return "gap";
  if (!/\p{L}/u.test(token)) return undefined;
  if (/^\W*[A-Z]{2,}\W*$/.test(token)) return "acronym";
  if (!WORD.test(token)) return "code";
  return CAPITALISED.test(token) ? "capitalised word" : "word";
}

function isWord(kind: Kind | undefined): boolean {
  return kind === "word" || kind === "capitalised word";
}

/** What a sentence can go on with. */
function isOpen(kind: Kind | undefined): boolean {
  return isWord(kind) || kind === "gap" || kind === "acronym";
}

function isClassList(text: string): boolean {
  const classes = text.replaceAll(GAP, " ").split(/\s+/).filter(Boolean);
  return classes.every((name) => UTILITIES.has(name) || /^[^A-Z\s]*[-:[][^\s]*[^\s.,;:!?…]$/.test(name));
}

function isStyle(text: string): boolean {
  return /\{[a-z-]+:[^{}]+[;}]/.test(text);
}
