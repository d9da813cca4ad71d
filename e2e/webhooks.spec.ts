import { expect, type Page } from "playwright/test";
import { onDatabase } from "./chaos/on-database";
import { type Receivers, startReceivers } from "./chaos/receivers";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, holdScript, look, newName, PASSWORD, signUpConfirmed, watchLayout } from "./setup/visitor";

/** A worker sends the delivery, which may take a while on a busy machine. */
const SOON = { timeout: 60_000 };

let product: Product;
let receivers: Receivers;

test.beforeAll(async ({ product: shared, receiverPort }) => {
  product = shared;
  receivers = await startReceivers(receiverPort);
});

test.afterAll(() => receivers?.close());

/** Adds a webhook on the page, opens its own page and returns its secret. */
async function add(page: Page, url: string): Promise<string> {
  await page.goto(`${product.url}/webhooks`);
  await page.getByLabel("Address").fill(url);
  await page.getByLabel("post.deleted").uncheck();
  await page.getByRole("button", { name: "Add the webhook" }).click();
  const secret = page.getByText(/^whsec_/);
  await expect(secret).toBeVisible();
  const shown = (await secret.textContent()) ?? "";
  await page.getByRole("link", { name: url, exact: true }).click();
  return shown;
}

test("a webhook is added, tested, given a new secret and deleted", async ({ page }) => {
  await signUpConfirmed(page, product);
  await page.goto(`${product.url}/webhooks`);
  await look(page);
  await page.getByLabel("Address").fill("https://192.0.2.1/hook");
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await expect(page.getByText("url does not lead to a public address")).toBeVisible();

  const path = `/good/${newName("w")}`;
  const inbox = receivers.open(path, await add(page, receivers.urlOf(path)));
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("Delivered", { exact: true })).toBeVisible(SOON);
  expect(inbox.worked.map(({ event }) => event.type)).toEqual(["webhook.test"]);
  await page.getByText("Request and 1 attempt").click();
  await expect(page.getByText(/webhook-signature: /)).toBeVisible();
  await expect(page.getByText(/answered 204/)).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "New secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "New secret" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(`${product.url}/webhooks`);
  await expect(page.getByText("No webhooks yet.")).toBeVisible();
});

test("adding a webhook long after signing in asks for the password, and what was entered is still there", async ({
  page,
}) => {
  await signUpConfirmed(page, product);
  const { id } = await (await page.request.get(`${product.url}/v1/me`)).json();
  const stale = "update sessions set authenticated_at = now() - interval '11 minutes'";
  await onDatabase(product, `${stale} where user_id = '${id}'`);
  await page.goto(`${product.url}/webhooks`);
  const url = receivers.urlOf(`/good/${newName("w")}`);
  await page.getByLabel("Address").fill(url);
  await page.getByLabel("Description").fill("Orders & more");
  await page.getByLabel("post.deleted").uncheck();
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  expect(page.url()).not.toContain("good"); // histories keep addresses, and a webhook's may contain a secret
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page.getByLabel("Address")).toHaveValue(url);
  await expect(page.getByLabel("Description")).toHaveValue("Orders & more");
  await expect(page.getByLabel("post.deleted")).not.toBeChecked();
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/webhooks`);
});

test("problems are shown next to their fields before anything is sent, and a double click adds one webhook", async ({
  page,
}) => {
  await signUpConfirmed(page, product);
  // Records anything that the content security policy blocks.
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ blockedURI }) =>
      sessionStorage.setItem("forbidden", blockedURI),
    );
  });
  let sent = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === "/v1/webhooks") sent += 1;
  });
  await page.goto(`${product.url}/webhooks`);
  const address = page.getByLabel("Address");
  const first = page.getByRole("checkbox").first();
  const press = page.getByRole("button", { name: "Add the webhook" });
  for (const kind of await page.getByRole("checkbox").all()) await kind.uncheck();
  await press.click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription("Enter the address.");
  await address.fill("ftp://receiver.example");
  await press.click();
  await expect(address).toBeFocused();
  await expect(address).toHaveAttribute("aria-invalid", "true");
  await expect(address).toHaveAccessibleDescription("url is not an http or https URL");
  await expect(first).toHaveAccessibleDescription("Choose at least one event.");
  await look(page);
  await address.fill(receivers.urlOf(`/good/${newName("w")}`));
  await expect(address).not.toHaveAttribute("aria-invalid"); // The field is now checked while typing.
  await press.click();
  await expect(first).toBeFocused();
  expect(sent).toBe(0);

  await first.check();
  await press.evaluate((button: HTMLElement) => [button.click(), button.click()]);
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await expect(page.getByLabel("Your webhooks").getByRole("link")).toHaveCount(1);
  expect(sent).toBe(1);
  expect(await page.evaluate(() => sessionStorage.getItem("forbidden"))).toBeNull();
  await look(page); // with the secret
});

test("fields are disabled until the page's script runs, so that no entered value is lost", async ({ page }) => {
  await signUpConfirmed(page, product);
  const letIn = await holdScript(page);
  for (const [path, field] of [
    ["webhooks", page.getByLabel("post.deleted")],
    ["library", page.getByLabel("Address of the file")],
  ] as const) {
    await page.goto(`${product.url}/${path}`, { waitUntil: "commit" });
    await expect(field, path).toBeDisabled();
  }
  letIn();
  await expect(page.getByLabel("Address of the file")).toBeEnabled();
  await page.goto(`${product.url}/webhooks`);
  await page.getByLabel("post.deleted").uncheck();
  await expect(page.getByLabel("post.deleted")).not.toBeChecked();
});

test("if the form's checks cannot be loaded, the API's answer is shown next to the field", { tag: "@long" }, async ({
  page,
}) => {
  await signUpConfirmed(page, product);
  await page.goto(`${product.url}/webhooks`);
  await expect(page.getByText("No webhooks yet.")).toBeVisible();
  await expect(page.getByLabel("Address")).toBeEnabled(); // the page's script is there
  await page.route("**/_next/static/**", (route) => route.abort());
  const answer = page.waitForResponse((response) => response.request().method() === "POST");
  const address = page.getByLabel("Address");
  await address.fill("ftp://receiver.example");
  await page.getByRole("button", { name: "Add the webhook" }).click();
  expect((await answer).status()).toBe(400);
  await expect(address).toBeFocused();
  await expect(address).toHaveAccessibleDescription("url is not an http or https URL");
});

test("nothing moves while the page with one webhook is loading; one whose receiver answers 410 is shown as off with the reason, without a reload", async ({
  page,
}) => {
  await signUpConfirmed(page, product);
  const url = receivers.urlOf("/gone/1");
  await add(page, url);
  const moved = await watchLayout(page);
  await page.goto(`${product.url}/webhooks`);
  const link = page.getByRole("link", { name: url, exact: true });
  await expect(link).toBeVisible();
  await expect(page.getByLabel("Address")).toBeEnabled();
  expect(await moved()).toBe(0);
  await link.click();
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("This webhook is off: The endpoint answered 410 Gone")).toBeVisible(SOON);
  await look(page);
  await page.getByRole("button", { name: "Switch it on" }).click();
  await expect(page.getByText("This webhook is off")).toHaveCount(0);
});

/** Creates a post through the API, as another window would. @param attached URLs of its files */
async function postElsewhere(page: Page, content: string, attached: string[] = []): Promise<void> {
  const [account] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const posts = [{ content, attachmentPaths: attached }];
  const publications = [{ socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" }, posts }];
  const data = { scheduledTime: new Date().toISOString(), publications };
  const answer = await page.request.post(`${product.url}/v1/posts`, { headers: { Origin: product.url }, data });
  expect(answer.status(), await answer.text()).toBe(201);
}

test("an open dashboard shows changes from elsewhere through events, without polling or a reload", async ({ page }) => {
  const person = newName("l");
  await signUpConfirmed(page, product);
  await connect(page, product, "X", person);
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === "/live");
  await page.goto(`${product.url}/posts`);
  expect((await stream).status()).toBe(200);
  await expect(page.getByText("Nothing scheduled yet")).toBeVisible();
  // Without events the page would poll after 30 s.
  await postElsewhere(page, "Told, not asked");
  await expect(page.getByRole("link", { name: "Told, not asked" })).toBeVisible({ timeout: 20_000 });
  await expect(page.locator("[data-post]").getByText("Published", { exact: true })).toBeVisible({ timeout: 20_000 });
  await postElsewhere(page, "With a file that is not there", [receivers.urlOf("/no/file.jpg")]);
  await expect(page.getByText("Files failed").first()).toBeVisible({ timeout: 20_000 });
  await page.goto(`${product.url}/webhooks/events`);
  await expect(page.getByText("post.completed")).toBeVisible();
  await look(page);
});
