import type { Browser, Page } from "@playwright/test";
import type { Product } from "../../e2e/setup/product";
import { chooseAll } from "./typing";
import { newVisit, settled, type Visitor } from "./visit";

/** Of a first visit: script as it was sent, how many files, script in the page itself, and when its largest part was drawn. */
export type Weight = { kb: number; files: number; inline: number; paintMs: number };

/** What a page brings along when nothing of it is kept in the browser. */
export async function weigh(browser: Browser, product: Product, path: string, visitor?: Visitor): Promise<Weight> {
  const context = await newVisit(browser, product, visitor);
  try {
    const page = await context.newPage();
    const answer = await page.goto(product.url + path);
    if (!answer || answer.status() >= 500) throw new Error(`${path} was answered with ${answer?.status()}`);
    await settled(page);
    const inline = await page.locator("script:not([src])").count();
    return { ...(await scriptOn(page)), inline, paintMs: await largestPaint(page) };
  } finally {
    await context.close();
  }
}

/** What writing a post adds to the calendar: from its button until an account of every network is chosen. */
export async function weighComposer(browser: Browser, product: Product, visitor: Visitor): Promise<Weight> {
  const context = await newVisit(browser, product, visitor);
  try {
    const page = await context.newPage();
    await page.goto(`${product.url}/calendar?day=${visitor.month}`);
    await settled(page);
    const before = await scriptOn(page);
    await page.getByRole("link", { name: "Write a post", exact: true }).click();
    await chooseAll(page);
    await settled(page);
    const after = await scriptOn(page);
    return { kb: after.kb - before.kb, files: after.files - before.files, inline: 0, paintMs: 0 };
  } finally {
    await context.close();
  }
}

/** Thousands of bytes, as compressed. */
async function scriptOn(page: Page): Promise<{ kb: number; files: number }> {
  const sizes = await page.evaluate(() =>
    (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
      .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
      .map(({ encodedBodySize }) => encodedBodySize),
  );
  return { kb: sizes.reduce((sum, size) => sum + size, 0) / 1000, files: sizes.length };
}

function largestPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? 0));
        observer.observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
}
