import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRows } from "./rows";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-rows-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function rowsOf(file: string) {
  const found = [];
  for await (const row of readRows(folder, { file })) found.push(row);
  return found;
}

test("rows are read with their missing values", async () => {
  await writeFile(join(folder, "rows.gz"), gzipSync("a\t1\n\\N\tä\n"));
  expect(await rowsOf("rows.gz")).toEqual([
    ["a", "1"],
    [undefined, "ä"],
  ]);
});

test("a file that is missing or damaged is an error for the reader, and does not end the process", async () => {
  await expect(rowsOf("missing.gz")).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(join(folder, "damaged.gz"), "not compressed");
  await expect(rowsOf("damaged.gz")).rejects.toThrow("incorrect header check");
});
