import { expect, test } from "@playwright/test";
import { type Partner, partnerHeaders, startPartner } from "./partner/sample";
import { type Product, startProduct } from "./setup/product";

let product: Product;
let partner: Partner;
let options: { carillon: string; clientId: string; clientSecret: string; externalUserId: string };

test.beforeAll(async () => {
  product = await startProduct();
  const credentials = (await product.carillon("partners", "create", "--name", "Acme")) as {
    clientId: string;
    clientSecret: string;
  };
  options = { carillon: product.url, ...credentials, externalUserId: "user 42" };
  partner = await startPartner(options);
});

test.afterAll(async () => {
  await partner?.close();
  await product?.stop();
});

test("a partner's user connects in a popup, and the partner posts for that user", async ({ page }) => {
  await page.goto(partner.url);
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Connect X" }).click(),
  ]);
  await popup.getByRole("radio", { name: "bob" }).check();
  const closed = popup.waitForEvent("close");
  const returned = popup.waitForRequest((request) => request.url().startsWith(`${partner.url}/connected`));
  await popup.getByRole("button", { name: "Allow" }).click();

  // Byte for byte, nothing appended (SPEC, "Partner (connect) endpoints", rule 4).
  expect((await returned).url()).toBe(`${partner.url}/connected?from=carillon&keep=%2Fas%20is`);
  await closed;
  await expect(page.getByRole("status")).toHaveText("Connected");

  const headers = { ...(await partnerHeaders(options)), "content-type": "application/json" };
  const accounts = await (await fetch(`${product.url}/v1/accounts`, { headers })).json();
  expect(accounts).toEqual([expect.objectContaining({ platform: "X_TWITTER", accountUsername: "bob" })]);

  const text = `A partner's post at ${Date.now()}`;
  const created = await fetch(`${product.url}/v1/posts`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      platform: "X_TWITTER",
      accountId: accounts[0].id,
      content: text,
      scheduledTime: new Date().toISOString(),
    }),
  });
  expect(created.status).toBe(201);
  const { id } = await created.json();
  const read = async () => (await (await fetch(`${product.url}/v1/posts/${id}`, { headers })).json()).overallStatus;
  await expect.poll(read).toBe("COMPLETED");
  const ledger = await (await fetch(`${product.sandboxUrl}/_control/posts?network=x`)).json();
  expect(ledger.map((post: { account: string; text: string }) => [post.account, post.text])).toEqual([["bob", text]]);
});

test("a person who declines sees why, and can start again", async ({ page }) => {
  const address = await (await fetch(`${partner.url}/connect-url?platform=INSTAGRAM`)).json();
  await page.goto(address);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "You chose not to connect" })).toBeVisible();
  await page.getByRole("link", { name: "Start again" }).click();
  await page.getByRole("radio", { name: "carol" }).check();
  // Asked of the request: the browser's own address keeps Instagram's "#_", as browsers do over redirects.
  const returned = page.waitForRequest((request) => request.url().startsWith(`${partner.url}/connected`));
  await page.getByRole("button", { name: "Allow" }).click();
  expect((await returned).url()).toBe(`${partner.url}/connected?from=carillon&keep=%2Fas%20is`);
});

test("a link that was used, or changed, says so and connects nothing", async ({ page }) => {
  const address: string = await (await fetch(`${partner.url}/connect-url?platform=X_TWITTER`)).json();
  const changed = `${address.slice(0, -3)}AAA`;
  expect((await page.goto(changed))?.status()).toBe(410);
  await expect(page.getByRole("heading", { name: "This link is no longer good" })).toBeVisible();
});
