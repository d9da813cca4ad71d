import { expect, type Page } from "@playwright/test";
import { expectUsable, WCAG } from "../setup/usable";

/** The narrowest phone, a tablet, a desk (WCAG 2.2, 1.4.10 asks for 320). */
const WIDTHS = [320, 768, 1280] as const;
const HEIGHT = 740;

/**
 * Looks at a page in both schemes: usable by everybody, nothing sticks out at any width, no script. What axe finds hardly
 * hangs on the width, so it looks at every width once, in light, and at the narrowest in dark; or at the narrowest only.
 */
export async function lookAt(page: Page, at: "every width" | "one width"): Promise<void> {
  expect(await page.locator("script").count()).toBe(0);
  await page.emulateMedia({ colorScheme: "light" });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    const [content, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(content, `${width} pixels wide`).toBeLessThanOrEqual(room ?? 0);
    if (at === "every width" || width === WIDTHS[0])
      await expectUsable(page, { rules: RULES, when: `${width} pixels wide, light` });
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
  await expectUsable(page, { rules: RULES, when: `${WIDTHS[0]} pixels wide, dark` });
}

const RULES = [...WCAG, "best-practice"];

/** Every button and link can be hit by a thumb: 44 pixels high at least (WCAG 2.2, 2.5.8 asks for 24). */
export async function expectThumbs(page: Page): Promise<void> {
  for (const target of await page.locator("main a, main button").all()) {
    const box = await target.boundingBox();
    expect(box?.height ?? 0, (await target.textContent()) ?? "").toBeGreaterThanOrEqual(44);
  }
}
