import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "playwright/test";
import { picture } from "./setup/files";
import type { Product } from "./setup/product";
import { root } from "./setup/service";
import { test } from "./setup/test";
import {
  connect,
  expectFits,
  expectIcons,
  holdScript,
  look,
  newName,
  signIn,
  signInUnseen,
  signUp,
  signUpConfirmed,
} from "./setup/visitor";

let product: Product;
const staff = `${newName("s")}@example.com`;
const asked = `${newName("u")}@example.com`;
/** A schedule with a picture, of the person who asks staff for help. */
let scheduleId: number;
let ownerId: string;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  const password = ["--password", "a long password"];
  await product.carillon("users", "create", "--email", staff, ...password, "--role", "staff");
  await product.carillon("users", "create", "--email", asked, ...password);
  const on = ["--user", asked, "--platform", "X_TWITTER", "--person", newName("p")];
  const account = (await product.carillon("accounts", "connect-sandbox", ...on)) as { id: number };
  const { access_token } = (await product.carillon("tokens", "create", "--user", asked)) as { access_token: string };
  const authorization = `Bearer ${access_token}`;
  const bells = await picture("bells.jpg");
  const file = new FormData();
  file.append("file", new Blob([new Uint8Array(bells.buffer)]), bells.name);
  const sent = await fetch(`${product.url}/v1/media/upload`, {
    method: "POST",
    headers: { authorization },
    body: file,
  });
  const { path } = (await sent.json()) as { path: string };
  ownerId = path.split("/")[0] ?? "";
  const post = { content: "For whoever asks", attachmentPaths: [path] };
  const publication = { socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" }, posts: [post] };
  const answer = await fetch(`${product.url}/v1/posts`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify({ scheduledTime: "2040-01-01T12:00:00Z", publications: [publication] }),
  });
  scheduleId = (await answer.json()).id;
});

const status = async (token: string, path: string) =>
  (await fetch(product.url + path, { headers: { authorization: `Bearer ${token}` } })).status;

test("an application is created, changed, given a new secret and deleted", async ({ page }) => {
  await signUpConfirmed(page, product);
  await page.goto(`${product.url}/developers/applications`);
  await look(page);
  await page.getByLabel("Name").fill("Planner");
  await page.getByLabel("Return addresses").fill("nowhere");
  await page.getByRole("button", { name: "Create the application" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "must be an absolute address" })).toBeVisible();
  await expect(page.getByLabel("Name")).toHaveValue("Planner");
  await look(page);
  await page.getByLabel("Return addresses").fill("https://planner.example/cb");
  await page.getByRole("button", { name: "Create the application" }).click();
  const secret = (await page.locator("dd .code").last().textContent()) ?? "";
  await look(page);
  await page.getByRole("link", { name: "I have copied it" }).click();
  await expect(page.getByRole("heading", { name: "Planner", exact: true })).toBeVisible();
  expect(await page.content()).not.toContain(secret);
  await look(page);
  await page.getByLabel("Name").fill("Planner 2");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("heading", { name: "Planner 2", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Create a new secret" }).click();
  expect(await page.locator("dd .code").last().textContent()).not.toBe(secret);
  await page.getByRole("link", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "Revoke the old secret now" }).click();
  await expect(page.getByRole("button", { name: "Revoke the old secret now" })).toBeHidden();
  const remove = page.getByText("Delete this application");
  expect((await remove.boundingBox())?.height, "large enough for a thumb").toBeGreaterThanOrEqual(44);
  await remove.click();
  await page.getByRole("button", { name: "Delete Planner 2 for good" }).click();
  await expect(page.getByText("None yet.")).toBeVisible();
});

test("a token is shown once, has the chosen scopes, appears in the request log, and can be revoked", async ({
  page,
}) => {
  await signUpConfirmed(page, product);
  await page.goto(`${product.url}/developers/tokens`);
  await look(page);
  await page.getByLabel("What it is for").fill("Nightly report");
  await page.getByRole("checkbox", { name: /posts\.read/ }).check();
  await page.getByRole("button", { name: "Create the token" }).click();
  const token = await page.getByLabel("Token").inputValue();
  await look(page);
  expect([await status(token, "/v1/posts?limit=1"), await status(token, "/v1/media")]).toEqual([200, 403]);
  await page.getByRole("link", { name: "I have copied it" }).click();
  await expect(page.getByRole("heading", { name: "Nightly report" })).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await look(page);

  await expect(async () => {
    await page.goto(`${product.url}/developers/requests`);
    await expect(page.getByText("GET /v1/posts?limit", { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await look(page);
  await page.getByLabel("Only refused or failed requests").check();
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("GET /v1/posts?limit")).toBeHidden();
  const id = await page.getByRole("listitem").locator("code").first().textContent();
  await page.getByLabel("Request ID").fill(id ?? "");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByText("GET /v1/media")).toBeVisible();

  await page.goto(`${product.url}/developers/tokens`);
  await page.getByRole("button", { name: "Revoke Nightly report" }).click();
  await expect(page.getByText("None yet.")).toBeVisible();
  expect(await status(token, "/v1/posts")).toBe(401);
});

test("the API can be called from the page with the keyboard; a call that can publish shows what would happen, and publishes only after the person ticks it", async ({
  page,
}) => {
  await signUpConfirmed(page, product);
  await connect(page, product, "X", newName("p"));
  await page.goto(`${product.url}/developers/try`);
  await page.getByLabel("Call").selectOption({ value: "getPost" });
  await page.getByLabel(/^id/).fill("1");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Status 404")).toBeVisible();
  await expect(page.getByText("Posting schedule not found: 1")).toBeVisible();
  await look(page);
  await page.getByLabel("Call").selectOption({ value: "createWebhook" });
  await page.getByRole("button", { name: "Send and change it" }).click();
  await expect(page.getByText("Status 201")).toBeVisible();

  const [account] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  await page.getByLabel("Call").selectOption({ value: "createPost" });
  const publication = {
    socialMediaAccountId: account.id,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: "From the page for developers" }],
  };
  const body = JSON.stringify({ scheduledTime: "2040-01-01T12:00:00Z", publications: [publication] });
  await page.getByLabel("Body (JSON)").fill(body);
  await look(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") asked.push(new URL(request.url()).pathname);
  });
  await page.getByRole("button", { name: "Show what would happen" }).click();
  await expect(page.getByText("Status 200")).toBeVisible();
  await expect(page.getByText('"problems": []')).toBeVisible();
  expect(asked).toEqual(["/v1/posts/validate"]);
  await page.getByRole("checkbox", { name: /^Publish on the simulated networks/ }).check();
  await page.getByRole("button", { name: "Send and publish" }).click();
  await expect(page.getByText("Status 201")).toBeVisible();
  expect(asked).toEqual(["/v1/posts/validate", "/v1/posts"]);
  // A retry cannot be tried without publishing, so the browser asks for the tick.
  await page.getByLabel("Call").selectOption({ value: "retryPost" });
  await expect(page.getByRole("checkbox", { name: /^Publish on/ })).not.toBeChecked();
  await page.getByLabel(/^id/).fill("1");
  await page.getByRole("button", { name: "Send and publish" }).click();
  await expect(page.locator(":invalid[type=checkbox]")).toBeVisible();
  expect(asked).toHaveLength(2);
  await look(page);
});

test("“Try it” in the documentation leads to the call, also through the sign-in page", async ({ page }) => {
  const email = `${newName("t")}@example.com`;
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  await page.goto(`${product.url}/docs/getPost`);
  await page.getByRole("link", { name: "Try this call" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Call")).toHaveValue("getPost");
  // A choice that is made before the page's script runs would be lost, so it waits for it.
  const letIn = await holdScript(page);
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByLabel("Call")).toBeDisabled();
  letIn();
  await page.getByLabel("Call").selectOption({ value: "deletePost" });
  await expect(page).toHaveURL(/\?call=deletePost$/);
  await page.getByRole("link", { name: "Read about this call" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Delete a post");
  await page.goto(`${product.url}/docs/authorizeUrl`);
  await expect(page.getByText("It needs a partner’s token, so it cannot be tried in the dashboard.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Try this call" })).toBeHidden();
});

test("staff finds a person, previews a schedule and its receipt, shares it by link, and the audit log records it", async ({
  page,
  browser,
}) => {
  await signIn(page, product, staff, "/staff");
  await expect(page.getByRole("table", { name: "Networks" }).getByRole("row", { name: /^LinkedIn / })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Posts to look at" })).toBeVisible();
  await look(page);
  await page.getByLabel(/^Email, ID, number/).fill(asked);
  await page.getByRole("button", { name: "Find", exact: true }).click();
  const found = page.getByRole("link", { name: asked.split("@")[0] });
  await expect(found).toBeVisible();
  await look(page);
  await found.click();
  await expect(page.getByRole("cell", { name: "Connected" })).toBeVisible();
  await look(page);
  // The filters are in the address.
  await page.getByLabel("State").selectOption("Scheduled");
  await page.getByLabel("Network").selectOption("LinkedIn");
  await page.getByLabel("Text").fill("whoever");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByText("No posts match these filters.")).toBeVisible();
  await expect(page).toHaveURL(/\?status=SCHEDULED&platform=LINKEDIN&text=whoever&/);
  await look(page);
  await page.getByLabel("Network").selectOption("X");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await expect(page.getByRole("row", { name: /Scheduled X .* For whoever asks/ })).toBeVisible();
  await expect(page.getByLabel("State")).toHaveValue("SCHEDULED");
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await expect(page.getByLabel("Text")).toHaveValue("");
  await page.getByRole("link", { name: String(scheduleId), exact: true }).click();
  await expect(page.getByText("Nothing has been tried yet.")).toBeVisible();
  await expect(page.getByRole("figure", { name: "Preview for X" }).getByText("For whoever asks")).toBeVisible();
  await page.getByText(/^What is sent/).click();
  await expect(page.getByText("This request makes it public.")).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = await page.getByLabel("Link").inputValue();
  await look(page);

  const withoutScript = await browser.newContext({ javaScriptEnabled: false });
  const reader = await withoutScript.newPage();
  const opened = await reader.goto(link);
  expect(opened?.headers()).toMatchObject({
    "x-robots-tag": expect.stringContaining("noindex"),
    "referrer-policy": "no-referrer",
    "cache-control": expect.stringContaining("no-store"),
    "content-security-policy": expect.stringMatching(/script-src 'nonce-[\w+/=]{24}' 'strict-dynamic'(;|$)/),
  });
  const preview = reader.getByRole("figure", { name: "Preview for X" });
  await expect(preview.getByText("For whoever asks")).toBeVisible();
  await expectIcons(preview);
  const html = (await opened?.text()) ?? "";
  for (const secret of [asked, ownerId]) expect(html).not.toContain(secret);
  expect(await withoutScript.cookies()).toEqual([]);
  await withoutScript.close();

  await page.goto(link); // in the page with script, because axe is a script
  await look(page);
  const wrong = await page.goto(`${link.slice(0, -3)}AAA`);
  expect(wrong?.status()).toBe(404);
  await look(page);
  expect(product.output()).not.toContain(new URL(link).searchParams.get("link"));

  await page.goto(`${product.url}/staff/audit?${new URLSearchParams({ actor: staff })}`);
  await expect(page.getByText("Preview shared by staff").last()).toBeVisible();
  await expect(
    page.getByRole("row", { name: new RegExp(`Viewed by staff page: user ${staff} ${ownerId}`) }).first(),
  ).toBeVisible();
  await look(page);
  await page.setViewportSize(PHONE);
  const heights = await page
    .locator("td code")
    .evaluateAll((codes) => codes.map((code) => code.getBoundingClientRect().height));
  expect(heights).not.toEqual([]);
  expect(Math.max(...heights), "an ID on a phone takes at most two lines").toBeLessThan(50);
});

test("staff pages and other people's applications return 404 to everyone else", async ({ page }) => {
  await signUp(page, product, `${newName("n")}@example.com`);
  const paths = ["", "/audit", `/schedules/${scheduleId}`, "/users/0c9f2c1e-6b1f-4c3e-9a53-3a1c1f6f1a11"];
  for (const path of paths) {
    const answer = await page.request.get(`${product.url}/staff${path}`);
    expect([path, answer.status(), (await answer.text()).includes("For whoever asks")]).toEqual([path, 404, false]);
  }
  const post = (path: string, form: { [name: string]: string }, origin = product.url) =>
    page.request.post(product.url + path, { headers: { origin }, form, maxRedirects: 0 });
  expect((await post("/staff/share", { schedule: String(scheduleId), days: "7" })).status()).toBe(404);
  expect((await post("/developers/do/no-such-thing", {})).status()).toBe(404);
  expect((await post("/developers/do/rotate", { client: "q3J0Vw1mB2xZ8sT6yK4nRg" })).status()).toBe(404);
  const token = { name: "x", scope: "api", days: "7" };
  expect((await post("/developers/do/create-token", token, "https://evil.example")).status()).toBe(404);
});

/** Every page of the dashboard whose address contains no ID. */
const FOLDER = join(root, "app/(dashboard)");
const places = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("page.tsx") && !file.includes("["))
  .map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`);

const PHONE = { width: 390, height: 844 };

/** Collects what the browser reports as blocked by a page's content security policy. */
function refusalsOn(page: Page): string[] {
  const said: string[] = [];
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) said.push(`${page.url()}: ${message.text()}`);
  });
  return said;
}

const POLICY = /script-src ('none'|\S+\/docs\.js|'nonce-[\w+/=]{24}' 'strict-dynamic')(;|$)/;
/** Pages of each kind: with and without the frame, for a signed-in person, staff, a reader and a visitor without an account. */
const KINDS = () => ["/", "/compose", "/calendar", `/staff/schedules/${scheduleId}`, "/no-such-page", "/docs"];
const everyPage = () => [...new Set([...places, ...KINDS(), "/accounts/connected", "/previews"])];

test("every page has a content security policy that forbids scripts without its nonce, and its HTML has no others", async ({
  page,
}) => {
  expect(places.length).toBeGreaterThan(12);
  await signInUnseen(page, product, staff);
  for (const path of everyPage()) {
    const answer = await page.request.get(product.url + path);
    const policy = answer.headers()["content-security-policy"] ?? "";
    expect([path, policy]).toEqual([path, expect.stringMatching(POLICY)]);
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    const html = await answer.text();
    const scripts = [...html.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    const isAllowed = (tag: string) => (nonce ? tag.includes(`nonce="${nonce}"`) : tag.includes("/docs.js"));
    expect([path, scripts.filter((tag) => !isAllowed(tag))]).toEqual([path, []]);
    expect([path, /<\w[^<>]*\son\w+="/.exec(html)?.[0]]).toEqual([path, undefined]);
  }
});

for (const { which, paths, tag } of [
  { which: "a page of each kind", paths: KINDS, tag: [] },
  { which: "every page", paths: everyPage, tag: "@long" },
]) {
  test(`${which} obeys its content security policy, runs nothing inline, and fits a phone`, { tag }, async ({
    page,
  }) => {
    const desk = page.viewportSize() ?? PHONE;
    await signInUnseen(page, product, staff);
    const refused = refusalsOn(page);
    for (const path of paths()) {
      await page.goto(product.url + path);
      await page.evaluate(() => {
        const script = document.createElement("div");
        script.innerHTML = '<img src="data:," onerror="document.title = \'ran\'">';
        document.body.append(script);
      });
      await page.waitForLoadState("networkidle");
      expect([path, await page.title()]).not.toEqual([path, "ran"]);
      await page.setViewportSize(PHONE);
      await expectFits(page);
      await page.setViewportSize(desk);
    }
    // Only the handler that this test added to each page was blocked.
    expect(refused.filter((text) => !/inline event handler|data:,/i.test(text))).toEqual([]);
    expect(refused.length).toBeGreaterThanOrEqual(paths().length);
  });
}
