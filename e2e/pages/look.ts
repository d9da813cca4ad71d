import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The narrowest phone, a tablet, a desk (WCAG 2.2, 1.4.10 asks for 320). */
const WIDTHS = [320, 768, 1280];
const SCHEMES = ["light", "dark"] as const;

/** Looks at a page in every width and both schemes: usable by everybody, nothing sticks out, no script. */
export async function lookAt(page: Page): Promise<void> {
  expect(await page.locator("script").count()).toBe(0);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      const { violations } = await new AxeBuilder({ page }).options({ runOnly: RULES }).analyze();
      const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }));
      expect({ width, colorScheme, found }).toEqual({ width, colorScheme, found: [] });
      const [content, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      expect(content, `${width} pixels wide`).toBeLessThanOrEqual(room ?? 0);
    }
  }
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Every button and link can be hit by a thumb: 44 pixels high at least (WCAG 2.2, 2.5.8 asks for 24). */
export async function expectThumbs(page: Page): Promise<void> {
  for (const target of await page.locator("main a, main button").all()) {
    const box = await target.boundingBox();
    expect(box?.height ?? 0, (await target.textContent()) ?? "").toBeGreaterThanOrEqual(44);
  }
}
