import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openApiDocument } from "@/lib/api";
import { documentedCalls } from "./places";
import { guides } from "./words";

const folder = join(process.cwd(), "docs");
const calls = new Set(
  documentedCalls(openApiDocument()).map(({ method, path }) => `${method.toUpperCase()} ${shape(path)}`),
);

/** A path without the names of its parameters and without its query. */
function shape(path: string): string {
  return path.replace(/\?.*/, "").replace(/\{\w+\}/g, "{}");
}

test.each(readdirSync(folder).filter((name) => name.endsWith(".md")))("docs/%s names only calls that exist", (name) => {
  const named = [
    ...readFileSync(join(folder, name), "utf8").matchAll(/\b(GET|POST|PUT|PATCH|DELETE) (\/(?:v1|oauth)\/[^\s`)]+)/g),
  ];
  const wrong = named.map(([, method, path = ""]) => `${method} ${shape(path)}`).filter((call) => !calls.has(call));
  expect(wrong).toEqual([]);
});

test.each(Object.keys(guides))("the page of docs/%s.md links to no file, which has no address there", (name) => {
  const text = readFileSync(join(folder, `${name}.md`), "utf8");
  expect([...text.matchAll(/\]\((?!https?:|#)[^)]*\)/g)].map(([link]) => link)).toEqual([]);
});
