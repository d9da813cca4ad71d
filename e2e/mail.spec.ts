import AxeBuilder from "@axe-core/playwright";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { type MailServer, startMailServer } from "../lib/mail/testing/smtp";
import { type Product, startProduct } from "./setup/product";

/** A mail waits for a worker, an event for the log to be settled, and all of them for a busy machine. */
const SOON = { timeout: 60_000 };
const PASSWORD = "a long password";

let product: Product;
let post: MailServer;

test.beforeAll(async () => {
  post = await startMailServer();
  product = await startProduct({ env: { SMTP_URL: post.url, MAIL_FROM: "Carillon <post@carillon.example>" } });
});

test.afterAll(async () => {
  await product?.stop();
  await post?.stop();
});

async function look(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }))).toEqual([]);
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window ?? 0);
}

const newEmail = () => `ada-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}@example.com`;

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(`${product.url}/sign-up`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(`${product.url}/`);
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** The newest of so many mails to an address, once they are there. */
async function mailTo(email: string, count = 1) {
  await expect.poll(() => post.for(email).length, SOON).toBe(count);
  const mail = post.for(email).at(-1);
  if (!mail) throw new Error("there is no mail");
  return mail;
}

/** The address under the button, which the text and the HTML share. */
function linkIn({ text, html }: { text: string; html: string }): string {
  const link = new RegExp(`${product.url}/\\S+`).exec(text)?.[0] ?? "";
  expect(html).toContain(`href="${link}"`);
  return link;
}

type Person = { email: string; api(method: string, path: string, body?: unknown): Promise<unknown> };

/** Somebody whose address the operator vouches for, with calls in their name. */
async function newPerson(email = newEmail()): Promise<Person> {
  await product.carillon("users", "create", "--email", email, "--password", PASSWORD);
  const issued = (await product.carillon("tokens", "create", "--user", email)) as { access_token: string };
  return { email, api: caller({ authorization: `Bearer ${issued.access_token}` }) };
}

function caller(credential: { [name: string]: string }): Person["api"] {
  return async (method, path, body) => {
    const headers = { "content-type": "application/json", ...credential };
    const answer = await fetch(`${product.url}${path}`, { method, headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
}

let people = 0;

async function connect({ email }: Person): Promise<{ id: number; person: string }> {
  const person = `m${Date.now().toString(36)}${people++}`;
  const of = ["--user", email, "--platform", "X_TWITTER", "--person", person];
  const { id } = (await product.carillon("accounts", "connect-sandbox", ...of)) as { id: number };
  return { id, person };
}

async function publish({ api }: Pick<Person, "api">, accountId: number, content: string): Promise<number> {
  const publication = { socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts: [{ content }] };
  const body = { scheduledTime: new Date().toISOString(), publications: [publication] };
  return ((await api("POST", "/v1/posts", body)) as { id: number }).id;
}

async function ended({ api }: Pick<Person, "api">, id: number): Promise<void> {
  const status = async () => ((await api("GET", `/v1/posts/${id}`)) as { overallStatus: string }).overallStatus;
  await expect.poll(status, SOON).toMatch(/COMPLETED|FAILED/);
}

async function fault(fault: string, times = 1): Promise<void> {
  const body = JSON.stringify({ network: "x", operation: "publish", fault, times });
  const headers = { "content-type": "application/json" };
  await fetch(`${product.sandboxUrl}/_control/faults`, { method: "POST", headers, body });
}

/** A page of somebody's own, without script where that has to do. */
async function newPage(browser: Browser, javaScriptEnabled = true): Promise<Page> {
  return (await browser.newContext({ javaScriptEnabled })).newPage();
}

test("a newcomer confirms the address by the link in the mail, and is asked until then", async ({ page }) => {
  const email = newEmail();
  await signUp(page, email);
  await expect(page.getByText("Please confirm")).toContainText(email);
  await look(page);
  await mailTo(email);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("heading", { name: "Look into your mail" })).toBeVisible();
  await look(page);
  const link = linkIn(await mailTo(email, 2));

  await page.goto(link);
  await look(page);
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await expect(page.getByText(`${email} is confirmed`)).toBeVisible();
  await look(page);
  await page.getByRole("link", { name: "Go to Carillon" }).click();
  await expect(page.getByRole("heading", { name: /^Hello/ })).toBeVisible();
  await expect(page.getByText("Please confirm")).toHaveCount(0);
});

test("who forgot the password sets a new one without script; the old one and the old sessions end", async ({
  page,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, email);
  await mailTo(email);
  const other = await newPage(browser, false);
  await other.goto(`${product.url}/sign-in`);
  await other.getByRole("link", { name: "Forgot your password?" }).click();
  await other.getByLabel("E-mail").fill(email);
  await other.getByRole("button", { name: "Send the link" }).click();
  await expect(other.getByRole("heading", { name: "Look into your mail" })).toBeVisible();
  const link = linkIn(await mailTo(email, 2));

  for (const address of [`${product.url}/forgot-password`, link]) {
    await page.goto(address); // what looks for obstacles is a script
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
  await signIn(other, email, PASSWORD);
  await expect(other.getByText("E-mail or password is wrong")).toBeVisible();
  await signIn(page, email, "quite another password");
  await expect(page).toHaveURL(`${product.url}/`);
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "This link does not work any more" })).toBeVisible();
});

test("a post that went out, one that did not and an account that needs its person are each told of once", async () => {
  const person = await newPerson();
  const account = await connect(person);
  await ended(person, await publish(person, account.id, "Ring the bells"));
  const success = await mailTo(person.email);
  expect(success.subject).toBe("Published: “Ring the bells”");
  expect(success.text).toContain(`@${account.person} on X: See the post`);

  await fault("duplicate");
  await ended(person, await publish(person, account.id, "Ring them once more"));
  const failure = await mailTo(person.email, 2);
  expect(failure.subject).toBe("Not published: “Ring them once more”");
  const schedules = (await person.api("GET", "/v1/posts?limit=1")) as {
    items: { publications: { posts: { error?: string }[] }[] }[];
  };
  const reason = schedules.items[0]?.publications[0]?.posts[0]?.error ?? "no reason";
  expect(failure.text).toContain(reason);

  await fault("revoke_token");
  const late = [await publish(person, account.id, "Nobody hears"), await publish(person, account.id, "Nobody at all")];
  for (const id of late) await ended(person, id);
  await mailTo(person.email, 5); // both posts, and the account once
  const subjects = post.for(person.email).map(({ subject }) => subject);
  expect(subjects.filter((subject) => subject === `@${account.person} on X needs to be connected again`)).toHaveLength(
    1,
  );
});

test("what was switched off in the settings or by one click is not written, and the rest is", async ({ page }) => {
  const person = await newPerson();
  const account = await connect(person);
  await signIn(page, person.email, PASSWORD);
  await expect(page).toHaveURL(`${product.url}/`);
  await page.goto(`${product.url}/settings`);
  await page.getByLabel("A post was published").uncheck();
  await expect(page.getByText("Kept.")).toBeVisible();
  await look(page);
  await page.reload();
  await expect(page.getByLabel("A post was published")).not.toBeChecked();
  await ended(person, await publish(person, account.id, "Quietly"));

  await fault("duplicate");
  await ended(person, await publish(person, account.id, "Loudly"));
  const failure = await mailTo(person.email);
  expect(failure.subject).toContain("Loudly");
  const oneClick = /^List-Unsubscribe: <([^>]+)>/m.exec(failure.headers)?.[1] ?? "";
  await page.goto(oneClick);
  await look(page);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const clicked = await fetch(oneClick, {
    method: "POST",
    headers,
    body: "List-Unsubscribe=One-Click",
    redirect: "manual",
  });
  expect(clicked.status).toBe(200);

  await fault("duplicate");
  await ended(person, await publish(person, account.id, "Loudly again"));
  await fault("revoke_token");
  await ended(person, await publish(person, account.id, "The last one"));
  const last = await mailTo(person.email, 2); // events are taken in their order: those before it led to none
  expect(last.subject).toContain("needs to be connected again");
});

test("a partner's users are written nothing", async () => {
  const { clientId, clientSecret } = (await product.carillon("partners", "create", "--name", "Acme")) as {
    clientId: string;
    clientSecret: string;
  };
  const grant = {
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret,
    audience: product.url,
  };
  const { access_token } = (await caller({})("POST", "/oauth/token", grant)) as { access_token: string };
  const authorization = `Bearer ${access_token}`;
  const email = newEmail();
  const given = { externalUserId: "customer-1", name: "Cleo", email };
  await caller({ authorization })("POST", "/v1/connect/users", given);
  const theirs = caller({ authorization, "x-connect-external-user-id": "customer-1" });
  const wanted = { postPublished: true, postFailed: true, accountReconnect: true, webhookDisabled: true };
  const holds = (await theirs("PUT", "/v1/me/notifications", { email: wanted })) as { email: object };
  expect(Object.values(holds.email)).toEqual([false, false, false, false]);

  const person = await newPerson();
  const account = await connect(person);
  await ended(person, await publish(person, account.id, "After them"));
  await mailTo(person.email);
  expect(post.for(email)).toEqual([]);
});

test("a dashboard in view shows what happens elsewhere, without asking and without being reloaded", async ({
  page,
}) => {
  const person = await newPerson();
  const account = await connect(person);
  await signIn(page, person.email, PASSWORD);
  await expect(page).toHaveURL(`${product.url}/`);
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === "/live");
  await page.goto(`${product.url}/posts`);
  expect((await stream).status()).toBe(200);
  await expect(page.getByText("Nothing written yet")).toBeVisible();
  // The page itself asks again after 30 s where nothing is told.
  await ended(person, await publish(person, account.id, "Told, not asked"));
  await expect(page.getByRole("heading", { name: "Told, not asked" })).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole("link", { name: "See the post" })).toBeVisible({ timeout: 20_000 });
});

test("a webhook is added, tested, given a new secret and deleted in the dashboard", async ({ page }) => {
  await signUp(page, newEmail());
  await page.goto(`${product.url}/webhooks`);
  await look(page);
  await page.getByLabel("Address").fill("https://192.0.2.1/hook");
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await expect(page.getByText("url does not lead to a public address")).toBeVisible();
  await look(page);
  await page.getByLabel("Address").fill("https://hooks.carillon.example/a");
  await page.getByLabel("post.deleted").uncheck();
  await page.getByRole("button", { name: "Add the webhook" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await look(page);
  await page.getByRole("link", { name: "https://hooks.carillon.example/a" }).click();

  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByText("Failed", { exact: true })).toBeVisible(SOON);
  await page.getByText("Request and its answer").click();
  await expect(page.getByText(/webhook-signature: /)).toBeVisible();
  await look(page);
  await page.getByRole("button", { name: "New secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "New secret" }).click();
  await expect(page.getByText(/^whsec_/)).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await expect(page).toHaveURL(`${product.url}/webhooks`);
  await expect(page.getByText("None yet.")).toBeVisible();
  await page.goto(`${product.url}/webhooks/events`);
  await look(page);
});
