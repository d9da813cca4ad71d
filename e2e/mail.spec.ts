import { type Browser, expect, type Page, test } from "@playwright/test";
import { type MailServer, startMailServer } from "../lib/mail/testing/smtp";
import { type OwnProduct, startProduct } from "./setup/product";
import { look, signUp } from "./setup/visitor";

// The pages that mails link to. processes/mail.spec.ts checks which mail is sent when.

/** A worker sends the mail, which may take a while on a busy machine. */
const SOON = { timeout: 60_000 };

let product: OwnProduct;
let post: MailServer;

test.beforeAll(async () => {
  post = await startMailServer();
  product = await startProduct({ env: { SMTP_URL: post.url, MAIL_FROM: "Carillon <post@carillon.example>" } });
});

test.afterAll(async () => {
  await product?.stop();
  await post?.stop();
});

const newEmail = () => `ada-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}@example.com`;

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Waits until an address has received this many mails and returns the newest. */
async function mailTo(email: string, count = 1) {
  await expect.poll(() => post.for(email).length, SOON).toBe(count);
  const mail = post.for(email).at(-1);
  if (!mail) throw new Error("there is no mail");
  return mail;
}

/** The address of the button, which is the same in the text and in the HTML. */
function linkIn({ text, html }: { text: string; html: string }): string {
  const link = new RegExp(`${product.url}/\\S+`).exec(text)?.[0] ?? "";
  expect(html).toContain(`href="${link}"`);
  return link;
}

/** A page in a new browser context, with or without script. */
async function newPage(browser: Browser, javaScriptEnabled = true): Promise<Page> {
  return (await browser.newContext({ javaScriptEnabled })).newPage();
}

test("a new person is asked to confirm the address until the link in the mail is used", async ({ page }) => {
  const email = newEmail();
  await signUp(page, product, email);
  await page.goto(product.url);
  await expect(page.getByText("Until then, you get no notices")).toContainText(email);
  await look(page);
  await mailTo(email);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  await look(page);
  const link = linkIn(await mailTo(email, 2));

  await page.goto(link);
  await look(page);
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await expect(page.getByText(`${email} is confirmed`)).toBeVisible();
  await look(page);
  await page.getByRole("link", { name: "Go to Carillon" }).click();
  await expect(page.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();
  await expect(page.getByText("Until then, you get no notices")).toHaveCount(0);
});

test("a forgotten password is reset without script, and the old password and sessions stop working", async ({
  page,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, product, email);
  await mailTo(email);
  const other = await newPage(browser, false);
  await other.goto(`${product.url}/sign-in`);
  await other.getByRole("link", { name: "Forgot your password?" }).click();
  await other.getByLabel("Email").fill(email);
  await other.getByRole("button", { name: "Send the link" }).click();
  await expect(other.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  const link = linkIn(await mailTo(email, 2));

  for (const address of [`${product.url}/forgot-password`, link]) {
    await page.goto(address); // in the page with script, because axe is a script
    await look(page);
  }
  await other.goto(link);
  await other.getByLabel("New password").fill("short");
  await other.getByRole("button", { name: "Set the password" }).click();
  await expect(other.getByText("Password must have at least 8 characters")).toBeVisible();
  await other.getByLabel("New password").fill("quite another password");
  await other.getByRole("button", { name: "Set the password" }).click();
  await expect(other.getByText("Your new password is set")).toBeVisible();

  await page.goto(`${product.url}/accounts`);
  await expect(page).toHaveURL(/\/sign-in/);
  await signIn(other, email, "a long password");
  await expect(other.getByText("Email or password doesn't match")).toBeVisible();
  await signIn(page, email, "quite another password");
  await expect(page).toHaveURL(`${product.url}/`);
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "This link has expired" })).toBeVisible();
});

test("the settings page has its choices from the start, so that nothing below them moves; notification settings and quiet hours are saved, and report a missing value next to its field", async ({
  page,
}) => {
  await signUp(page, product, newEmail());
  await page.route("**/v1/me/notifications", (route) => route.abort());
  await page.goto(`${product.url}/settings`);
  const published = page.getByLabel("A post was published");
  await expect(published).toBeChecked();
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();
  await page.unroute("**/v1/me/notifications");

  await page.goto(`${product.url}/settings`);
  await expect(published).toBeEnabled();
  await expect(published).toBeChecked();
  // Checked in the same tick, so that the box does not flicker.
  expect(await published.evaluate((box: HTMLInputElement) => [box.click(), box.checked].at(-1))).toBe(false);
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByLabel("Daily digest").check();
  await page.getByLabel("Send it at").fill("07:30");
  await page.getByLabel("Time zone of the digest").selectOption("Asia/Tokyo");
  const digest = async () => (await (await page.request.get(`${product.url}/v1/me/notifications`)).json()).digest;
  await expect.poll(digest).toEqual({ time: "07:30", timeZone: "Asia/Tokyo" });
  await page.getByLabel("From").fill("21:30");
  await page.getByRole("combobox", { name: "Time zone", exact: true }).selectOption("Asia/Tokyo");
  await page.getByRole("button", { name: "Turn on quiet hours" }).click();
  await expect(page.getByText("Quiet from 21:30 to 07:00, Asia/Tokyo.")).toBeVisible();
  await look(page);
  await page.reload();
  await expect(published).not.toBeChecked();
  await page.getByRole("button", { name: "End quiet hours" }).click();
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();

  const wanted: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") wanted.push(request.postDataJSON().quietHours);
  });
  const [from, to] = [page.getByLabel("From"), page.getByLabel("To", { exact: true })];
  await from.fill("");
  await page.getByRole("button", { name: "Turn on quiet hours" }).click();
  await expect(from).toBeFocused();
  await expect(from).toHaveAccessibleDescription("Enter a time");
  await from.fill("07:00");
  await from.press("Enter");
  await expect(to).toBeFocused();
  await expect(to).toHaveAccessibleDescription("They begin and end at the same time.");
  await look(page);
  expect(wanted).toEqual([]);

  await from.fill("21:30");
  await from.press("Enter");
  await expect(page.getByText("Quiet from 21:30 to 07:00")).toBeVisible();
  // Quiet hours are not started again while they are being ended.
  const end = page.getByRole("button", { name: "End quiet hours" });
  await end.evaluate((button: HTMLButtonElement) => [button.click(), button.form?.requestSubmit(), button.click()]);
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();
  expect(wanted).toEqual([expect.objectContaining({ from: "21:30", to: "07:00" }), null]);
});
