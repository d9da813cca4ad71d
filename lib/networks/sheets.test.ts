import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { networkNames } from "../platforms";
import type { Sheet, SheetRow } from "./testing/sheet";

const root = join(import.meta.dirname, "../..");
const folders = readdirSync(import.meta.dirname).filter((name) =>
  existsSync(join(import.meta.dirname, name, "testing/sheet.ts")),
);

const literals = new Map<string, string[]>();

/** Every text that stands in quotes in a file; the titles of its tests are among them. */
function literalsOf(file: string): string[] {
  const known = literals.get(file);
  if (known) return known;
  const source = readFileSync(join(root, file), "utf8");
  const found = [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)];
  const texts = found.map(([, double, single, template]) =>
    (double ?? single ?? template ?? "").replace(/\\(.)/g, "$1"),
  );
  literals.set(file, texts);
  return texts;
}

/** `%s of a reel: sent once` stands for each of its rows; one that is nothing but a place for values stands for none. */
function isTitled(text: string, title: string): boolean {
  if (text === title) return true;
  if (!/%[sijdfo]|\$\w/.test(text) || !/[a-z]{4}/i.test(text.replace(/%[sijdfo]|\$\w+/g, ""))) return false;
  const pieces = text.split(/%[sijdfo]|\$[\w.]+/).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".+")}$`).test(title);
}

function faultIn({ row, proof }: SheetRow): string[] {
  if (!proof) return [`${row}: not shown by any test`];
  if (!existsSync(join(root, proof.file))) return [`${row}: there is no ${proof.file}`];
  if (!/\.(test|spec)\.ts$/.test(proof.file)) return [`${row}: ${proof.file} holds no tests`];
  const isThere = literalsOf(proof.file).some((text) => isTitled(text, proof.test));
  return isThere ? [] : [`${row}: ${proof.file} has no test "${proof.test}"`];
}

test("what is no title of a test shows nothing", () => {
  const file = "lib/networks/x/x.test.ts";
  expect(faultIn({ row: "a", proof: { file, test: "a thread, each post replying to the one before" } })).toEqual([]);
  expect(faultIn({ row: "a", proof: { file, test: "drop_response: the post is found, and sent once" } })).toEqual([]);
  expect(faultIn({ row: "a", proof: { file, test: "nobody wrote this" } })).toHaveLength(1);
  expect(faultIn({ row: "a", proof: { file: "lib/networks/x/y.test.ts", test: "a text" } })).toHaveLength(1);
  expect(faultIn({ row: "a" })).toEqual(["a: not shown by any test"]);
});

describe.each(folders)("%s", (folder) => {
  test("every row of its contract is shown by a test", async () => {
    const { sheet }: { sheet: Sheet } = await import(`./${folder}/testing/sheet.ts`);
    const rows = sheet.map(({ row }) => row);
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
    expect(rows.length).toBeGreaterThan(20);
    expect(sheet.flatMap(faultIn)).toEqual([]);
  });
});

test("each of them is the contract of a network that exists", () => {
  expect(folders.length).toBeGreaterThan(0);
  expect(folders.filter((folder) => !(networkNames as readonly string[]).includes(folder))).toEqual([]);
});
