import type { Browser, Page } from "playwright/test";
import type { OwnProduct } from "../../e2e/setup/product";
import { selectAllAccounts } from "./typing";
import { newVisit, settled, type Visitor } from "./visit";

/** A first visit: compressed script size, number of files, number of inline scripts and time of the largest paint. */
export type Weight = { kb: number; files: number; inline: number; paintMs: number };

/** Loads a page with an empty browser cache. */
export async function weigh(browser: Browser, product: OwnProduct, path: string, visitor?: Visitor): Promise<Weight> {
  const context = await newVisit(browser, product, visitor);
  try {
    const page = await context.newPage();
    const answer = await page.goto(product.url + path);
    if (!answer || answer.status() >= 500) throw new Error(`${path} returned ${answer?.status()}`);
    await settled(page);
    const inline = await page.locator("script:not([src])").count();
    return { ...(await scriptOn(page)), inline, paintMs: await largestPaint(page) };
  } finally {
    await context.close();
  }
}

/** The script that the composer adds to the calendar, with an account of every network selected. */
export async function weighComposer(browser: Browser, product: OwnProduct, visitor: Visitor): Promise<Weight> {
  const context = await newVisit(browser, product, visitor);
  try {
    const page = await context.newPage();
    await page.goto(`${product.url}/calendar?day=${visitor.month}`);
    await settled(page);
    const before = await scriptOn(page);
    await page.getByRole("banner").getByRole("link", { name: "New post", exact: true }).click();
    await selectAllAccounts(page);
    await settled(page);
    const after = await scriptOn(page);
    return { kb: after.kb - before.kb, files: after.files - before.files, inline: 0, paintMs: 0 };
  } finally {
    await context.close();
  }
}

/** Compressed script size in kilobytes, and number of files. */
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
