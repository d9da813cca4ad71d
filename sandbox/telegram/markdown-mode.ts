import { badRequest } from "./errors";
import type { Entity, Formatted } from "./formatting";

const MARKS: Record<string, string> = {
  "*": "bold",
  _: "italic",
  __: "underline",
  "~": "strikethrough",
  "||": "spoiler",
  "`": "code",
  "```": "pre",
};

/** Source: Bot API, MarkdownV2 style: every reserved character that is not a mark must be escaped. */
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
