import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApiDocument } from "@/lib/api";
import { codeExamplesOf, LANGUAGES } from "./examples";
import { highlighted } from "./highlight";
import { documentedCalls } from "./places";

const ENTITIES: { [entity: string]: string } = {
  ...{ "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&#x27;": "'" },
};

/** The text that a browser shows. */
const textOf = (markup: string) =>
  markup.replace(/<[^>]*>/g, "").replace(/&[a-z#0-9]+;/g, (entity) => ENTITIES[entity] ?? entity);

/** The innermost coloured parts, as `class text`. */
const partsOf = (code: string, language: string) =>
  [...highlighted(code, language).markup.matchAll(/<span class="hljs-([\w ]+)">([^<]*)<\/span>/g)]
    .filter(([, kind]) => kind !== "punctuation")
    .map(([, kind, text]) => `${kind} ${textOf(text ?? "")}`);

test("the examples of all calls keep their text in every language, so that a copied one still works", () => {
  const document = openApiDocument();
  for (const call of documentedCalls(document)) {
    const examples = codeExamplesOf(document, call);
    for (const language of LANGUAGES) {
      const { markup } = highlighted(examples[language], language);
      expect(textOf(markup)).toBe(examples[language]);
      expect(markup.includes('<span class="hljs-string">')).toBe(/["']/.test(examples[language]));
    }
  }
});

test("the code blocks of the guides keep their text", () => {
  const folder = join(process.cwd(), "docs");
  const blocks = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/^```(\w+)\n(.*?)^```/gms)]);
  expect(blocks.length).toBeGreaterThan(20);
  for (const [, language = "", code = ""] of blocks) expect(textOf(highlighted(code, language).markup)).toBe(code);
});

test.each<[language: string, code: string, parts: string[]]>([
  [
    "curl",
    `curl -X PUT https://a.example/v1/posts/7 \\\n  -H "Authorization: Bearer $TOKEN" \\\n  -d '{\n  "text": "it is # no comment"\n}'`,
    ["variable $TOKEN", `string '{\n  "text": "it is # no comment"\n}'`],
  ],
  ["sh", "npm start # waits", ["comment # waits"]],
  [
    "node",
    'const answer = await fetch("https://a.example"); // sent',
    ["keyword const", "keyword await", "title function_ fetch", 'string "https://a.example"', "comment // sent"],
  ],
  ["python", 'import os\nanswer = requests.get(f"{url}", ok=True)', ["keyword import", "subst {url}", "literal True"]],
  [
    "json",
    '{ "a": "b: \\"c\\"", "d": [true, null, 1] }',
    ['attr "a"', 'string "b: \\"c\\""', 'attr "d"', "keyword true", "keyword null", "number 1"],
  ],
  ["csv", "text,time\n<b>,1", []],
])("%s", (language, code, parts) => {
  expect(partsOf(code, language)).toEqual(parts);
  expect(textOf(highlighted(code, language).markup)).toBe(code);
});
