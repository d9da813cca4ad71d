import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "playwright/test";
import { partnerHeaders } from "./partner/sample";
import { picture } from "./setup/files";
import type { Product } from "./setup/product";
import { root } from "./setup/service";
import { test } from "./setup/test";
import { COLOUR_RULES, expectUsable } from "./setup/usable";
import { expectFits, newName, signIn } from "./setup/visitor";

const WIDTHS = [1440, 820, 390];

/** Every page of the dashboard, as Next.js writes its address: `/posts/[id]`. */
const FOLDER = join(root, "app/(dashboard)");
const pages = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("page.tsx"))
  .map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`);

/**
 * Pages that are route handlers, because they have no script (`e2e/pages` checks those of the connect bridge, `docs.spec.ts`
 * the documentation).
 */
const SIGNED_OUT = ["/sign-in", "/sign-up", "/forgot-password", "/reset-password?token=x", "/confirm-email?token=x"];
const WITHOUT_SCRIPT = ["/settings/authenticator", "/settings/passkeys", "/settings/password"];

type Made = { product: Product; page: Page; email: string };

/** Fills a member of staff's account with something for every page, and returns an address for each page whose address has an ID. */
async function filledAccount({ product, page, email }: Made): Promise<{ [page: string]: string }> {
  const headers = { Origin: product.url };
  const read = async (path: string) => (await page.request.get(product.url + path)).json();
  const made = async (path: string, data: object) => {
    const answer = await page.request.post(product.url + path, { headers, data });
    expect(answer.status(), await answer.text()).toBeLessThan(300);
    return answer.json();
  };
  const connected = async (platform: string) => {
    const given = ["--user", email, "--platform", platform, "--person", newName("q")];
    return (await product.carillon("accounts", "connect-sandbox", ...given)) as { id: number };
  };
  const [instagram, telegram] = [await connected("INSTAGRAM"), await connected("TELEGRAM")];

  const file = await picture("bells.jpg");
  const { path } = await (
    await page.request.post(`${product.url}/v1/media/upload`, { headers, multipart: { file } })
  ).json();
  const publication = (content: string) => ({
    socialMediaAccountId: instagram.id,
    platformSettings: { type: "INSTAGRAM", userTags: [{ username: "anna", x: 0.25, y: 0.75 }] },
    posts: [{ content, attachmentPaths: [path] }],
  });
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  await made("/v1/posts", { isDraft: true, publications: [publication("A draft")] });
  await made("/v1/posts", { scheduledTime: new Date().toISOString(), publications: [publication("Out now")] });
  const post = await made("/v1/posts", { scheduledTime: tomorrow, publications: [publication("For tomorrow")] });
  const webhook = await made("/v1/webhooks", { url: "https://receiver.example/hook", events: ["post.completed"] });

  const application = await page.request.post(`${product.url}/developers/do/create-application`, {
    headers,
    form: { name: "Planner", redirectUris: "https://planner.example/cb", isPublic: "on" },
    maxRedirects: 0,
  });
  const partner = (await product.carillon("partners", "create", "--name", "Acme")) as Partner;
  await product.carillon("partners", "add-member", "--partner", partner.clientId, "--user", email);
  const externalUserId = "customer 7";
  const { authorization } = await partnerHeaders({ carillon: product.url, ...partner, externalUserId });
  const customer = await page.request.post(`${product.url}/v1/connect/users`, {
    headers: { authorization },
    data: { externalUserId, name: "Ada" },
  });

  const form = { platform: "TELEGRAM" };
  const asks = await page.request.post(`${product.url}/oauth/connect/new`, { headers, form });
  await page.request.post(`${product.url}/forgot-password`, { headers, form: { email } }); // sends a mail
  let mail = "";
  await expect
    .poll(async () => {
      const settings = await (await page.request.get(`${product.url}/settings`)).text();
      mail = /\/mail\/[0-9a-f-]{36}/.exec(settings)?.[0] ?? "";
      return mail;
    })
    .not.toBe("");
  return {
    "/accounts/[id]": `/accounts/${telegram.id}`,
    "/accounts/connect/[ticket]": new URL(asks.url()).pathname,
    "/console/[client]": `/console/${partner.clientId}`,
    "/console/[client]/users/[uuid]": `/console/${partner.clientId}/users/${(await customer.json()).uuid}`,
    "/developers/applications/[client]": new URL(application.headers().location ?? "").pathname,
    "/mail/[id]": mail,
    "/posts/[id]": `/posts/${post.id}`,
    "/staff/schedules/[id]": `/staff/schedules/${post.id}`,
    "/staff/users/[uuid]": `/staff/users/${(await read("/v1/me")).id}`,
    "/webhooks/[id]": `/webhooks/${webhook.id}`,
  };
}

type Partner = { clientId: string; clientSecret: string };

/** The address of a page, from the one of the longest part of it that has an address. */
function addressOf(page: string, addresses: { [page: string]: string }): string {
  const known = Object.keys(addresses).filter((one) => page === one || page.startsWith(`${one}/`));
  const longest = known.sort((one, other) => other.length - one.length)[0];
  if (!longest && page.includes("[")) throw new Error(`This journey needs an address of the page ${page}`);
  return longest ? page.replace(longest, addresses[longest] ?? "") : page;
}

/** axe finds nothing on a page, and nothing is cut, at each width in both themes. In the dark one, only the colours differ. */
async function expectUsableEverywhere(page: Page, address: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  const answer = await page.goto(address);
  expect([200, 410], address).toContain(answer?.status()); // 410: a link that has expired
  await page.waitForLoadState("networkidle");
  for (const [colorScheme, rules] of [["light"], ["dark", COLOUR_RULES]] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expectFits(page);
      await expectUsable(page, {
        rules: rules && [...rules],
        when: `${address}, ${width} pixels wide, ${colorScheme}`,
      });
    }
  }
}

test("every page is accessible at three widths in light and dark, and nothing is wider than the screen", {
  tag: "@long",
}, async ({ page, product }) => {
  test.setTimeout(1_800_000);
  // Collected, so that one run names every page with a problem.
  const problems: string[] = [];
  const visit = (path: string) =>
    expectUsableEverywhere(page, product.url + path).catch(({ message }: Error) =>
      problems.push(`${path}: ${message}`),
    );
  for (const path of SIGNED_OUT) await visit(path);
  const email = `${newName("a")}@example.com`;
  await product.carillon("users", "create", "--email", email, "--password", "a long password", "--role", "staff");
  await signIn(page, product, email, "/");
  const addresses = await filledAccount({ product, page, email });
  const paths = pages.map((one) => addressOf(one, addresses));
  expect(paths.length).toBeGreaterThan(40);
  for (const path of [...paths, ...WITHOUT_SCRIPT]) await visit(path);
  expect(problems).toEqual([]);
});
