import { expect, type Page } from "playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { allow, newName, openAccounts, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

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

/** The page's message about connecting. A new person is also asked to confirm their address, which is another message. */
const message = (page: Page) =>
  page
    .getByRole("main")
    .locator("[role=status],[role=alert]")
    .filter({ hasNotText: "Until then, you get no notices" })
    .first();

test("a window connects an account and closes, and the page that opened it names the account", async ({ page }) => {
  await enter(page);
  const person = newName("w");
  const popup = await openWindow(page);
  // The choices of failures, which few people need, are below it.
  await expect(popup.getByRole("button", { name: "Allow" })).toBeInViewport({ ratio: 1 });
  await expect(message(page)).toContainText("Continue in the new window to connect X.");
  await popup.getByLabel("or another name").fill(person);
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Allow" }).click();
  await closed;
  await expect(message(page)).toContainText(`@${person} on X is connected.`);
  await expect(page.getByLabel("Connected accounts").getByText(`@${person}`)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/accounts`);

  // LinkedIn has no handles.
  const other = await openWindow(page, "LinkedIn");
  await other.getByLabel("or another name").fill(newName("w"));
  await other.getByRole("button", { name: "Allow" }).click();
  await expect(message(page)).toHaveText(/^W\S+ Sandbox on LinkedIn is connected\./);
});

test("the page learns of a connected account even if the network's page cut off the window", { tag: "@long" }, async ({
  page,
  context,
}) => {
  await enter(page);
  const person = newName("c");
  // Some networks send Cross-Origin-Opener-Policy, which cuts every reference between the two windows.
  await context.route(`${product.sandboxUrl}/x/i/oauth2/authorize*`, async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 });
    await route.fulfill({
      response: answer,
      headers: { ...answer.headers(), "cross-origin-opener-policy": "same-origin" },
    });
  });
  const popup = await openWindow(page);
  await allow(popup, person);
  await expect(message(page)).toContainText(`@${person} on X is connected.`);
});

test("a denial is explained in the window and on the page, which can try again", async ({ page }) => {
  await enter(page);
  const popup = await openWindow(page);
  await popup.getByRole("button", { name: "Deny" }).click();
  await expect(popup.getByRole("heading", { name: "X was not connected" })).toBeVisible();
  await expect(popup.getByText("You can also close this window.")).toBeVisible();
  await expect(message(page)).toContainText(
    /X was not connected: you did not allow it there\. \(code [0-9A-Z]{5}-[0-9A-Z]{5}\)/,
  );
  await popup.close();
  const [again] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Try again" }).click(),
  ]);
  const person = newName("n");
  await allow(again, person);
  await expect(message(page)).toContainText(`@${person} on X is connected.`);
});

test("a window that is closed early is reported on the page, which can try again", { tag: "@long" }, async ({
  page,
}) => {
  await enter(page);
  await (await openWindow(page)).close();
  await expect(message(page)).toContainText("The window for X was closed before the end, so nothing is connected.");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
});

test("if the browser blocks the window, the page says so and continues in the same tab", async ({ page }) => {
  await enter(page);
  await page.evaluate(() => {
    window.open = () => null;
  });
  await button(page, "X").click();
  await expect(message(page)).toContainText("Your browser blocked the window for X.");
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
