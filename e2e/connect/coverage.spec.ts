import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";

const root = new URL("../../", import.meta.url);
const read = (file: string) => readFile(new URL(file, root), "utf8");

/** The rules that a file's titles name: `C13`, `[C13 X_TWITTER]`. */
async function namedIn(file: string): Promise<Set<string>> {
  const titles = (await read(file)).match(/\b(test|describe)[\w.]*\(\s*[`"'][^\n]*/g) ?? [];
  return new Set(titles.flatMap((title) => title.match(/\bC\d+\b/g) ?? []));
}

test("every rule of the table is named by a test in each file that the table names, and every rule of a test is in the table", async () => {
  const rows = [...(await read("docs/connect-rules.md")).matchAll(/^\| (C\d+) +\|[^|]*\|([^|]*)\|$/gm)];
  const table = new Map(
    rows.map(([, rule = "", files = ""]) => [rule, [...files.matchAll(/`([^`]+)`/g)].map(([, file]) => file ?? "")]),
  );
  expect(table.size).toBe(21);
  for (const [rule, files] of table) {
    expect(files.length, rule).toBeGreaterThan(0);
    for (const file of files) expect([...(await namedIn(file))], `${rule} in ${file}`).toContain(rule);
  }
  const own = (await readdir(new URL(".", import.meta.url))).filter((file) => file.endsWith(".spec.ts"));
  for (const file of own) {
    for (const rule of await namedIn(`e2e/connect/${file}`)) expect([...table.keys()], file).toContain(rule);
  }
});
