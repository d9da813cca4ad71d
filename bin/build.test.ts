import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

type Build = { contentHash(sources: string[], folder: string): Promise<string> };
const { contentHash }: Build = await import(pathToFileURL("bin/build.mjs").href); // TypeScript finds no types for a literal path

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
