import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "playwright/test";
import { root } from "../setup/service";

const BUILD = join(root, ".next");
const CHUNK = /static\/chunks\/[\w~-]+\.js/g;

/** The names of all scripts of a page, including those that it may load later. */
async function scriptOf(page: string): Promise<Set<string>> {
  const folder = join(BUILD, "server/app/(dashboard)", page);
  const { rootMainFiles } = JSON.parse(await readFile(join(folder, "page/build-manifest.json"), "utf8"));
  const own = await readFile(join(folder, "page_client-reference-manifest.js"), "utf8");
  const found = new Set<string>([...rootMainFiles, ...(own.match(CHUNK) ?? [])]);
  for (const name of found) {
    for (const more of (await readFile(join(BUILD, name), "utf8")).match(CHUNK) ?? []) found.add(more);
  }
  return found;
}

/** Compressed size in kilobytes (1000 bytes), as `lib/http/packed-files.ts` sends the files. */
async function weightOf(names: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...names].map(async (name) => (await stat(join(BUILD, `${name}.br`))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

test("the calendar's script is at most 200 KB including what it loads later, and the composer adds at most 60 KB", async () => {
  const [calendar, compose] = await Promise.all([scriptOf("calendar"), scriptOf("compose")]);
  expect(calendar.size).toBeGreaterThan(10); // The manifest was read.
  expect(await weightOf(calendar)).toBeLessThanOrEqual(200);
  const added = [...compose].filter((name) => !calendar.has(name));
  const code = (await Promise.all(added.map((name) => readFile(join(BUILD, name), "utf8")))).join("\n");
  // The page, the composer and the windows that it loads later were all measured.
  for (const text of ["Loading the composer", "Split into a thread of", "Somebody else saved this post first"]) {
    expect(code).toContain(text);
  }
  expect(await weightOf(added)).toBeLessThanOrEqual(60);
});

test("pages without script are route handlers, because Next.js adds its script to every page", async () => {
  const built: { [entry: string]: string } = JSON.parse(
    await readFile(join(BUILD, "app-path-routes-manifest.json"), "utf8"),
  );
  const still =
    /^\/(sign-in|sign-up|forgot-password|reset-password|confirm-email|unsubscribe|authorize|docs|oauth)(\/|$)/;
  const entries = Object.entries(built).filter(([, path]) => still.test(path));
  expect(entries.length).toBeGreaterThan(10);
  expect(entries.filter(([entry]) => !entry.endsWith("/route"))).toEqual([]);
});
