import type { Browser, Page } from "playwright/test";
import type { OwnProduct } from "../../e2e/setup/product";
import { newVisit, settled, type Visitor } from "./visit";

/** How much slower a phone's CPU is than this machine's. */
export const SLOWDOWN = 4;
const WORDS = "The bells ring at noon in #Delft: https://carillon.example/bells, says @alice. ";
/** The pace of a fast typist, in milliseconds between two keys. */
const PACE_MS = 100;

/** Milliseconds from each key press or click to the frame that shows its effect. */
export type Delays = number[];
type Opened = { delayMs: number; fieldMs: number };
type Kept = "delays" | "fields";
export type PageBench = { browser: Browser; product: OwnProduct; visitor: Visitor };

/**
 * Types in the composer with an account of every network selected.
 * @param slowdown CPU throttling factor
 */
export async function typeText(
  { browser, product, visitor }: PageBench,
  keys: number,
  slowdown: number,
): Promise<Delays> {
  const context = await newVisit(browser, product, visitor);
  try {
    const page = await context.newPage();
    await page.goto(`${product.url}/compose`);
    await selectAllAccounts(page);
    await settled(page);
    await slowDown(page, slowdown);
    await page.getByLabel("Text", { exact: true }).click();
    await watch(page, "delays", "keydown", "body");
    const text = WORDS.repeat(Math.ceil(keys / WORDS.length)).slice(0, keys);
    await page.keyboard.type(text, { delay: PACE_MS });
    return await recordedDelays(page, "delays", keys);
  } finally {
    await context.close();
  }
}

/** Switches between a week with posts and the next one. */
export async function switchWeeks(
  browser: Browser,
  product: OwnProduct,
  visitor: Visitor,
  times: number,
): Promise<Delays> {
  const context = await newVisit(browser, product, visitor);
  try {
    const page = await context.newPage();
    await page.goto(`${product.url}/calendar?view=week&day=${visitor.month}`);
    await settled(page);
    await slowDown(page);
    await watch(page, "delays", "click", "body");
    for (let n = 0; n < times; n++) {
      await page.getByRole("button", { name: n % 2 === 0 ? "Later" : "Earlier" }).click();
      await settled(page);
    }
    return await recordedDelays(page, "delays", times);
  } finally {
    await context.close();
  }
}

/** Opens the composer for the first time in a visit: delay until the next frame and until its text field is drawn. */
export async function openComposer(browser: Browser, product: OwnProduct, visitor: Visitor): Promise<Opened> {
  const context = await newVisit(browser, product, visitor);
  try {
    const page = await context.newPage();
    await page.goto(`${product.url}/calendar?day=${visitor.month}`);
    await settled(page);
    await slowDown(page);
    await watch(page, "delays", "click", "body");
    await watch(page, "fields", "click", "textarea");
    await page.getByRole("banner").getByRole("link", { name: "New post", exact: true }).click();
    const [fieldMs = Number.NaN] = await recordedDelays(page, "fields", 1);
    const [delayMs = Number.NaN] = await recordedDelays(page, "delays", 1);
    return { delayMs, fieldMs };
  } finally {
    await context.close();
  }
}

/** Selects every account in the composer. */
export async function selectAllAccounts(page: Page): Promise<void> {
  const boxes = page.getByRole("group", { name: "Post to" }).getByRole("checkbox");
  await boxes.first().waitFor();
  for (const box of await boxes.all()) await box.check();
}

async function slowDown(page: Page, rate = SLOWDOWN): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate });
}

/** Records the time from each event of the type until the first frame in which the selector matches. */
async function watch(page: Page, as: Kept, type: "keydown" | "click", wanted: string): Promise<void> {
  await page.evaluate(
    ([kept, name, selector]) => {
      const [begun, delays]: [number[], number[]] = [[], []];
      Reflect.set(globalThis, kept, delays);
      const { port1, port2 } = new MessageChannel();
      const init = { capture: true };
      addEventListener(
        name,
        ({ timeStamp }) => {
          begun.push(timeStamp);
          requestAnimationFrame(() => port2.postMessage(begun.length));
        },
        init,
      );
      // The message arrives after its frame was painted.
      port1.onmessage = ({ data: count }) => {
        if (document.querySelector(selector))
          delays.push(...begun.splice(0, count).map((at) => performance.now() - at));
        else requestAnimationFrame(() => port2.postMessage(begun.length));
      };
    },
    [as, type, wanted] as const,
  );
}

/** The recorded delays, once there are `count` of them. */
async function recordedDelays(page: Page, as: Kept, count: number): Promise<Delays> {
  await page.waitForFunction(([kept, wanted]) => Reflect.get(globalThis, kept).length >= wanted, [as, count] as const);
  return page.evaluate((kept) => Reflect.get(globalThis, kept), as);
}
