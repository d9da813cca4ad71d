const RESERVED = new Set("|{}@[]()<>#\\*_~");
const HASHTAG = /^\{hashtag\|\\#\|((?:[^|{}\\]|\\.)+)\}/;
const MENTION = /^@\[((?:[^\]\\]|\\.)+)\]\(urn:li:(?:person|organization):[\w-]+\)/;

/**
 * A text of the "little" format as people would see it; source: learn.microsoft.com, little text format. A reserved character
 * that is neither escaped nor part of an element is no error: the text ends there.
 */
export function visibleText(commentary: string): string {
  let shown = "";
  for (let rest = commentary; rest !== ""; ) {
    const [, escaped] = /^\\(.)/su.exec(rest) ?? [];
    const [tag, word] = HASHTAG.exec(rest) ?? [];
    const [mention, name] = MENTION.exec(rest) ?? [];
    const letter = String.fromCodePoint(rest.codePointAt(0) ?? 0);
    if (escaped !== undefined && RESERVED.has(escaped)) {
      shown += escaped;
      rest = rest.slice(1 + escaped.length);
    } else if (tag && word) {
      shown += `#${plain(word)}`;
      rest = rest.slice(tag.length);
    } else if (mention && name) {
      shown += plain(name);
      rest = rest.slice(mention.length);
    } else if (!RESERVED.has(letter) || /^#[\p{L}\p{N}]/u.test(rest)) {
      shown += letter;
      rest = rest.slice(letter.length);
    } else break;
  }
  return shown;
}

const plain = (text: string) => text.replace(/\\(.)/gsu, "$1");
