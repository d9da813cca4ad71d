import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";

type PackageFiles = {
  replaceFiles(folder: string, files: { [path: string]: string }, programs?: string[]): Promise<void>;
};
const { replaceFiles }: PackageFiles = await import(pathToFileURL("bin/package-files.mjs").href); // TypeScript finds no types for a literal path

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "carillon-package-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

test("a file of a package is whole at each moment while it is replaced", async () => {
  const folder = await newFolder();
  const text = "a bell ".repeat(200_000);
  const build = () => replaceFiles(folder, { "dist/index.js": text });
  await build();
  let isOver = false;
  const builds = (async () => {
    for (let count = 0; count < 20; count++) await build();
    isOver = true;
  })();
  const lengths = new Set<number>();
  while (!isOver) lengths.add((await readFile(join(folder, "dist/index.js"), "utf8")).length);
  await builds;
  expect([...lengths]).toEqual([text.length]);
});

test("a build leaves no file of an earlier build in dist/, and marks programs as such", async () => {
  const folder = await newFolder();
  await replaceFiles(folder, { "dist/chunks/old.js": "", "dist/cli.js": "1", LICENSE: "L" });
  await replaceFiles(folder, { "dist/chunks/new.js": "", "dist/cli.js": "2", LICENSE: "L" }, ["dist/cli.js"]);
  expect((await readdir(folder, { recursive: true })).sort()).toEqual(
    ["LICENSE", "dist", "dist/chunks", "dist/chunks/new.js", "dist/cli.js"].map((path) => join(path)),
  );
  expect(await readFile(join(folder, "dist/cli.js"), "utf8")).toBe("2");
  expect((await stat(join(folder, "dist/cli.js"))).mode & 0o111).toBe(0o111);
});

test("each package has the scope @carillon and the name of its folder, and its program the name carillon- and this name", async () => {
  for (const folder of await readdir("packages")) {
    const { name, bin = {} } = JSON.parse(await readFile(join("packages", folder, "package.json"), "utf8"));
    expect([folder, name]).toEqual([folder, `@carillon/${folder}`]);
    for (const program of Object.keys(bin)) expect(program).toBe(`carillon-${folder}`);
  }
});
