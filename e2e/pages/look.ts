import { expect, type Page } from "playwright/test";
import { COLOUR_RULES, expectUsable, WCAG } from "../setup/usable";

/** The narrowest phone, a tablet and a desk (WCAG 2.2, 1.4.10 requires 320). */
const WIDTHS = [1280, 768, 320] as const;
const HEIGHT = 740;
const RULES = [...WCAG, "best-practice"];

/**
 * Checks that a page has no script, fits every width, and passes axe in both colour schemes. axe runs at the narrowest
 * width only, because its rules do not depend on the width; in the dark scheme, those that depend on colours run again.
 */
export async function lookAt(page: Page): Promise<void> {
  expect(await page.locator("script").count()).toBe(0);
  await expectFitsEveryWidth(page);
  for (const [colorScheme, rules] of [
    ["light", RULES],
    ["dark", COLOUR_RULES],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await expectUsable(page, { rules: [...rules], when: colorScheme });
  }
}

/** Checks that nothing is wider than the screen at any width, and ends at the narrowest. */
export async function expectFitsEveryWidth(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const [content, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(content, `${width} pixels wide`).toBeLessThanOrEqual(room ?? 0);
  }
}

/** Checks that every button and link is at least 44 pixels high, enough for a thumb (WCAG 2.2, 2.5.8 requires 24). */
export async function expectThumbs(page: Page): Promise<void> {
  for (const target of await page.locator("main a, main button").all()) {
    const box = await target.boundingBox();
    expect(box?.height ?? 0, (await target.textContent()) ?? "").toBeGreaterThanOrEqual(44);
  }
}
