import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

type Build = {
  contentHash(sources: string[], folder: string): Promise<string>;
  removeFilesForDevelopers(packages: string): Promise<void>;
};
const { contentHash, removeFilesForDevelopers }: Build = await import(pathToFileURL("bin/build.mjs").href); // TypeScript finds no types for a literal path

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-build-"));
  await mkdir(join(folder, "lib"));
  await writeFile(join(folder, "lib/one.ts"), "one");
});
afterEach(() => rm(folder, { recursive: true }));

const hash = () => contentHash(["lib", "package-lock.json"], folder);

test("a build is stale after a change that keeps the size and the modification time of the file", async () => {
  const before = await hash();
  const { atime, mtime } = await stat(join(folder, "lib/one.ts"));
  await writeFile(join(folder, "lib/one.ts"), "two");
  await utimes(join(folder, "lib/one.ts"), atime, mtime);
  expect(await hash()).not.toBe(before);
});

test("a build is not stale if only modification times and tests changed", async () => {
  const before = await hash();
  await utimes(join(folder, "lib/one.ts"), 1, 1);
  await writeFile(join(folder, "lib/one.test.ts"), "a test");
  expect(await hash()).toBe(before);
});

test.each([
  ["a new file", "lib/two.ts"],
  ["other packages", "package-lock.json"],
])("a build is stale after %s", async (_, path) => {
  const before = await hash();
  await writeFile(join(folder, path), "");
  expect(await hash()).not.toBe(before);
});

test("packages on a server keep their code, data and licenses, and the types that Next asks for", async () => {
  const kept = ["@types/node/index.d.ts", "next/LICENSE.md", "next/map", "next/map.js", "next/index.mjs", "pg/d.ts"];
  const removed = ["next/index.mjs.map", "next/index.d.ts", "next/index.d.mts", "pg/lib/deep/client.d.cts"];
  for (const path of [...kept, ...removed]) {
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), "");
  }
  await removeFilesForDevelopers(folder);
  const left = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = left
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  expect(files.sort()).toEqual([...kept, "lib/one.ts", ".server-only"].sort());
});
