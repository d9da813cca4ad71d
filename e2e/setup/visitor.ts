import { type APIResponse, expect, type Locator, type Page, type Route, test } from "playwright/test";
import { formIn } from "../spec/browser";
import type { Product } from "./product";
import { COLOUR_RULES, expectUsable } from "./usable";

export const PASSWORD = "a long password";

let made = 0;

/** A name that no other test uses, because an account belongs to one user. */
export function newName(letter: string): string {
  made += 1;
  // The index of the Playwright worker, because several workers share one product.
  return `${letter}${process.env.TEST_WORKER_INDEX ?? ""}${Date.now().toString(36)}${made}`;
}

/** Checks the page with axe, and that nothing is wider than the screen. @param except selector of a part that axe leaves out */
export async function look(page: Page, except?: string): Promise<void> {
  await expectUsable(page, { except });
  await expectFits(page);
}

/** Like `look`, and checks that nothing would be wider than the screen of a phone, without a second journey on a phone. */
export async function lookAlsoOnPhone(page: Page): Promise<void> {
  await look(page);
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectFits(page);
  if (before) await page.setViewportSize(before);
}

/** Switches a page that `look` has checked to the dark scheme, and repeats what depends on the colours. */
export async function lookInDark(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  await expectUsable(page, { rules: COLOUR_RULES, when: "dark" });
}

/** Checks that nothing is wider than the screen. */
export async function expectFits(page: Page): Promise<void> {
  const width = page.viewportSize()?.width ?? 0; // `innerWidth` of a phone grows with the content.
  const content = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(content, `${page.url()} at ${width} px`).toBeLessThanOrEqual(width);
}

/** Checks that the decorative icons of a preview are drawn: their file has arrived and contains them. */
export async function expectIcons(preview: Locator): Promise<void> {
  const icons = preview.locator("svg use");
  await expect(icons).not.toHaveCount(0);
  const empty = () =>
    icons.evaluateAll((all: SVGUseElement[]) => all.filter((icon) => icon.getBBox().width === 0).length);
  await expect.poll(empty).toBe(0);
}

type Keys = { key: string; altKey?: boolean; ctrlKey?: boolean; shiftKey?: boolean };

/** Writes at the end of a text and presses a key in the same task, before the page can be drawn with the text. */
export async function typeAndPress(field: Locator, more: string, key: Keys): Promise<void> {
  await field.evaluate(
    (area: HTMLTextAreaElement, [written, init]) => {
      area.setRangeText(written, area.value.length, area.value.length, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
      area.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }));
    },
    [more, key] as const,
  );
}

/** The chip on a picture of the post being written, which says whether it has an alt text and opens its field. */
export function altTextChip(page: Page | Locator, file: string): Locator {
  return page.getByRole("button", { name: new RegExp(`^(Add alt text to|Alt text of) ${file}$`) });
}

/** Writes the alt text of a file of the post being written. */
export async function describeFile(page: Page, file: string, words: string): Promise<void> {
  await altTextChip(page, file).click();
  await page.getByLabel(`Alt text of ${file}`).fill(words);
  await page.getByRole("button", { name: "Done" }).click();
}

const MOST_TABS = 100;

/** Moves the focus to a field with Tab, or Shift+Tab if the field is before it: not every browser wraps around. */
export async function reach(page: Page, field: Locator): Promise<void> {
  const isThere = () => field.evaluate((one) => one === document.activeElement);
  const isBefore = await field.evaluate((one) => {
    const { activeElement: here, body } = document;
    return here !== body && Boolean((here?.compareDocumentPosition(one) ?? 0) & Node.DOCUMENT_POSITION_PRECEDING);
  });
  const key = isBefore ? "Shift+Tab" : "Tab";
  for (let presses = 0; presses < MOST_TABS && !(await isThere()); presses++) await page.keyboard.press(key);
  await expect(field).toBeFocused();
}

/** Sends requests with the cookies of a browser, which is needed only if a page is shown. */
type Visitor = Pick<Page, "request">;

/** Signs up by sending the form without showing it. The page is signed in from then on. */
export async function signUp(page: Visitor, product: Product, email = `${newName("v")}@example.com`): Promise<void> {
  await enter(page, product, "/sign-up", email);
}

/** Like `signUp`, and confirms the address with the mail that the product shows because it has no mail server. */
export async function signUpConfirmed(page: Visitor, product: Product): Promise<void> {
  await signUp(page, product);
  const read = async (path: string) => (await page.request.get(product.url + path)).text();
  let mail = "";
  await expect
    .poll(async () => {
      mail = /\/mail\/[0-9a-f-]{36}/.exec(await read("/settings"))?.[0] ?? "";
      return mail;
    })
    .not.toBe("");
  const token = /token=([\w-]{43})/.exec(await read(`${mail}/shown`))?.[1] ?? "";
  expect((await send(page, product, "/confirm-email", { token })).status()).toBe(200);
}

/** Signs in a person that the command line created, without showing a page. */
export async function signInUnseen(visitor: Visitor, product: Product, email: string): Promise<void> {
  await enter(visitor, product, "/sign-in", email);
}

/** Signs in a person that the command line created and opens `path`. */
export async function signIn(page: Page, product: Product, email: string, path: string): Promise<void> {
  await signInUnseen(page, product, email);
  await page.goto(product.url + path);
}

/**
 * Signs this browser out without a request. The open page is left first: a page whose request is refused goes to the sign-in
 * page by itself, which would end the next `goto`.
 */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** Signs up a person who has one account. Returns the name at the network. */
export async function newcomer(
  page: Page,
  product: Product,
  network: "X" | "TikTok" | "YouTube" | "Instagram" = "X",
): Promise<string> {
  const person = newName("n");
  await signUp(page, product);
  await connect(page, product, network, person);
  return person;
}

async function enter(page: Visitor, product: Product, path: string, email: string): Promise<void> {
  const answer = await send(page, product, path, { callbackUrl: "/", email, password: PASSWORD });
  expect(answer.status(), await answer.text()).toBe(303);
}

/** Signs up on the page and ends on the first page. */
export async function signUpByHand(page: Page, { url }: Product, email: string): Promise<void> {
  await page.goto(`${url}/sign-up`);
  await look(page);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${url}/`);
}

/** Presses what it is given, and counts. */
export function pressCounter(): { count: number; press(what: Locator): Promise<void> } {
  const counter = {
    count: 0,
    press: async (what: Locator) => {
      counter.count += 1;
      await what.click();
    },
  };
  return counter;
}

const PLATFORMS = {
  X: "X_TWITTER",
  YouTube: "YOUTUBE",
  TikTok: "TIKTOK",
  Instagram: "INSTAGRAM",
  LinkedIn: "LINKEDIN",
  Pinterest: "PINTEREST",
};

/** Connects an account of the signed-in person by sending the forms without showing them. */
export async function connect(
  page: Page,
  product: Product,
  network: keyof typeof PLATFORMS,
  person: string,
): Promise<void> {
  const asks = await send(page, product, "/oauth/connect/new", { platform: PLATFORMS[network] }, 10);
  const html = await asks.text();
  expect(asks.status(), html).toBe(200);
  const { action, hidden } = formIn(html);
  const form = { ...Object.fromEntries(hidden), account: person, decision: "allow" };
  const address = new URL(action || asks.url(), asks.url()).href;
  const decided = await page.request.post(address, { form, maxRedirects: 0 });
  // The page at the end is not opened: drawing it takes longer than all the rest, and journeys open the page that they need.
  const done = await page.request.get(decided.headers().location ?? "", { maxRedirects: 0 });
  expect(done.headers().location, await done.text()).toMatch(/\/accounts\?connected=\d+$/);
}

function send(page: Visitor, { url }: Product, path: string, form: Form, maxRedirects = 0): Promise<APIResponse> {
  return page.request.post(url + path, { form, maxRedirects, headers: { origin: url } });
}
type Form = { [name: string]: string };

/** Opens the accounts page and waits for its script: without it a network's button continues in the same page. */
export async function openAccounts(page: Page, { url }: Product): Promise<void> {
  await page.goto(`${url}/accounts`);
  await expect(
    page
      .getByLabel("Connected accounts")
      .getByText(/Connect your first account|@/)
      .first(),
  ).toBeVisible();
}

/** Presses a network's button and returns the page that continues: a popup, or the page itself on a phone. */
export async function openConnect(page: Page, network: string): Promise<Page> {
  const button = page.getByRole("button", { name: new RegExp(`^(Connect )?${network}`) });
  if (test.info().project.name === "phone") {
    await button.click();
    return page;
  }
  const [popup] = await Promise.all([page.waitForEvent("popup"), button.click()]); // See connect-window.spec.ts.
  return popup;
}

/** Presses Allow on a simulated network's page, as this person. */
export async function allow(page: Page, person: string): Promise<void> {
  await page.getByLabel("or another name").fill(person);
  await page.getByRole("button", { name: "Allow" }).click();
}

/** Makes the next call of this kind to a simulated network fail. */
export async function arm({ sandboxUrl }: Product, network: string, operation: string, fault: string): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/_control/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ network, operation, fault, times: 1 }),
  });
  expect(answer.status).toBe(204);
}

/**
 * Watches the pages that are opened from now on. Returns a function with how much has moved on the open page by itself, as the
 * browser counts it (Cumulative Layout Shift).
 */
export async function watchLayout(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const seen: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    Object.assign(window, { layoutShifts: () => [...seen, ...observer.takeRecords()] });
  });
  return () =>
    page.evaluate(async () => {
      // What is drawn now is counted with the next frames.
      for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
      const { layoutShifts } = window as unknown as {
        layoutShifts(): { value: number; hadRecentInput: boolean }[];
      };
      return layoutShifts().reduce((sum, { value, hadRecentInput }) => (hadRecentInput ? sum : sum + value), 0);
    });
}

/** Holds back the script of the pages that are opened from now on. Returns a function that lets it in. */
export async function holdScript(page: Page, files = "**/_next/static/**/*.js"): Promise<() => void> {
  let letIn = () => {};
  const isAllowed = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  await page.route(files, async (route) => {
    await isAllowed;
    await route.continue();
  });
  return letIn;
}

/** Schedules a post on the signed-in person's first account and returns its ID. @param at ISO 8601 */
export async function schedule(
  page: Page,
  product: Product,
  content: string,
  at: string,
  attachmentPaths: string[] = [],
): Promise<number> {
  const accounts = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const answer = await page.request.post(`${product.url}/v1/posts`, {
    headers: { Origin: product.url },
    data: {
      scheduledTime: at,
      isDraft: false,
      publications: [
        {
          socialMediaAccountId: accounts[0].id,
          platformSettings: { type: "TWITTER" },
          posts: [{ content, attachmentPaths }],
        },
      ],
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).id;
}

/** Schedules posts on the signed-in person's first account with one request, as a person does with a file. @param at ISO 8601 */
export async function importPosts(page: Page, { url }: Product, posts: { at: string; text: string }[]): Promise<void> {
  const [account] = await (await page.request.get(`${url}/v1/accounts`)).json();
  const rows = posts.map(({ at, text }) => `${at},${account.id},${text}`);
  const answer = await page.request.post(`${url}/v1/posts/import`, {
    headers: { Origin: url, "content-type": "text/csv" },
    data: ["scheduledTime,accounts,text", ...rows].join("\n"),
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

/** The number of files that the library's lists ask for at a time. */
const FILES_AT_A_TIME = "60";

/** Makes the pages that are opened from now on ask for only `count` files at a time, so that a few files are more than one page. */
export async function shortenFileLists(page: Page, count: number): Promise<void> {
  await page.route(/\/v1\/media\?/, (route) => {
    const url = new URL(route.request().url());
    if (url.searchParams.get("limit") === FILES_AT_A_TIME) url.searchParams.set("limit", String(count));
    return route.continue({ url: url.href });
  });
}

/**
 * Answers the next request that matches with `handler`. Playwright's `times: 1` would also end its interception, without waiting
 * for it, and Chromium sometimes loses a frame's page that is requested at that moment (6 of 1,037 times, and 0 of 2,769 like this).
 */
export async function routeOnce(
  page: Page,
  pattern: string | RegExp,
  handler: (route: Route) => unknown,
): Promise<void> {
  let isFirst = true;
  await page.route(pattern, async (route) => {
    const isMine = isFirst;
    isFirst = false;
    await (isMine ? handler(route) : route.fallback());
  });
}
