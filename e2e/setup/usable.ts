import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** The rules of WCAG 2.2 up to level AA, as axe calls them. */
export const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

type Part = {
  /** A selector: nothing else is looked at. */
  only?: string;
  /** A selector: what it finds is left out. */
  except?: string;
  /** axe's tags or rules; all of them unless told. */
  rules?: string[];
  /** Named where it is not met. */
  when?: string;
};

/** Usable by everybody, as far as a machine can check: axe finds nothing on the page as it stands. */
export async function expectUsable(page: Page, { only, except, rules, when }: Part = {}): Promise<void> {
  // Its legacy mode opens no second page for frames of other origins, of which there are none; what passed is not told.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  axe.options({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  if (only) axe.include(only);
  if (except) axe.exclude(except);
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 5).map(({ html }) => html) }));
  expect(found, when).toEqual([]);
}
