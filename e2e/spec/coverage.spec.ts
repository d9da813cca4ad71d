import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "@playwright/test";
import { chapters } from "./chapters";

const here = new URL(".", import.meta.url);

/** Every `[chapter n]` that stands in a title. */
async function walked(): Promise<string[]> {
  const files = (await readdir(here)).filter((file) => file.endsWith(".spec.ts"));
  const texts = await Promise.all(files.map((file) => readFile(new URL(file, here), "utf8")));
  return texts.flatMap((text) => [...text.matchAll(/\[([a-z]+ \d+)\]/g)].map(([, id = ""]) => id));
}

test("every rule of the list has a test, and every test names a rule of the list", async () => {
  const rules = Object.entries(chapters).flatMap(([chapter, sentences]) =>
    sentences.map((_, index) => `${chapter} ${index + 1}`),
  );
  expect([...new Set(await walked())].sort()).toEqual(rules.sort());
});
