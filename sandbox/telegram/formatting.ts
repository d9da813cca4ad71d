import { type Entity, type Formatted, parseHtml, parseMarkdownV2 } from "./parse-modes";
import { badRequest, jsonParameter } from "./request";

/** Parses and trims a text or caption, and adds the entities that Telegram detects itself. */
export function formatted(parameters: Record<string, string>, textField: string, entityField: string): Formatted {
  const raw = parameters[textField] ?? "";
  const given = parameters.parse_mode
    ? parse(parameters.parse_mode, raw)
    : { text: raw, entities: explicit(parameters, entityField) };
  const { text, entities } = trimmed(given);
  return { text, entities: [...entities, ...found(text, entities)].sort((a, b) => a.offset - b.offset) };
}

function parse(mode: string, raw: string): Formatted {
  switch (mode.toLowerCase()) {
    case "html":
      return parseHtml(raw);
    case "markdownv2":
      return parseMarkdownV2(raw);
    case "markdown":
      return { text: raw, entities: [] };
    default:
      throw badRequest("unsupported parse_mode");
  }
}

function explicit(parameters: Record<string, string>, field: string): Entity[] {
  const value = jsonParameter(parameters, field);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badRequest("can't parse entities: expected an Array");
  // Telegram silently drops entities after the first 100.
  return (value as unknown[]).slice(0, 100).flatMap(entity);
}

/** The types that a bot can set, with the field that each needs. Source: Bot API, MessageEntity. */
const SETTABLE: Record<string, string | undefined> = {
  bold: undefined,
  italic: undefined,
  underline: undefined,
  strikethrough: undefined,
  spoiler: undefined,
  blockquote: undefined,
  expandable_blockquote: undefined,
  code: undefined,
  pre: undefined,
  text_link: "url",
  custom_emoji: "custom_emoji_id",
};
/** Whether a bot can set an entity, as opposed to one that only Telegram finds. */
export function isSettable({ type }: Entity): boolean {
  return type in SETTABLE;
}

/** Telegram finds these itself, and ignores them here. */
const DETECTED = ["mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number"];

function entity(value: unknown): Entity[] {
  const given = (value ?? {}) as Record<string, unknown>;
  const { type, offset, length } = given;
  if (typeof type !== "string" || !Number.isInteger(offset) || !Number.isInteger(length))
    throw badRequest("can't parse entities: invalid entity");
  if (DETECTED.includes(type)) return [];
  if (!(type in SETTABLE)) throw badRequest("can't parse entities: Unsupported type specified");
  const needed = SETTABLE[type];
  if (needed && typeof given[needed] !== "string")
    throw badRequest(`can't parse entities: Can't find field "${needed}"`);
  return [{ ...given, type, offset: Number(offset), length: Number(length) }];
}

/** Trims white space at both ends and adjusts the entities. */
function trimmed({ text, entities }: Formatted): Formatted {
  const lead = text.length - text.trimStart().length;
  const short = text.trim();
  const moved = entities.map((e) => {
    const start = Math.max(0, e.offset - lead);
    const end = Math.min(short.length, e.offset + e.length - lead);
    return { ...e, offset: start, length: end - start };
  });
  return { text: short, entities: moved.filter((e) => e.length > 0) };
}

const PATTERNS: [string, RegExp][] = [
  [
    "url",
    /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]}'…»]|(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|me|de|eu|co|info)\b(?:\/[^\s<>"]*[^\s<>".,;:!?)\]}'])?/gi,
  ],
  ["email", /(?<![\w.+-])[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi],
  ["hashtag", /(?<![\w#])#[\p{L}\p{N}_]+/gu],
  ["mention", /(?<![\w@])@[a-z]\w{2,31}/gi],
  ["cashtag", /(?<![\w$])\$[A-Z]{1,8}\b/g],
];

function found(text: string, explicitOnes: Entity[]): Entity[] {
  const entities: Entity[] = [];
  for (const [type, pattern] of PATTERNS) {
    for (const match of text.matchAll(pattern)) {
      const candidate = { type, offset: match.index, length: match[0].length };
      if (![...explicitOnes, ...entities].some((other) => overlaps(other, candidate))) entities.push(candidate);
    }
  }
  return entities;
}

function overlaps(a: Entity, b: Entity): boolean {
  return a.offset < b.offset + b.length && b.offset < a.offset + a.length;
}
