import { appendFileSync, closeSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "playwright/test";
import { SHARED_PRODUCT } from "./shared-product";

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

type Violation = { id: string; nodes: { html: string }[] };

/** The project in which every part of a page is checked each time, also if it was checked before (`npm run test:long`). */
const EACH_TIME = "long-desktop";
/** The kinds of elements that axe has checked in this run, each with the project, the rules and the part of the page. */
const checked = new Set<string>();
/** How many bytes of the run's file are in `checked`. */
let bytesRead = 0;

/** Opens the file in which the workers of a run tell each other what they have checked. It is deleted with the run's product. */
function openRunFile(): number {
  const { outputFile } = JSON.parse(process.env[SHARED_PRODUCT] ?? "");
  return openSync(join(dirname(outputFile), "checked-by-axe"), "a+");
}

/** Adds what other workers have checked since the last call. */
function readChecked(): void {
  const file = openRunFile();
  const news = Buffer.alloc(fstatSync(file).size - bytesRead);
  const text = news.subarray(0, readSync(file, news, 0, news.length, bytesRead));
  closeSync(file);
  const end = text.lastIndexOf("\n") + 1; // another worker may be in the middle of a line
  bytesRead += end;
  for (const line of text.toString("utf8", 0, end).split("\n")) checked.add(line);
}

function writeChecked(kinds: string[]): void {
  for (const kind of kinds) checked.add(kind);
  const file = openRunFile();
  appendFileSync(file, kinds.map((kind) => `${kind}\n`).join(""));
  closeSync(file);
}

/**
 * Checks that axe finds no violation on the page. A check of a whole page costs as much as loading it, so an element is left out if
 * its kind was checked before in this run (`inPage`).
 */
export async function expectUsable(page: Page, part: Part = {}): Promise<void> {
  // Checked apart: after a navigation without a reload, Next removes the old title and writes the new one a moment later.
  await expect(page, part.when).toHaveTitle(/./);
  const { only, except, rules } = part;
  const project = test.info().project.name;
  const keyOf = (kind: number) => `${[project, only, except, rules].join("|")} ${kind}`;
  const { kinds } = await page.evaluate(inPage, {});
  readChecked();
  const fresh = project === EACH_TIME ? kinds : kinds.filter((kind) => !checked.has(keyOf(kind)));
  if (fresh.length === 0) return;
  const violations = await violationsIn(page, fresh, part);
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 5).map(({ html }) => html) }));
  expect(found, part.when).toEqual([]);
  writeChecked(fresh.map(keyOf));
}

async function violationsIn(page: Page, fresh: number[], { only, except, rules }: Part): Promise<Violation[]> {
  const options = {
    resultTypes: ["violations"],
    rules: { "document-title": { enabled: false } },
    ...(rules && { runOnly: rules }),
  };
  // A frame may run no script, so axe's builder checks a page with frames, as a whole.
  if (page.frames().length > 1) {
    // Legacy mode opens no second page for frames of other origins, which our pages do not have. Only violations are reported.
    const axe = new AxeBuilder({ page }).setLegacyMode().options(options as object);
    if (only) axe.include(only);
    if (except) axe.exclude(except);
    return (await axe.analyze()).violations;
  }
  // The builder would send axe to the page for each check, and running its source takes as long as most of its rules.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(sourceOf(page));
  return (await page.evaluate(inPage, { run: { fresh, only, except, options } })).violations;
}

type Run = { fresh: number[]; only?: string; except?: string; options: object };

/**
 * Returns the kinds of elements in the page as numbers, and the violations in elements of some kinds if axe shall `run`. A kind is the
 * first part of the address, and the tag, classes, role, states, colours and size of text of an element and of the two around it. So
 * all of a page is checked when the first page of its area is. Runs in the page.
 */
async function inPage({ run }: { run?: Run }): Promise<{ kinds: number[]; violations: Violation[] }> {
  const STATE = /^(role|type|open|disabled|hidden|inert|data-state|aria-(?!label|describedby|controls|owns|value).*)$/;
  const described = new Map<Element | null | undefined, string>();
  const kindOf = new Map<Element, number>();
  for (const element of document.querySelectorAll("*")) {
    const states = [...element.attributes]
      .filter(({ name }) => STATE.test(name))
      .map(({ name, value }) => name + value);
    const { color, backgroundColor, fontSize } = getComputedStyle(element);
    const looks = [element.localName, element.getAttribute("class"), color, backgroundColor, fontSize];
    described.set(element, [...looks, ...states].join());
    const around = [element, element.parentElement, element.parentElement?.parentElement];
    const words = [location.pathname.split("/")[1], ...around.map((one) => described.get(one))].join("<");
    let hash = 0;
    for (let at = 0; at < words.length; at++) hash = (Math.imul(hash, 31) + words.charCodeAt(at)) | 0;
    kindOf.set(element, hash);
  }
  const kinds = [...new Set(kindOf.values())];
  if (!run) return { kinds, violations: [] };
  const fresh = new Set(run.fresh);
  const within = (element: Element) => !run.only || element.closest(run.only) !== null;
  const include = [...kindOf]
    .filter(([element, kind]) => fresh.has(kind) && within(element))
    .map(([element]) => element);
  if (include.length === 0) return { kinds, violations: [] };
  type Axe = { run(context: object, options: object): Promise<{ violations: Violation[] }> };
  const { axe } = window as unknown as { axe: Axe };
  const { violations } = await axe.run({ include, exclude: run.except ? [run.except] : [] }, run.options);
  return { kinds, violations };
}

/** The source of axe that the builder sends. Its type hides the method, and the package that has the source is not ours to name. */
function sourceOf(page: Page): string {
  return (new AxeBuilder({ page }) as unknown as { script(): string }).script();
}
