import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { repeatedName } from "../http/request-target";
import { oneLine } from "../mail/one-line";
import { richText } from "../networks/bluesky/facets";
import { littleText } from "../networks/linkedin/publish";
import {
  countCashtags,
  countHashtags,
  countLinks,
  countMentions,
  textLength,
  withoutPunctuation,
} from "../networks/text/count";
import { readMarkup } from "../networks/text/markup";
import { shortLink, shownText } from "../networks/text/rich-text";
import { firstLink, pageFacts } from "../networks/wire/web-page";
import { truncateText } from "../schedules/check/limits";
import { parseTable } from "../schedules/csv/table";
import { textOf } from "../schedules/feeds/thread";
import { normalizedText } from "../schedules/near-duplicates";
import { searchWords } from "../search-text";
import { normalized } from "../text";

/** Functions over text, by name. */
export type TextFunctions = { [name: string]: (text: string) => unknown };

const parsedTable = async (text: string) => {
  try {
    await parseTable(Buffer.from(text));
  } catch {} // most texts are not CSV
};

/** Every function over the text of a caller or of a web page. */
export const textFunctions: TextFunctions = {
  countCashtags,
  countHashtags,
  countLinks,
  countMentions,
  firstLink,
  littleText,
  oneLine,
  richText,
  normalized,
  searchWords,
  shortLink,
  textOf,
  withoutPunctuation,
  normalizedText: (text) => normalizedText([{ content: text }]),
  readMarkup,
  readMarkupOf: (text) => readMarkup(`<a href="${text}`),
  pageFacts: (text) => pageFacts({ contentType: "text/html", bytes: Buffer.from(text) }),
  shownText: (text) => shownText({ shortLinks: true }, `${text}://`),
  repeatedName: (text) => repeatedName(new URLSearchParams(text)),
};

/** The same, for functions that are slow on any text. */
export const slowTextFunctions: TextFunctions = {
  parseTable: parsedTable,
  parseRows: (text) => parsedTable(`text\n${text}`),
  graphemes: (text) => textLength("graphemes", text),
  emojiBytes: (text) => textLength("characters and emoji bytes", text),
  truncateGraphemes: (text) => truncateText(text, { max: 300, unit: "graphemes", shortLinks: true }),
};

/** Counting as X does, which is slow but exact only for the first 5,000 characters. */
export const weightedTextFunctions: TextFunctions = {
  weighted: (text: string) => textLength("weighted characters", text),
  truncateWeighted: (text: string) => truncateText(text, { max: 280, unit: "weighted characters" }),
};

/** These patterns only read settings of the operator, our own source files or bounded names. */
const NOT_FROM_CALLERS = /^lib\/(env|db|testing)\/|\/testing\//;

/** Source files whose code may read the text of a caller. */
export function sourceFiles(folders = ["lib", "app", "components", "cli"]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter(
        (file) =>
          /^(?!.*\/(node_modules|dist)\/).*\.tsx?$/.test(file) &&
          !/\.test\.tsx?$/.test(file) &&
          !NOT_FROM_CALLERS.test(file),
      ),
  );
}

/** Every regular expression of the source files, by its place. */
export function sourcePatterns(): { name: string; pattern: RegExp }[] {
  return sourceFiles().flatMap((file) =>
    patternsIn(file).map(({ line, pattern }) => ({ name: `${file}:${line} ${pattern}`, pattern })),
  );
}

/** Those that repeat something. */
export const isRepeating = ({ pattern }: { pattern: RegExp }) => /[*+]|\{\d+,\d*\}/.test(pattern.source);

/** Finds the matches of a pattern in a text as the code does. */
export const matcherOf = (pattern: RegExp) => (text: string) =>
  pattern.global ? text.replace(pattern, "") : pattern.test(text);

function patternsIn(file: string): { line: number; pattern: RegExp }[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: { line: number; pattern: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
