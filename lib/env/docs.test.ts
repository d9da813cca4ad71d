import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { envExample, settingsMarkdown } from "./docs";

test.each([
  ["docs/settings.md", settingsMarkdown],
  [".env.example", envExample],
])("%s is up to date (run `node bin/settings-docs.mjs` after a change to the settings)", async (file, generate) => {
  expect(await readFile(file, "utf8")).toBe(generate());
});
