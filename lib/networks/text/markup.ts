/**
 * Telegram's HTML style (core.telegram.org/bots/api#html-style). We read the markup ourselves and send the text with the
 * ranges it marks. So Telegram parses nothing, and every mistake is reported when the post is checked. Runs in the browser too.
 */
export type Markup = "HTML";

/** A marked range of a text, in UTF-16 units, as the Bot API describes it (core.telegram.org/bots/api#messageentity). */
export type Entity = {
  type: string;
  offset: number;
  length: number;
  url?: string;
  language?: string;
  custom_emoji_id?: string;
};

/** `problem`: what is wrong with the markup. The text then contains the rest as it was written. */
export type MarkedText = { text: string; entities: Entity[]; problem?: string };

const TYPES: { [tag: string]: string } = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  span: "spoiler",
  "tg-spoiler": "spoiler",
  "tg-emoji": "custom_emoji",
  a: "text_link",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
};
const CHARACTERS: { [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"' };
const TAG = /<(\/?)([a-z][a-z-]*)([^<>]*)>/iy;
const REFERENCE = /&(?:(lt|gt|amp|quot)|#(\d{1,7})|#x([\da-f]{1,6}));/giy;
const PLAIN = /[^<&]+/y;
const isCharacter = (point: number) => (point > 0 && point < 0xd800) || (point > 0xdfff && point <= 0x10ffff);

const attributeNamed = (name: string) => new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "i");
/** Compiled once: a text may have 33,000 tags. */
const ATTRIBUTES = {
  class: attributeNamed("class"),
  "emoji-id": attributeNamed("emoji-id"),
  href: attributeNamed("href"),
};

type Open = Entity & { tag: string };

/** Reads a text with markup. Takes time linear in its length. */
export function readMarkup(source: string): MarkedText {
  const open: Open[] = [];
  const entities: Entity[] = [];
  let [text, at] = ["", 0];
  const matched = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const failed = (problem: string) => ({ text: text + source.slice(at), entities, problem });
  while (at < source.length) {
    const start = at;
    const character = source[at];
    if (character !== "<" && character !== "&") {
      text += matched(PLAIN)?.[0];
      continue;
    }
    if (character === "&") {
      const [reference, name, decimal, hex] = matched(REFERENCE) ?? [];
      const point = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
      if (name) text += CHARACTERS[name.toLowerCase()];
      else if (reference && isCharacter(point)) text += String.fromCodePoint(point);
      else {
        at = start + (reference?.length ?? 1);
        text += reference ?? "&";
      }
      continue;
    }
    const [written, slash, name = "", attributes = ""] = matched(TAG) ?? [];
    const tag = name.toLowerCase();
    const where = () => `at character ${start + 1}`; // written only for a problem: there may be 33,000 tags
    if (!written) return failed(`The "<" ${where()} begins no tag. Write it as &lt;`);
    if (!(tag in TYPES)) return failed(`<${tag}> ${where()} is not one of Telegram's tags. Write "<" as &lt;`);
    if (!slash) {
      const entity = entityOf(tag, attributes, open);
      if (typeof entity === "string") return failed(`<${tag}> ${where()} ${entity}`);
      open.push(Object.assign(entity, { tag, offset: text.length, length: 0 }));
      continue;
    }
    const opened = open.pop();
    if (opened?.tag !== tag) return failed(`</${tag}> ${where()} closes no open <${tag}>`);
    const { tag: _, ...entity } = opened;
    const length = text.length - entity.offset;
    const isLanguage = tag === "code" && open.at(-1)?.language !== undefined && open.at(-1)?.offset === entity.offset;
    if (length > 0 && !isLanguage) entities.push({ ...entity, length });
  }
  const last = open.pop();
  return last
    ? failed(`<${last.tag}> is never closed`)
    : { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
}

/** Returns the entity of a tag without its range, or what is wrong with the tag. */
function entityOf(tag: string, attributes: string, open: Open[]): Omit<Entity, "offset" | "length"> | string {
  const attribute = (name: keyof typeof ATTRIBUTES) => {
    const [, double, single] = (attributes && ATTRIBUTES[name].exec(attributes)) || [];
    return double ?? single;
  };
  const outer = open.at(-1);
  const type = TYPES[tag] ?? "";
  const language = /^language-(\S+)$/.exec(attribute("class") ?? "")?.[1];
  if (outer?.type === "pre" && tag === "code" && language) {
    outer.language = language;
    return { type };
  }
  if (outer?.type === "pre" || outer?.type === "code") return `cannot be inside <${outer.tag}>`;
  if (tag === "blockquote") {
    if (open.some((one) => one.tag === tag)) return "cannot be inside another one";
    return { type: /(?:^|\s)expandable(?:\s|=|$)/i.test(attributes) ? "expandable_blockquote" : type };
  }
  if (tag === "span" && attribute("class") !== "tg-spoiler") return 'needs class="tg-spoiler"';
  if (tag === "tg-emoji") {
    const id = attribute("emoji-id");
    return id ? { type, custom_emoji_id: id } : "needs an emoji-id";
  }
  if (tag !== "a") return { type };
  const url = readMarkup(attribute("href") ?? "").text;
  return /^(?:https?|tg):\/\/\S+$/i.test(url)
    ? { type, url }
    : 'needs an href that begins with "https://" or "http://"';
}
