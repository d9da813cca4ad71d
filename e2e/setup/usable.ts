import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** axe's tags for the rules of WCAG 2.2 up to level AA. */
export const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** The rules whose result depends on the colours. In a second colour scheme, only these have to run again. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

type Part = {
  /** Selector of the only part to check. */
  only?: string;
  /** Selector of a part to leave out. */
  except?: string;
  /** axe's tags or rules. All rules by default. */
  rules?: string[];
  /** Shown in the failure message. */
  when?: string;
};

/** Checks that axe finds no violation on the page. */
export async function expectUsable(page: Page, { only, except, rules, when }: Part = {}): Promise<void> {
  // Checked apart: after a navigation without a reload, Next removes the old title and writes the new one a moment later.
  await expect(page, when).toHaveTitle(/./);
  // Legacy mode opens no second page for frames of other origins, which our pages do not have. Only violations are reported.
  const axe = (await builderFor(page)).setLegacyMode();
  axe.options({
    resultTypes: ["violations"],
    rules: { "document-title": { enabled: false } },
    ...(rules && { runOnly: rules }),
  });
  if (only) axe.include(only);
  if (except) axe.exclude(except);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 5).map(({ html }) => html) }));
  expect(found, when).toEqual([]);
}

/**
 * By default, each check sends axe to the page twice, and running its source takes as long as most of its rules. Here a document gets it
 * once. In a page with frames the builder does it, because a frame may run no script.
 */
async function builderFor(page: Page): Promise<AxeBuilder> {
  if (page.frames().length > 1) return new AxeBuilder({ page });
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(sourceOf(page));
  return new AxeBuilder({ page, axeSource: "0" });
}

/** The source of axe that the builder sends. Its type hides the method, and the package that has the source is not ours to name. */
function sourceOf(page: Page): string {
  return (new AxeBuilder({ page }) as unknown as { script(): string }).script();
}
