import { badRequest } from "./request";

/** A message entity. Offset and length are in UTF-16 units, as everywhere in the Bot API. */
export type Entity = { type: string; offset: number; length: number } & Record<string, unknown>;
export type Formatted = { text: string; entities: Entity[] };

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

/** Parses parse_mode HTML. Source: Bot API, HTML style. */
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

const MARKS: Record<string, string> = {
  "*": "bold",
  _: "italic",
  __: "underline",
  "~": "strikethrough",
  "||": "spoiler",
  "`": "code",
  "```": "pre",
};

/** Parses MarkdownV2, in which every reserved character outside markup must be escaped. Source: Bot API, MarkdownV2 style. */
export function parseMarkdownV2(raw: string): Formatted {
  const open: { mark: string; offset: number }[] = [];
  const entities: Entity[] = [];
  let text = "";
  for (let i = 0; i < raw.length; ) {
    const letter = raw.charAt(i);
    const current = open.at(-1);
    const isCode = current?.mark.startsWith("`") ?? false;
    const mark = ["```", "||", "__", "*", "_", "~", "`"].find(
      (m) => raw.startsWith(m, i) && (!isCode || m === current?.mark),
    );
    if (letter === "\\" && i + 1 < raw.length) {
      text += raw.charAt(i + 1);
      i += 2;
    } else if (mark && current?.mark === mark) {
      open.pop();
      if (text.length > current.offset)
        entities.push({ type: MARKS[mark] ?? "", offset: current.offset, length: text.length - current.offset });
      i += mark.length;
    } else if (mark) {
      open.push({ mark, offset: text.length });
      i += mark.length;
    } else if (!isCode && letter === "[") {
      open.push({ mark: "[", offset: text.length });
      i += 1;
    } else if (!isCode && letter === "]" && current?.mark === "[") {
      const target = /^\]\(((?:[^()\\]|\\.)*)\)/.exec(raw.slice(i));
      if (!target)
        throw badRequest(`can't parse entities: Character ']' is reserved and must be escaped with the preceding '\\'`);
      open.pop();
      entities.push({
        type: "text_link",
        offset: current.offset,
        length: text.length - current.offset,
        url: target[1]?.replace(/\\(.)/g, "$1"),
      });
      i += target[0].length;
    } else if (!isCode && /[[\]()>#+\-=|{}.!]/.test(letter)) {
      throw badRequest(
        `can't parse entities: Character '${letter}' is reserved and must be escaped with the preceding '\\'`,
      );
    } else {
      text += letter;
      i += 1;
    }
  }
  const unclosed = open.at(-1);
  if (unclosed)
    throw badRequest(
      `can't parse entities: Can't find end of the entity starting at byte offset ${Buffer.byteLength(text.slice(0, unclosed.offset))}`,
    );
  return { text, entities };
}
