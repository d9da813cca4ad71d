import { expect, test } from "playwright/test";
import { expectUsable } from "../setup/usable";

const PAGE = (main: string) =>
  `<!doctype html><html lang="en"><head><title>Bells</title></head><body><main><h1>Bells</h1>${main}</main></body></html>`;
const GOOD = "<p>A bell</p>";
const PALE = '<p style="color: #bbb">A bell</p>';

test("the check of a page finds a violation in an element that was added after the page was checked", async ({
  page,
}) => {
  await page.setContent(PAGE(GOOD));
  await expectUsable(page);
  await page.setContent(PAGE(GOOD + PALE));
  await expect(expectUsable(page)).rejects.toThrow("color-contrast");
  // An element with a violation stays unknown, so the next check finds it again.
  await expect(expectUsable(page)).rejects.toThrow("color-contrast");
  await page.setContent(PAGE(GOOD + GOOD));
  await expectUsable(page);
});

test("the check of a page repeats the rules about colours in the other colour scheme", async ({ page }) => {
  const dark = "<style>@media (prefers-color-scheme: dark) { body { background: #000 } p { color: #222 } }</style>";
  await page.setContent(PAGE(dark + GOOD));
  await expectUsable(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(expectUsable(page)).rejects.toThrow("color-contrast");
});
