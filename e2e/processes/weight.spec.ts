import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { root } from "../setup/service";

const BUILD = join(root, ".next");
const CHUNK = /static\/chunks\/[\w~-]+\.js/g;

/** The scripts that these scripts load, or may load. */
async function loadedBy(names: Iterable<string>): Promise<string[]> {
  const texts = await Promise.all([...names].map((name) => readFile(join(BUILD, name), "utf8")));
  return texts.flatMap((text) => text.match(CHUNK) ?? []);
}

/**
 * The names of a page's scripts.
 * @param hops how far to follow the scripts that a script loads: the page of the composer loads the composer (one hop), and the
 *   composer loads its windows when they are opened. By default all
 */
async function scriptOf(page: string, hops = Number.POSITIVE_INFINITY): Promise<Set<string>> {
  const folder = join(BUILD, "server/app/(dashboard)", page);
  const { rootMainFiles } = JSON.parse(await readFile(join(folder, "page/build-manifest.json"), "utf8"));
  const own = await readFile(join(folder, "page_client-reference-manifest.js"), "utf8");
  const found = new Set<string>([...rootMainFiles, ...(own.match(CHUNK) ?? [])]);
  for (let [hop, before] = [0, 0]; hop < hops && found.size > before; hop++) {
    before = found.size;
    for (const name of await loadedBy(found)) found.add(name);
  }
  return found;
}

/** Compressed size in kilobytes (1000 bytes), as `lib/http/packed-files.ts` sends the files. */
async function weightOf(names: Iterable<string>): Promise<number> {
  const sizes = await Promise.all([...names].map(async (name) => (await stat(join(BUILD, `${name}.br`))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

test("the calendar's script is at most 200 KB including what it loads later", async () => {
  const calendar = await scriptOf("calendar");
  expect(calendar.size).toBeGreaterThan(10); // The manifest was read.
  expect(await weightOf(calendar)).toBeLessThanOrEqual(200);
});

test("the composer adds at most 60 KB when it opens, and 63 KB with the windows that it loads later", async () => {
  const calendar = await scriptOf("calendar");
  const added = async (hops?: number) => [...(await scriptOf("compose", hops))].filter((name) => !calendar.has(name));
  const [opening, all] = await Promise.all([added(1), added()]);
  expect(all.length).toBeGreaterThan(opening.length);
  expect(await weightOf(opening)).toBeGreaterThan(40); // The composer itself was found.
  expect(await weightOf(opening)).toBeLessThanOrEqual(60);
  expect(await weightOf(all)).toBeLessThanOrEqual(63);
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
