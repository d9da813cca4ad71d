const RESERVED = /[|{}@[\]()<>#\\*_~]/g;
/** A word after a number sign that does not continue another word; digits alone are a number. */
const HASHTAG = /(?<![\p{L}\p{N}\p{M}_&/#])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}\p{M}_]+/u;
const MENTION = /@\[[^[\]]+\]\(urn:li:(?:person|organization):[\w-]+\)/;
const ELEMENTS = new RegExp(`(${MENTION.source}|${HASHTAG.source})`, "u");

/**
 * Encodes a text in LinkedIn's "little" format: keeps hashtags and mentions (`@[Name](urn:li:organization:1)`) and escapes all
 * other reserved characters. An unescaped one causes no error: LinkedIn silently drops the text from there on.
 * learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format
 */
export function little(text: string): string {
  return text
    .split(ELEMENTS)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : element(part)))
    .join("");
}

function element(part: string): string {
  if (part.startsWith("#")) return `#${escaped(part.slice(1))}`;
  const name = part.slice(2, part.indexOf("]"));
  return `@[${escaped(name)}]${part.slice(part.indexOf("]") + 1)}`;
}

const escaped = (text: string) => text.replace(RESERVED, "\\$&");
