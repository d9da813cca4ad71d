import { type Browser, type BrowserContext, chromium, type Page } from "playwright/test";
import type { OwnProduct } from "../../e2e/setup/product";
import { platformValues } from "../../lib/platforms";

const PASSWORD = "a long password";
const POSTS = 200;

/** A user with an account on every network and 200 posts in one month, and their session cookie. */
export type Visitor = { cookie: string; month: string; consentPath: string };

/** Starts Chromium in headless mode. */
export function openBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: process.env.CHROME_PATH, args });
}

/** A new browser context with an empty cache. */
export async function newVisit(browser: Browser, product: OwnProduct, visitor?: Visitor): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "en-GB" });
  const [name = "", value = ""] = visitor?.cookie.split(/=(.*)/) ?? [];
  if (visitor) await context.addCookies([{ name, value, url: product.url }]);
  return context;
}

/** Waits until the page has sent no request for half a second. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("load");
  let before = -1;
  for (;;) {
    const now = await page.evaluate(() => performance.getEntriesByType("resource").length);
    if (now === before) return;
    before = now;
    await page.waitForTimeout(500);
  }
}

export async function newVisitor(product: OwnProduct): Promise<Visitor> {
  const email = "reader@example.com";
  await product.carillon("users", "create", "--email", email, "--password", PASSWORD);
  for (const platform of platformValues) {
    await product.carillon(
      ...["accounts", "connect-sandbox", "--user", email, "--platform", platform, "--person", "alice"],
    );
  }
  const { access_token } = (await product.carillon("tokens", "create", "--user", email)) as { access_token: string };
  const month = await fillMonth(product, access_token);
  return { cookie: await cookieOf(product, email), month, consentPath: await consentOf(product) };
}

/** Signs in through the form. Returns the session cookie. */
async function cookieOf({ url }: OwnProduct, email: string): Promise<string> {
  const answer = await fetch(`${url}/sign-in`, {
    method: "POST",
    headers: { origin: url },
    body: new URLSearchParams({ callbackUrl: "/", email, password: PASSWORD }),
    redirect: "manual",
  });
  const cookie = answer.headers.getSetCookie().find((one) => one.includes("session-token="));
  if (!cookie) throw new Error(`The sign-in returned ${answer.status}`);
  return cookie.split(";", 1)[0] ?? "";
}

async function consentOf(product: OwnProduct): Promise<string> {
  const redirectUri = "https://acme.example/callback";
  const created = await product.carillon("clients", "create", "--name", "Acme Planner", "--redirect-uri", redirectUri);
  const { clientId: client_id } = created as { clientId: string };
  const scope = "service-api/posts.read";
  const query = { client_id, redirect_uri: redirectUri, response_type: "code", scope, state: "s" };
  return `/authorize?${new URLSearchParams(query)}`;
}

/** Creates 200 posts in the next month. Returns a day in that month. */
async function fillMonth({ url }: OwnProduct, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const accounts: { id: number; platform: string }[] = await (await fetch(`${url}/v1/accounts`, { headers })).json();
  const id = accounts.find(({ platform }) => platform === "X_TWITTER")?.id;
  const today = new Date();
  const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 1, 8);
  for (let n = 0; n < POSTS; n++) {
    const scheduledTime = new Date(first + Math.floor((n * 28) / POSTS) * 86_400_000 + (n % 8) * 3_600_000);
    const posts = [{ content: `The bells of ${n}, and a few words more about what they ring for.` }];
    const publications = [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts }];
    const body = JSON.stringify({ scheduledTime, publications });
    const answer = await fetch(`${url}/v1/posts`, { method: "POST", headers, body });
    if (answer.status !== 201) throw new Error(`POST /v1/posts returned ${answer.status}: ${await answer.text()}`);
  }
  return new Date(first).toISOString().slice(0, 10);
}
