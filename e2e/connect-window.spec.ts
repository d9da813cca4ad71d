import { expect, type Page } from "@playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { allow, newName, openAccounts, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});
test.beforeEach(({ isMobile }) => test.skip(isMobile, "a phone goes on in the page itself"));

async function enter(page: Page): Promise<void> {
  await signUp(page, product);
  await openAccounts(page, product);
}

const button = (page: Page, network: string) =>
  page.getByRole("button", { name: new RegExp(`^(Connect )?${network}`) });

async function openWindow(page: Page, network = "X"): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), button(page, network).click()]);
  await expect(popup.getByRole("button", { name: "Allow" })).toBeVisible();
  return popup;
}

/** What the page says of connecting; a newcomer is also asked to confirm their address. */
const said = (page: Page) =>
  page.getByRole("main").locator("[role=status],[role=alert]").filter({ hasNotText: "Please confirm" }).first();

test("a window opens, connects, closes itself, and the page that opened it says which account it was", async ({
  page,
}) => {
  await enter(page);
  const person = newName("w");
  const popup = await openWindow(page);
  await expect(said(page)).toContainText("Go on in the window that has opened to connect X.");
  await popup.getByLabel("or anybody else").fill(person);
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Allow" }).click();
  await closed;
  await expect(said(page)).toContainText(`@${person} on X is connected.`);
  await expect(page.getByLabel("Connected accounts").getByText(`@${person}`)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/accounts`);
});

test("a window that was cut off from the page that opened it is heard of all the same", async ({ page, context }) => {
  await enter(page);
  const person = newName("c");
  // As networks do that want to be alone in their window: every handle on it is dead from then on.
  await context.route(`${product.sandboxUrl}/x/i/oauth2/authorize*`, async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), "cross-origin-opener-policy": "same-origin" },
    });
  });
  const popup = await openWindow(page);
  await allow(popup, person);
  await expect(said(page)).toContainText(`@${person} on X is connected.`);
});

test("a person who says no reads why in the window, which stays; the page says it too and can try again", async ({
  page,
}) => {
  await enter(page);
  const popup = await openWindow(page);
  await popup.getByRole("button", { name: "Deny" }).click();
  await expect(popup.getByRole("heading", { name: "You chose not to connect" })).toBeVisible();
  await expect(popup.getByText("You can also close this window.")).toBeVisible();
  await expect(said(page)).toContainText(/You chose not to connect X\. \(code [0-9A-Z]{5}-[0-9A-Z]{5}\)/);
  await popup.close();
  const [again] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Try again" }).click(),
  ]);
  const person = newName("n");
  await allow(again, person);
  await expect(said(page)).toContainText(`@${person} on X is connected.`);
});

test("a window that was closed before the end: the page says so, and can try again", async ({ page }) => {
  await enter(page);
  await (await openWindow(page)).close();
  await expect(said(page)).toContainText("The window for X was closed before the end, so nothing is connected.");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("a window that the browser blocks: the page says so, and goes on in itself", async ({ page }) => {
  await enter(page);
  await page.evaluate(() => {
    window.open = () => null;
  });
  await button(page, "X").click();
  await expect(said(page)).toContainText("Your browser blocked the window for X.");
  const person = newName("k");
  await page.getByRole("button", { name: "Connect X here" }).click();
  await allow(page, person);
  await expect(page).toHaveURL(/\/accounts\?connected=\d+$/);
  await expect(page.getByText(`@${person} on X is connected.`)).toBeVisible();
});

test("without script the same form leads to the network's page and back", async ({ page, browser }) => {
  await enter(page);
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const plain = await context.newPage();
  await plain.goto(`${product.url}/accounts`);
  await button(plain, "X").click();
  await allow(plain, newName("s"));
  await expect(plain).toHaveURL(/\/accounts\?connected=\d+$/);
  await context.close();
});
