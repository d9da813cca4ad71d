import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { repeatedName } from "./http/request-target";
import { oneLine } from "./mail/one-line";
import { richText } from "./networks/bluesky/facets";
import { littleText } from "./networks/linkedin/publish";
import {
  countCashtags,
  countHashtags,
  countLinks,
  countMentions,
  textLength,
  withoutPunctuation,
} from "./networks/text/count";
import { readMarkup } from "./networks/text/markup";
import { shortLink, shownText } from "./networks/text/rich-text";
import { firstLink, pageFacts } from "./networks/wire/web-page";
import { truncateText } from "./schedules/check/limits";
import { parseTable } from "./schedules/csv/table";
import { textOf } from "./schedules/feeds/thread";
import { normalizedText } from "./schedules/near-duplicates";
import { searchWords } from "./search-text";
import { slowCalls } from "./testing/hostile-text";
import { normalized } from "./text";

const parsedTable = async (text: string) => {
  try {
    await parseTable(Buffer.from(text));
  } catch {} // most texts are not CSV
};

test("every function over the text of a caller or of a web page takes time linear in its length", async () => {
  const slow = await slowCalls({
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
  });
  expect(slow).toEqual([]);
}, 300_000);

test("so does every function that is slow on any text", async () => {
  const slow = await slowCalls({
    parseTable: parsedTable,
    parseRows: (text) => parsedTable(`text\n${text}`),
    graphemes: (text) => textLength("graphemes", text),
    emojiBytes: (text) => textLength("characters and emoji bytes", text),
    truncateGraphemes: (text) => truncateText(text, { max: 300, unit: "graphemes", shortLinks: true }),
  });
  expect(slow).toEqual([]);
}, 300_000);

test("so does counting as X does, which is slow but exact only for the first 5,000 characters", async () => {
  const functions = {
    weighted: (text: string) => textLength("weighted characters", text),
    truncateWeighted: (text: string) => truncateText(text, { max: 280, unit: "weighted characters" }),
  };
  expect(await slowCalls(functions, 5_000)).toEqual([]);
}, 300_000);

/** These patterns only read settings of the operator, our own source files or bounded names. */
const NOT_FROM_CALLERS = /^lib\/(env|db|testing)\/|\/testing\//;

test("every regular expression takes linear time on any text", async () => {
  const patterns = new Map<string, RegExp>();
  for (const file of sourceFiles()) {
    for (const { line, pattern } of patternsIn(file)) patterns.set(`${file}:${line} ${pattern}`, pattern);
  }
  const matchers = Object.fromEntries(
    [...patterns].map(([name, pattern]) => [
      name,
      (text: string) => (pattern.global ? text.replace(pattern, "") : pattern.test(text)),
    ]),
  );
  expect(await slowCalls(matchers)).toEqual([]);
}, 300_000);

test("text is normalized in linear time, except passwords, which have at most 1,024 characters", () => {
  const normalizing = [...sourceFiles(), ...sourceFiles(["sandbox", "packages"])].filter((file) =>
    /\.normalize\(/.test(readFileSync(file, "utf8")),
  );
  expect(normalizing.sort()).toEqual(["lib/text.ts", "lib/users/users.ts", "sandbox/x/text.ts"]);
});

function sourceFiles(folders = ["lib", "app", "components", "cli"]): string[] {
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

/** The regular expressions of a file that repeat something. */
function patternsIn(file: string): { line: number; pattern: RegExp }[] {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: { line: number; pattern: RegExp }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node) && /[*+]|\{\d+,\d*\}/.test(node.text)) {
      const end = node.text.lastIndexOf("/");
      const pattern = new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
      found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
