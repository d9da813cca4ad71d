import { badRequest } from "./errors";
import type { Entity, Formatted } from "./formatting";

const TYPES: Record<string, string> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  code: "code",
  pre: "pre",
  a: "text_link",
  blockquote: "blockquote",
  "tg-spoiler": "spoiler",
  "tg-emoji": "custom_emoji",
};
const NAMED: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/** Source: Bot API, HTML style. */
export function parseHtml(raw: string): Formatted {
  const open: { tag: string; offset: number; url?: string }[] = [];
  const entities: Entity[] = [];
  let text = "";
  for (const [token] of raw.matchAll(/<[^>]*>?|&(?:#\d+|#x[0-9a-f]+|[a-z]+);|[^<&]+|&/gi)) {
    if (!token.startsWith("<")) {
      text += token.startsWith("&") ? character(token) : token;
      continue;
    }
    const [, slash, tag = "", rest = ""] = /^<(\/?)([a-z-]+)([^>]*)>$/i.exec(token) ?? [];
    const type = TYPES[tag.toLowerCase()];
    if (!type)
      throw badRequest(
        `can't parse entities: Unsupported start tag "${tag}" at byte offset ${Buffer.byteLength(text)}`,
      );
    if (!slash) {
      open.push({ tag, offset: text.length, url: /href="([^"]*)"/.exec(rest)?.[1] });
      continue;
    }
    const start = open.pop();
    if (start?.tag !== tag)
      throw badRequest(`can't parse entities: Unmatched end tag at byte offset ${Buffer.byteLength(text)}`);
    if (text.length > start.offset)
      entities.push({
        type,
        offset: start.offset,
        length: text.length - start.offset,
        ...(start.url ? { url: start.url } : {}),
      });
  }
  const unclosed = open.at(-1);
  if (unclosed)
    throw badRequest(`can't parse entities: Can't find end tag corresponding to start tag "${unclosed.tag}"`);
  return { text, entities };
}

function character(token: string): string {
  const name = token.slice(1, -1);
  if (name.startsWith("#x")) return String.fromCodePoint(Number.parseInt(name.slice(2), 16));
  return name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : (NAMED[name] ?? token);
}
