import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "playwright/test";
import sharp from "sharp";
import { partnerHeaders } from "./partner/sample";
import type { Product } from "./setup/product";
import { root } from "./setup/service";
import { test } from "./setup/test";
import { allow, look, newName, signIn, signInUnseen, signUp } from "./setup/visitor";

type Partner = { clientId: string; clientSecret: string };

let product: Product;
let partner: Partner;
let foreign: Partner;
/** The UUID of one of the partner's end users. */
let endUser: string;
const member = `${newName("m")}@example.com`;
const staff = `${newName("f")}@example.com`;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  partner = await newPartner("Acme");
  foreign = await newPartner("Globex");
  const password = ["--password", "a long password"];
  await product.carillon("users", "create", "--email", member, ...password);
  await product.carillon("users", "create", "--email", staff, ...password, "--role", "staff");
  await product.carillon("partners", "add-member", "--partner", partner.clientId, "--user", member);
  endUser = (await provision(partner, "customer 7")).uuid;
});

async function newPartner(name: string): Promise<Partner> {
  return (await product.carillon("partners", "create", "--name", name)) as Partner;
}

async function provision({ clientId, clientSecret }: Partner, externalUserId: string): Promise<{ uuid: string }> {
  const headers = await partnerHeaders({ carillon: product.url, clientId, clientSecret, externalUserId });
  const answer = await fetch(`${product.url}/v1/connect/users`, {
    method: "POST",
    headers: { authorization: headers.authorization, "content-type": "application/json" },
    body: JSON.stringify({ externalUserId, name: "Ada" }),
  });
  return answer.json();
}

const at = (path = "", of = partner) => `/console/${of.clientId}${path}`;
const tokenStatus = async (client_secret: string, { clientId: client_id } = partner) =>
  (
    await fetch(`${product.url}/oauth/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ grant_type: "client_credentials", client_id, client_secret }),
    })
  ).status;

test("a member sees usage, end users with their accounts, and connect attempts with their traces", async ({ page }) => {
  await signIn(page, product, member, "/console");
  await look(page);
  await page.getByRole("link", { name: "Acme" }).click();
  await expect(page.getByRole("heading", { name: "Acme" })).toBeVisible();
  await expect(page.getByRole("cell", { name: /^[1-9]\d*$/ }).first()).toBeVisible();
  const usage = page.getByRole("region", { name: "Usage" });
  await expect(usage.getByRole("rowheader").first()).toHaveText(/^[A-Z][a-z]+ 20\d\d$/);
  await look(page);
  await page.getByRole("link", { name: "Members" }).click();
  await expect(page.getByLabel(`Role of ${member}`, { exact: true })).toHaveValue("owner");
  await page.getByRole("button", { name: `Remove ${member}` }).click();
  await expect(page.getByText("This is the last owner")).toBeVisible();
  await look(page);
  await page.getByRole("link", { name: "Customers" }).click();
  await page.getByRole("link", { name: "customer 7" }).click();
  await expect(page.getByText("No account is connected.")).toBeVisible();
  await look(page);

  const options = { carillon: product.url, ...partner, externalUserId: "customer 7" };
  const headers = { ...(await partnerHeaders(options)), "content-type": "application/json" };
  const link = await fetch(`${product.url}/v1/connect/authorize-url`, {
    method: "POST",
    headers: { ...headers, "x-api-key": partner.clientId },
    body: JSON.stringify({ platform: "X_TWITTER", redirectUri: `${product.url}/docs` }),
  });
  const userPage = page.url();
  await page.goto(await link.json());
  await page.getByRole("button", { name: "Deny" }).click();
  const code = await page.locator(".code").textContent();
  await page.getByRole("link", { name: "Start again" }).click();
  const person = newName("e");
  await allow(page, person);
  await page.goto(userPage);
  await expect(page.getByRole("rowheader", { name: person })).toBeVisible();
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Connect attempts" }).click();
  await page.getByLabel("The code that the person quotes").fill(code?.toLowerCase() ?? "");
  await page.getByRole("button", { name: "Find", exact: true }).click();
  await page.getByText(code ?? "").click();
  await expect(page.getByText("The network returned the error access_denied")).toBeVisible();
  await look(page);
});

test("a new secret is shown once and works next to the old one until the old one is ended", async ({ page }) => {
  const own = await newPartner("Initech");
  await product.carillon("partners", "add-member", "--partner", own.clientId, "--user", member);
  await signIn(page, product, member, at("/credentials", own));
  await look(page);
  await page.getByRole("button", { name: "Create a new secret" }).click();
  const fresh = (await page.locator("dd .code").last().textContent()) ?? "";
  await look(page);
  expect([await tokenStatus(own.clientSecret, own), await tokenStatus(fresh, own)]).toEqual([200, 200]);
  await page.getByRole("link", { name: "I have copied it" }).click();
  await expect(page.getByText(fresh)).toHaveCount(0);
  expect(await page.content()).not.toContain(fresh);
  await page.getByRole("button", { name: "Revoke the old secret now" }).click();
  await expect(page.getByRole("button", { name: "Revoke the old secret now" })).toBeHidden();
  expect([await tokenStatus(own.clientSecret, own), await tokenStatus(fresh, own)]).toEqual([401, 200]);
  await page.getByRole("button", { name: "Suspend this partner" }).click();
  await expect(page.getByText("This partner is suspended")).toBeVisible();
  expect(await tokenStatus(fresh, own)).toBe(401);
  await expect(page.getByRole("button", { name: "Lift the suspension" })).toHaveCount(0);
  await look(page);
  await page.goto(product.url + at("", own));
  for (const words of ["Secret changed", "Suspended", "Console member added"]) {
    await expect(page.getByRole("cell", { name: words }).first()).toBeVisible();
  }
});

test("staff creates a partner and resumes a suspended one", async ({ page }) => {
  await signIn(page, product, staff, "/console");
  await page.getByLabel("Name").fill("Hooli");
  await page.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("heading", { name: "Copy the secret now" })).toBeVisible();
  const [id, secret] = await page.locator("dd .code").allTextContents();
  const own = { clientId: id ?? "", clientSecret: secret ?? "" };
  expect(await tokenStatus(own.clientSecret, own)).toBe(200);
  await page.getByRole("link", { name: "I have copied it" }).click();
  await page.getByRole("button", { name: "Suspend this partner" }).click();
  await page.getByRole("button", { name: "Lift the suspension" }).click();
  await expect(page.getByRole("button", { name: "Suspend this partner" })).toBeVisible();
  expect(await tokenStatus(own.clientSecret, own)).toBe(200);
});

test("branding is previewed while typing and saved with its logo", async ({ page }) => {
  const unread: string[] = [];
  page.on("requestfailed", (request) => {
    if (request.url().endsWith(".woff2")) unread.push(request.url());
  });
  await signIn(page, product, member, at("/branding"));
  const preview = page.frameLocator("iframe");
  await expect(preview.getByRole("heading", { name: "Instagram was not connected" })).toBeVisible();
  await look(page, "iframe"); // The preview runs no script, so axe cannot run in it. e2e/pages checks its content.
  expect(unread, "the preview reads the fonts of the connect page").toEqual([]);
  await page.getByLabel("Name", { exact: true }).fill("Acme Social");
  await page.getByLabel("Language").selectOption("de");
  await expect(preview.getByText("Acme Social").first()).toBeVisible();
  await page.getByLabel("Accent colour", { exact: true }).fill("#ffff00");
  await expect(
    page.getByText(/^Accent colour is not readable on a light page .* the nearest readable colour is #/),
  ).toBeVisible();
  const [accent, picker] = [
    page.getByLabel("Accent colour", { exact: true }),
    page.getByLabel("Choose the accent colour", { exact: true }),
  ];
  await expect(picker).toHaveValue("#ffff00");
  await picker.fill("#7a1fa2");
  await expect(accent).toHaveValue("#7a1fa2");
  await expect(page.getByText(/is not readable/)).toBeHidden();
  await expect(preview.locator("a.button:not(.quiet)")).toHaveCSS("background-color", "rgb(122, 31, 162)");
  // The dark accent is empty, so its picker shows the shade that is made from the other.
  const darkPicker = page.getByLabel("Choose the accent colour, dark");
  await expect(darkPicker).not.toHaveValue("#62cdbb");
  await page.getByLabel("Accent colour, dark", { exact: true }).fill("#ffeeff");
  await expect(darkPicker).toHaveValue("#ffeeff");
  // Without compression it has 360 KB, more than the form of any other page.
  const size = { width: 600, height: 200 };
  const picture = sharp({ create: { ...size, channels: 3, background: "#7a1fa2" } }).png({ compressionLevel: 0 });
  await page
    .getByLabel("Logo")
    .setInputFiles({ name: "l.png", mimeType: "image/png", buffer: await picture.toBuffer() });
  const chosen = page.getByRole("img", { name: "The logo" });
  await expect.poll(() => chosen.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(600);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. The next connect page shows it.")).toBeVisible();
  await expect(page.getByLabel("Accent colour", { exact: true })).toHaveValue("#7a1fa2");
  const logo = preview.locator('img[src^="/oauth/logo/"]');
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await look(page, "iframe");
  await expect(chosen).toHaveAttribute("src", /^\/oauth\/logo\//);
  await page.getByLabel("Remove the logo").check();
  await expect(preview.getByText("Acme Social").first()).toBeVisible();
  await expect(logo).toHaveCount(0);
  await page.getByLabel("Language").selectOption("");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved. The next connect page shows it.")).toBeVisible();
  await expect(page.getByLabel("Remove the logo")).toBeHidden();
});

test("the interstitial and the hold for new accounts can be switched on and off", async ({ page }) => {
  await signIn(page, product, member, at("/settings"));
  await look(page);
  const [asks, holds] = [page.getByLabel("Ask before connecting"), page.getByLabel("Hold new accounts")];
  await asks.check();
  await holds.check();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(asks).toBeChecked();
  await expect(holds).toBeChecked();
  await look(page);
  await page.goto(product.url + at("/rehearsal"));
  await page.getByLabel("Your redirectUri").fill(BACK);
  await page.getByRole("button", { name: "Rehearse: A new link" }).click();
  await page.getByRole("button", { name: /^Continue to / }).click();
  await allow(page, newName("s"));
  await expect(page.getByText(`GET ${BACK}`)).toBeVisible();
  await page.goto(product.url + at("/settings"));
  await asks.uncheck();
  await holds.uncheck();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(asks).not.toBeChecked();
});

const BACK = "com.acme.app:/done?x=%7e";

const ENDS = [
  ["The link has expired", "This link has expired"],
  ["The account belongs to another user", "This account is connected elsewhere"],
] as const;
const OTHER_ENDS = [
  ["The link was opened in another browser", "Open the link again in this browser"],
  ["The link was used before", "This link has expired"],
  ["The user is suspended", "Connecting is switched off here"],
] as const;
const OUTCOMES = ["the token endpoint answers with an error"];
const OTHER_OUTCOMES = ["reading the profile fails"];

test("a successful rehearsal shows the request that the partner's address would have received; that of a problem shows the page that a user would see, and a failure of the network is in the trace", async ({
  page,
}) => {
  await signIn(page, product, member, at("/rehearsal"));
  await look(page);
  await page.getByLabel("Your redirectUri").fill(BACK);
  await page.getByRole("button", { name: "Rehearse: A new link" }).click();
  await allow(page, newName("g"));
  await expect(page.getByText(`GET ${BACK}`)).toBeVisible();
  await look(page);
  await page.goto(product.url + at("/rehearsal"));
  await rehearse(page, ENDS, OUTCOMES);
});

test("every other problem can be rehearsed", { tag: "@long" }, async ({ page }) => {
  await signIn(page, product, member, at("/rehearsal"));
  await rehearse(page, OTHER_ENDS, OTHER_OUTCOMES);
});

type Ends = readonly (readonly [title: string, heading: string])[];

/** Rehearses problems of a link and failures of the network. */
async function rehearse(page: Page, ends: Ends, outcomes: string[]): Promise<void> {
  const begin = async (title: string) => {
    await page.getByLabel("Your redirectUri").fill(BACK);
    await page.getByRole("combobox", { name: "Network" }).selectOption("INSTAGRAM");
    await page.getByRole("button", { name: `Rehearse: ${title}` }).click();
  };
  for (const [title, heading] of ends) {
    const taken = await page
      .locator("code")
      .filter({ hasText: /^r[0-9a-f]{10}$/ })
      .textContent();
    await begin(title);
    const consent = page.getByLabel("or another name");
    const end = page.getByRole("heading", { name: heading });
    await expect(consent.or(end), title).toBeVisible();
    if (await consent.isVisible()) await allow(page, title.includes("belongs") ? (taken ?? "") : newName("h"));
    await expect(end, title).toBeVisible();
    await page.goto(product.url + at("/rehearsal"));
  }
  for (const outcome of outcomes) {
    await begin("A new link");
    await page.getByLabel("To try out a failure").selectOption(outcome);
    await allow(page, newName("h"));
    await expect(page.getByRole("heading", { name: "Instagram did not answer as expected" }), outcome).toBeVisible();
    await page.goto(product.url + at("/rehearsal"));
    await expect(page.getByRole("group").filter({ hasText: "Instagram" }).first(), outcome).toContainText("network");
  }
}

test("the test users of a rehearsal are ordinary users, and no fault stays armed", async () => {
  const headers = await partnerHeaders({ carillon: product.url, ...partner, externalUserId: "customer 7" });
  const listed = await fetch(`${product.url}/v1/connect/users`, { headers: { authorization: headers.authorization } });
  const { items } = await listed.json();
  const names = items
    .filter(({ uuid }: { uuid: string }) => uuid !== endUser)
    .map(({ name }: { name: string }) => name);
  expect(names.every((name: string) => name.startsWith("Rehearsal"))).toBe(true);
  expect(await (await fetch(`${product.sandboxUrl}/_control/faults`)).json()).toEqual([]);
});

/** Every page below /console, read from the folders. */
const FOLDER = join(root, "app/(dashboard)/console");
const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" });
const pages = files.filter((file) => file.endsWith("page.tsx")).map((file) => `/${file.replace(/\/?page\.tsx$/, "")}`);
const ACTIONS = ["rotate", "end-old", "suspend", "resume", "branding", "settings", "rehearse", "no-such-thing"];

test("every page and change of another partner returns the same 404 as an unknown one, for every kind of person", async ({
  playwright,
}) => {
  expect(pages.length).toBeGreaterThan(6);
  const absent = { clientId: "q3J0Vw1mB2xZ8sT6yK4nRg", clientSecret: "" };
  const pathsOf = ({ clientId }: Partner) => [
    ...pages
      .filter((path) => path.includes("[client]"))
      .map((path) => `/console${path}`.replace("[client]", clientId).replace("[uuid]", endUser).replace(/\/$/, "")),
    `/console/${clientId}/preview`,
  ];
  const changesOf = ({ clientId }: Partner) => ACTIONS.map((action) => `/console/${clientId}/do/${action}`);
  /** A person without a browser. */
  const newVisitor = async () => {
    const request = await playwright.request.newContext();
    return {
      request,
      get: async (path: string) => {
        const answer = await request.get(product.url + path, { maxRedirects: 0 });
        return [path, answer.status(), /Acme|Globex/.test(await answer.text())];
      },
      post: async (path: string, origin = product.url) => {
        const answer = await request.post(product.url + path, {
          headers: { origin },
          form: { name: "x" },
          maxRedirects: 0,
        });
        return [path, answer.status()];
      },
    };
  };

  // Signed out: every page redirects to sign-in, and no change is possible.
  const nobody = await newVisitor();
  for (const path of [...pathsOf(partner), at("", absent)].filter((one) => !one.endsWith("/preview"))) {
    expect(await nobody.get(path)).toEqual([path, 307, false]);
  }
  for (const path of [...changesOf(partner), "/console/new"]) expect(await nobody.post(path)).toEqual([path, 404]);

  // A person who is not a member of any partner.
  const stranger = await newVisitor();
  await signUp(stranger, product);
  for (const path of ["/console", ...pathsOf(partner), at("", absent)]) {
    expect(await stranger.get(path)).toEqual([path, 404, false]);
  }
  for (const path of [...changesOf(partner), at("/do/rotate", absent), "/console/new"]) {
    expect(await stranger.post(path)).toEqual([path, 404]);
  }
  const home = await (await stranger.request.get(product.url)).text();
  expect([/href="\/accounts"/.test(home), /href="\/console"/.test(home)]).toEqual([true, false]);

  // A member sees only their own partner. The tests above open all of its pages.
  const insider = await newVisitor();
  await signInUnseen(insider, product, member);
  expect(/href="\/console"/.test(await (await insider.request.get(product.url)).text())).toBe(true);
  expect((await insider.get(at()))[1]).toBe(200);
  for (const path of [...pathsOf(foreign), at("", absent)]) expect(await insider.get(path)).toEqual([path, 404, false]);
  for (const path of [...changesOf(foreign), at("/do/rotate", absent), "/console/new", at("/do/no-such-thing")]) {
    expect(await insider.post(path)).toEqual([path, 404]);
  }
  expect(await insider.post(at("/do/resume"))).toEqual([at("/do/resume"), 403]); // only staff can end a suspension
  // A form on another site.
  for (const path of changesOf(partner)) expect(await insider.post(path, "https://evil.example")).toEqual([path, 404]);
  // An end user of another partner under the own partner's path.
  const theirs = at(`/users/${(await provision(foreign, "their customer")).uuid}`);
  expect(await insider.get(theirs)).toEqual([theirs, 404, false]);

  // Staff sees all partners, but no unknown one.
  const operator = await newVisitor();
  await signInUnseen(operator, product, staff);
  for (const path of [at(), at("", foreign)]) expect((await operator.get(path))[1]).toBe(200);
  for (const path of pathsOf(absent)) expect(await operator.get(path)).toEqual([path, 404, false]);
  expect(await tokenStatus(foreign.clientSecret, foreign)).toBe(200);
  for (const { request } of [nobody, stranger, insider, operator]) await request.dispose();
});
