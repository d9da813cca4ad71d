import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { look, lookInDark, newName } from "./setup/visitor";

/** A third-party application: it only needs an address to return to. */
let application: Server;
let callback: string;
let product: Product;
let client: { clientId: string; clientSecret: string };
const user = { email: `${newName("a")}@example.com`, password: "a long password", id: "" };

test.beforeAll(async ({ product: shared }) => {
  application = createServer((_, answer) => answer.end("<!doctype html><title>Back</title><p>Back at the application"));
  await new Promise<void>((resolve) => application.listen(0, "127.0.0.1", resolve));
  callback = `http://127.0.0.1:${(application.address() as AddressInfo).port}/callback`;
  product = shared;
  const { email, password } = user;
  const made = await product.carillon("users", "create", "--email", email, "--password", password);
  user.id = (made as { id: string }).id;
  const created = await product.carillon("clients", "create", "--name", "Acme Planner", "--redirect-uri", callback);
  client = created as typeof client;
});

test.afterAll(async () => {
  application?.close();
});

function authorizeUrl(change: { [name: string]: string } = {}): string {
  const fields = {
    client_id: client.clientId,
    response_type: "code",
    redirect_uri: callback,
    scope: "service-api/accounts.read service-api/posts.read service-api/posts.write",
    state: "kept as it is/+%",
    audience: product.url,
  };
  return `${product.url}/authorize?${new URLSearchParams({ ...fields, ...change })}`;
}

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password").fill(user.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens the consent page for the application, signs in on the way and presses a button. Returns the parameters of the redirect. */
async function consent(page: Page, button: "Allow" | "Deny"): Promise<URLSearchParams> {
  await page.goto(authorizeUrl());
  await signIn(page);
  await page.getByRole("button", { name: button }).click();
  await expect(page.getByText("Back at the application")).toBeVisible();
  return new URL(page.url()).searchParams;
}

async function token(fields: object): Promise<{ access_token: string; refresh_token: string }> {
  const { clientId: client_id, clientSecret: client_secret } = client;
  const answer = await fetch(`${product.url}/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id, client_secret, ...fields }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

async function apiSays(accessToken: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await fetch(`${product.url}/v1/accounts`, { headers })).status;
}

test("a person signs in, sees which application asks for which scopes, and allows them", async ({ page }) => {
  await page.goto(authorizeUrl());
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await look(page);
  await signIn(page);
  await expect(page.getByRole("heading", { name: "Acme Planner wants to use your Carillon account" })).toBeVisible();
  await expect(page.getByText(user.email)).toBeVisible();
  await expect(page.getByRole("listitem")).toHaveText([
    /See which accounts you have connected/,
    /Read your scheduled and published posts/,
    /Publish, schedule, change and delete posts/,
  ]);
  await look(page);
  await lookInDark(page);

  await expect(page.getByText("has not reviewed it")).toBeVisible();
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByText("Back at the application")).toBeVisible();
  const back = Object.fromEntries(new URL(page.url()).searchParams);
  expect(back).toEqual({ code: expect.any(String), state: "kept as it is/+%", iss: product.url });
  const grant = { grant_type: "authorization_code", code: back.code, redirect_uri: callback };
  const tokens = await token(grant);
  expect(await apiSays(tokens.access_token)).toBe(200);
  const refreshed = await token({ grant_type: "refresh_token", refresh_token: tokens.refresh_token });
  expect(await apiSays(refreshed.access_token)).toBe(200);

  await page.goto(`${product.url}/settings`);
  await page.getByRole("link", { name: "View connected applications" }).click();
  await expect(page.getByText("The operator of this service")).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "Revoke Acme Planner" }).click();
  await expect(page.getByText("You have not allowed any application.")).toBeVisible();
  expect(await apiSays(refreshed.access_token)).toBe(401);
  await look(page);
});

test("consent works without script and can be denied", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const back = await consent(await context.newPage(), "Deny");
  expect([back.get("error"), back.get("state"), back.get("iss")]).toEqual([
    "access_denied",
    "kept as it is/+%",
    product.url,
  ]);
  await context.close();
});

test("a signed-in person is asked every time, without signing in again", async ({ page }) => {
  await consent(page, "Deny");
  await page.goto(authorizeUrl());
  await page.getByRole("button", { name: "Allow" }).click();
  await expect(page).toHaveURL(/code=/);
});

test("a link with an unknown redirect_uri shows an error page and does not redirect", async ({ page }) => {
  const answer = await page.goto(authorizeUrl({ redirect_uri: "https://evil.example/" }));
  expect([answer?.status(), new URL(page.url()).origin]).toEqual([400, product.url]);
  await expect(page.getByRole("heading", { name: "This link does not work" })).toBeVisible();
  await look(page);
  const headers = answer?.headers() ?? {};
  expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
  expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
});

test("the operator's commands take effect on the running service", async ({ page }) => {
  const code = (await consent(page, "Allow")).get("code");
  const { access_token } = await token({ grant_type: "authorization_code", code, redirect_uri: callback });
  const soon = { intervals: [50] }; // lib/oauth/bearer.test.ts verifies how soon
  const says = () => apiSays(access_token);
  expect(await says()).toBe(200);
  for (const [suspend, resume, id] of [
    ["users suspend", "users resume", user.id],
    ["clients suspend", "clients resume", client.clientId],
  ]) {
    await product.carillon(...(suspend ?? "").split(" "), id ?? "");
    await expect.poll(says, soon).toBe(403);
    await product.carillon(...(resume ?? "").split(" "), id ?? "");
    await expect.poll(says, soon).toBe(200);
  }
  await product.carillon("keys", "rotate");
  expect(await says()).toBe(200);
  const personal = await product.carillon("tokens", "create", "--user", user.email);
  expect(await apiSays((personal as { access_token: string }).access_token)).toBe(200);
});
