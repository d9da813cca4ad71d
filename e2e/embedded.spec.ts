import AxeBuilder from "@axe-core/playwright";
import { expect, type Frame, type FrameLocator, type Page, type Route } from "playwright/test";
import { createSession, type Partner, partnerHeaders, startPartner } from "./partner/sample";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { COLOUR_RULES } from "./setup/usable";
import { routeOnce } from "./setup/visitor";

// The lists of accounts and webhooks in a partner's page. The partner's site is on another host than Carillon, so that the browser treats the
// frame as one of another site, whose cookies it blocks in each of these journeys.

let product: Product;
let partner: Partner;
let options: Parameters<typeof startPartner>[0];

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  const credentials = (await product.carillon("partners", "create", "--name", "Acme")) as {
    clientId: string;
    clientSecret: string;
  };
  options = { carillon: product.url, ...credentials, externalUserId: "" };
  partner = await startPartner(options, "127.0.0.1");
});
test.afterAll(() => partner?.close());
test.beforeEach(async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  // Some versions of Chromium require all three. The types of Playwright know only the first.
  const controls = {
    enableThirdPartyCookieRestriction: true,
    disableThirdPartyCookieMetadata: true,
    disableThirdPartyCookieHeuristics: true,
  };
  await session.send("Network.setCookieControls", controls);
  options.externalUserId = `user ${Math.random()}`;
  options.session = undefined;
  options.clientTokens = undefined;
});

const listIn = (page: Page): FrameLocator => page.frameLocator("carillon-connect iframe");

function frameIn(page: Page): Frame {
  const frame = page.frames()[1];
  if (!frame) throw new Error("the page shows no frame");
  return frame;
}

/** Returns a function that returns every cookie that the page's frame has sent to Carillon or received from it. */
function recordCookies(page: Page): () => Promise<unknown[]> {
  const headers: Promise<(string | null)[]>[] = [];
  page.on("response", (response) => {
    if (new URL(response.url()).origin !== product.url) return;
    headers.push(Promise.all([response.request().headerValue("cookie"), response.headerValue("set-cookie")]));
  });
  return async () => {
    expect(headers.length).toBeGreaterThan(3);
    return (await Promise.all(headers)).flat().filter((cookie) => cookie !== null);
  };
}

/** Records the events of the list, which reach the window of the partner's page. */
async function recordEvents(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    for (const name of ["connected", "cancelled", "ended", "error"])
      addEventListener(`carillon-${name}`, () => seen.push(name));
  });
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen);
}

/** Presses the button of a network, and returns its window once it shows the network's page. */
async function openedFrom(page: Page, network: string): Promise<Page> {
  const button = listIn(page).getByRole("button", { name: network, exact: true });
  const [popup] = await Promise.all([page.waitForEvent("popup"), button.click()]);
  await popup.getByLabel("or another name").waitFor();
  return popup;
}

/** Whether a page can set a cookie and read it again. */
function keepsCookie(frame: Frame): Promise<boolean> {
  return frame.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the scripts of many sites do it
    document.cookie = "kept=yes; SameSite=None; Secure";
    return document.cookie.includes("kept=yes");
  });
}

/** The frame never scrolls, and axe finds nothing, at three widths and in both themes. Colours do not depend on the width. */
async function expectFitAndAccessible(page: Page): Promise<void> {
  const frame = frameIn(page);
  const axe = () => new AxeBuilder({ page }).include({ fromFrames: ["iframe", "html"] });
  for (const width of [1280, 768, 320]) {
    await page.setViewportSize({ width, height: 740 });
    const [content, room] = await frame.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    expect(content, `${width} pixels wide`).toBeLessThanOrEqual(room ?? 0);
    // The frame is as high as its content.
    await expect
      .poll(() => frame.evaluate(() => document.documentElement.scrollHeight - innerHeight))
      .toBeLessThanOrEqual(0);
    expect((await axe().analyze()).violations, `${width} pixels wide`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  expect((await axe().withRules(COLOUR_RULES).analyze()).violations, "dark").toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

test("a person connects an account from the list in the partner's page, and the frame needs no cookies", async ({
  page,
}) => {
  await page.addInitScript(() => Reflect.deleteProperty(URL, "canParse")); // as in older browsers
  const cookies = recordCookies(page);
  const person = `m${Date.now().toString(36)}`;
  await page.goto(`${partner.url}/embedded`);
  const list = listIn(page);
  await expect(list.getByText("No account is connected yet.")).toBeVisible();
  expect([await keepsCookie(page.mainFrame()), await keepsCookie(frameIn(page))]).toEqual([true, false]);
  await expect(page.getByRole("status")).toHaveText("Shown");
  await expect(list.getByRole("button")).toHaveText([
    ...["Instagram", "Facebook", "YouTube", "TikTok", "X", "LinkedIn", "Threads"],
  ]);

  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    list.getByRole("button", { name: "X", exact: true }).click(),
  ]);
  await expect(list.getByRole("status")).toHaveText("Continue in the new window to connect X.");
  await popup.getByLabel("or another name").fill(person);
  await Promise.all([popup.waitForEvent("close"), popup.getByRole("button", { name: "Allow" }).click()]);
  await expect(list.getByRole("status")).toHaveText(`@${person} on X is connected.`);
  await expect(list.getByRole("listitem").first()).toContainText(`X · @${person}`);
  await expect(page.getByRole("status").last()).toHaveText(`Connected ${person}`);
  await expectFitAndAccessible(page);

  const headers = await partnerHeaders(options);
  const accounts = await (await fetch(`${product.url}/v1/accounts`, { headers })).json();
  expect(accounts).toEqual([expect.objectContaining({ platform: "X_TWITTER", accountUsername: person })]);
  expect(await cookies()).toEqual([]);
});

test("if the person refuses, the list and the partner's page learn why", { tag: "@long" }, async ({ page }) => {
  await page.goto(`${partner.url}/embedded`);
  const list = listIn(page);
  const [popup] = await Promise.all([
    page.waitForEvent("popup"),
    list.getByRole("button", { name: "X", exact: true }).click(),
  ]);
  await popup.getByRole("button", { name: "Deny" }).click();
  await expect(list.getByRole("status")).toHaveText(/^X was not connected \([A-Z0-9-]+\)$/);
  await popup.getByRole("link", { name: "Back to Acme" }).click();
  await expect(page.getByRole("status").last()).toHaveText(/^Cancelled: X was not connected/);
  await expectFitAndAccessible(page);
});

test("the partner's page gets one event for a window that the person closes, and one for an account after two clicks", async ({
  page,
}) => {
  const events = await recordEvents(page);
  const person = `d${Date.now().toString(36)}`;
  await page.goto(`${partner.url}/embedded`);
  await (await openedFrom(page, "X")).close();
  await expect(page.getByRole("status").last()).toHaveText(/^Cancelled: The window for X was closed before the end/);

  const popups: Page[] = [];
  page.on("popup", (popup) => popups.push(popup));
  const asked: Route[] = [];
  await page.route(/\/links$/, async (route) => {
    asked.push(route);
    if (asked.length === 2) for (const one of asked) await one.continue(); // so that the second click finds the first under way
  });
  const button = listIn(page).getByRole("button", { name: "X", exact: true });
  await button.evaluate((one: HTMLElement) => {
    one.click();
    one.click();
  });
  const open = () => popups.filter((popup) => !popup.isClosed() && popup.url().startsWith("http"));
  await expect.poll(() => [popups.length, open().length]).toEqual([2, 1]);
  await open()[0]?.getByLabel("or another name").fill(person);
  await open()[0]?.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("status").last()).toHaveText(`Connected ${person}`);
  expect(await events()).toEqual(["cancelled", "connected"]);
});

test("the page gets the event of an account even if the session ended while its window was open, and none if the list could not be read", async ({
  page,
}) => {
  const events = await recordEvents(page);
  const person = `s${Date.now().toString(36)}`;
  await page.goto(`${partner.url}/embedded`);
  const popup = await openedFrom(page, "X");
  await popup.getByLabel("or another name").fill(person);
  const opened = page.waitForResponse((response) => response.url().endsWith("/open"));
  const ended = { status: 401, json: { error: "This session has ended" } };
  await routeOnce(page, /\/accounts\?ticket=/, (route) => route.fulfill(ended));
  await opened; // the list of the next session
  await popup.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("status").last()).toHaveText(`Connected ${person}`);
  await expect(listIn(page).getByRole("listitem").first()).toContainText(`X · @${person}`);

  await routeOnce(page, /\/embed\/connect\/[^/]+\/accounts$/, (route) => route.abort());
  await (await openedFrom(page, "Threads")).close();
  await expect(page.getByRole("status").last()).toHaveText(/^Cancelled: The window for Threads was closed/);
  expect(await events()).toEqual(["connected", "cancelled"]);
});

test("the page gets the event of an account even if the list begins again while its window is open", async ({
  page,
}) => {
  const events = await recordEvents(page);
  const element = page.locator("carillon-connect");
  const again: [string, () => Promise<unknown>][] = [
    ["moved", () => element.evaluate((one) => document.body.prepend(one))],
    ["renewed", () => element.evaluate((one) => one.setAttribute("src", `${one.getAttribute("src")}/`))],
    [
      "ended",
      async () => {
        const ended = { status: 401, json: { error: "This session has ended" } };
        await routeOnce(page, /\/accounts\?ticket=/, (route) => route.fulfill(ended));
        await expect(page.getByRole("status").last()).toHaveText("Ended");
        const { clientToken } = await createSession(options, partner.url);
        await element.evaluate((one, token) => one.setAttribute("client-token", token), clientToken);
      },
    ],
  ];
  for (const [how, beginAgain] of again) {
    const person = `${how}${Date.now().toString(36)}`;
    const { clientToken } = await createSession(options, partner.url);
    await page.goto(`${partner.url}/embedded${how === "ended" ? `?token=${clientToken}` : ""}`);
    const popup = await openedFrom(page, "X");
    await expect(listIn(page).getByRole("status")).toHaveText("Continue in the new window to connect X.");
    const opened = page.waitForResponse((response) => response.url().endsWith("/open"));
    await beginAgain();
    await opened;
    await popup.getByLabel("or another name").fill(person);
    await popup.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByRole("status").last(), how).toHaveText(`Connected ${person}`);
    expect(await events()).toEqual(how === "ended" ? ["ended", "connected"] : ["connected"]);
  }
});

test("a function that is set again, as frameworks do, leaves the list and its window as they are", async ({ page }) => {
  const person = `f${Date.now().toString(36)}`;
  await page.goto(`${partner.url}/embedded`);
  const popup = await openedFrom(page, "X");
  const frame = await page.locator("iframe").elementHandle();
  const { clientToken } = await createSession(options, partner.url);
  const tokens = page.locator("carillon-connect");
  await tokens.evaluate((one, token) => Object.assign(one, { fetchClientToken: async () => token }), clientToken);
  await popup.getByLabel("or another name").fill(person);
  await popup.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("status").last()).toHaveText(`Connected ${person}`);
  expect(await frame?.evaluate((one) => one.isConnected)).toBe(true);

  // When the session has ended, the new function is called.
  const ended = { status: 401, json: { error: "This session has ended" } };
  await routeOnce(page, /\/links$/, (route) => route.fulfill(ended));
  const opened = page.waitForRequest((request) => request.url().endsWith("/open"));
  await listIn(page).getByRole("button", { name: "Threads" }).click();
  expect((await opened).postDataJSON()).toMatchObject({ clientToken });
});

test("a function that was set before the script was loaded is used", async ({ page }) => {
  await page.goto(partner.url);
  await page.evaluate(async (src) => {
    const list = Object.assign(document.createElement("carillon-connect"), {
      fetchClientToken: async () => (await (await fetch("/session")).json()).clientToken,
    });
    list.setAttribute("src", src);
    document.body.append(list);
    await import(`${location.origin}/element.js`);
  }, product.url);
  await expect(listIn(page).getByText("No account is connected yet.")).toBeVisible();
});

test("a service that takes long to open the session is not reported as a wrong set-up", async ({ page }) => {
  const events = await recordEvents(page);
  await page.clock.install();
  let open = () => {};
  const isOpening = new Promise<void>((resolve) => {
    void page.route(/\/embed\/connect\/[^/]+\/open$/, async (route) => {
      open = () => void route.continue();
      resolve();
    });
  });
  await page.goto(`${partner.url}/embedded`);
  await isOpening;
  await page.clock.fastForward("00:15");
  open();
  await expect(page.getByRole("status").last()).toHaveText("Shown");
  expect(await events()).toEqual([]);
});

test("too many requests and a problem of the service end nothing: the list tries again, and so can the person", async ({
  page,
}) => {
  const events = await recordEvents(page);
  const person = `m${Date.now().toString(36)}`;
  const message = "Too many requests. Try again in 1 seconds";
  const tooMany = { status: 429, headers: { "retry-after": "1" }, json: { message } };
  await routeOnce(page, /\/embed\/connect\/[^/]+\/open$/, (route) => route.fulfill(tooMany));
  await page.goto(`${partner.url}/embedded`);
  const list = listIn(page);
  await expect(list.getByRole("button", { name: "X", exact: true })).toBeVisible();
  await expect(list.getByRole("status")).toBeHidden();

  await routeOnce(page, /\/links$/, (route) => route.fulfill(tooMany));
  const button = list.getByRole("button", { name: "X", exact: true });
  const [popup] = await Promise.all([page.waitForEvent("popup"), button.click()]);
  await expect(list.getByRole("status")).toHaveText(message);
  await expect(page.getByRole("status").last()).toHaveText(`Cancelled: ${message}`);
  await expect.poll(() => popup.isClosed()).toBe(true);

  const down = { status: 503, json: { message: "The database does not answer. Try again later" } };
  const looked = page.waitForResponse((response) => response.status() === 503);
  await routeOnce(page, /\/accounts\?ticket=/, (route) => route.fulfill(down));
  const next = await openedFrom(page, "X");
  await looked;
  await next.getByLabel("or another name").fill(person);
  await next.getByRole("button", { name: "Allow" }).click();
  await expect(page.getByRole("status").last()).toHaveText(`Connected ${person}`);
  expect(await events()).toEqual(["cancelled", "connected"]);
});

test("a list whose page is refused because of too many requests says so, loads itself again and takes the same token", async ({
  page,
}) => {
  const events = await recordEvents(page);
  const refusal = "Too many requests: at most 1 a minute. Try again in 1 s";
  const { clientToken } = await createSession(options, partner.url);
  let letIn = () => {};
  const isSeen = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  let asked = 0;
  await page.route(/\/embed\/connect\/[^/]+$/, async (route) => {
    asked += 1;
    if (asked > 1) {
      await isSeen;
      return route.continue();
    }
    // As lib/api/limit.test.ts shows it.
    const response = await route.fetch();
    const body = (await response.text())
      .replace("&quot;hasEnded&quot;:false", "$&,&quot;afterSeconds&quot;:1")
      .replace('<p class="notice" role="status" hidden>', `<p class="notice wrong" role="status">${refusal}`);
    return route.fulfill({ response, status: 429, body });
  });
  await page.goto(`${partner.url}/embedded?token=${clientToken}`);
  await expect(listIn(page).getByRole("status")).toHaveText(refusal);
  await expect(page.locator("iframe")).not.toHaveCSS("height", "0px");
  letIn();
  await expect(listIn(page).getByRole("button", { name: "X", exact: true })).toBeVisible();
  await expect(page.getByRole("status").last()).toHaveText("Shown");
  expect([asked, await events()]).toEqual([2, []]);
});

test("the list fits every width, follows the partner's look, and passes axe in both themes", async ({ page }) => {
  options.session = { networks: ["X_TWITTER", "LINKEDIN"], appearance: { accent: "#7a1fa2", cornerRadius: 2 } };
  await page.goto(`${partner.url}/embedded`);
  const list = listIn(page);
  await expect(list.getByRole("button")).toHaveText(["X", "LinkedIn"]);
  await expectFitAndAccessible(page);
  const button = list.getByRole("button", { name: "LinkedIn" });
  await expect(button).toHaveCSS("border-radius", "2px");
});

test("a person adds, tests, changes and deletes a webhook in the partner's page, at every width and in both themes", async ({
  page,
}) => {
  const cookies = recordCookies(page);
  options.session = { shows: "webhooks", appearance: { accent: "#7a1fa2" } };
  await page.goto(`${partner.url}/embedded?list=carillon-webhooks`);
  const list = page.frameLocator("carillon-webhooks iframe");
  const says = list.getByRole("status");
  const row = list.getByRole("listitem").filter({ hasText: "hooks.acme.example" });
  await expect(list.getByText("There are no webhooks yet.")).toBeVisible();

  await list.getByRole("button", { name: "Add the webhook" }).click();
  await expect(says).toHaveText("Enter the address.");
  await list.getByLabel("Address").fill("https://192.0.2.1/hook");
  await list.getByRole("button", { name: "Add the webhook" }).click();
  await expect(says).toHaveText("url does not lead to a public address");
  // A name that does not resolve: nothing can be delivered, and the list says why.
  await list.getByLabel("Address").fill("https://hooks.acme.example/carillon");
  await list.getByText("All events").click();
  await list.getByLabel("post.deleted").uncheck();
  await list.getByRole("button", { name: "Add the webhook" }).click();
  await expect(says).toHaveText("The webhook was added.");
  await expect(page.getByRole("status").last()).toHaveText("Changed");
  await expect(row.getByText(/^whsec_/)).toBeVisible();
  await expect(row).toContainText("On · 15 of 16 events");

  await row.getByRole("button", { name: "Send a test" }).click();
  const delivery = row.getByRole("listitem").filter({ hasText: "webhook.test" });
  await expect(delivery).toContainText("Failed", { timeout: 60_000 });
  await delivery.getByText("webhook.test").first().click();
  await expect(delivery.getByText(/: The name of the server could not be resolved$/)).toBeVisible();
  await expect(delivery.getByText('"type": "webhook.test"')).toBeVisible();
  await row.getByRole("button", { name: "New secret" }).click();
  await expectFitAndAccessible(page);
  await row.getByRole("button", { name: "New secret", exact: true }).click();
  await expect(row.getByText("Its secret, shown only once.")).toBeVisible();

  await row.getByRole("button", { name: "Switch off" }).click();
  await expect(row).toContainText("Off · 15 of 16 events");
  await row.getByRole("button", { name: "Change" }).click();
  await list.getByLabel("post.deleted").check();
  await list.getByRole("button", { name: "Save" }).click();
  await expect(row).toContainText("Off · All events");
  await row.getByRole("button", { name: "Delete" }).click();
  await row.getByRole("button", { name: "Keep" }).click();
  await row.getByRole("button", { name: "Delete" }).click();
  await row.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(says).toHaveText("The webhook was deleted.");
  await expect(list.getByText("There are no webhooks yet.")).toBeVisible();
  const left = await fetch(`${product.url}/v1/webhooks`, { headers: await partnerHeaders(options) });
  expect(await left.json()).toEqual({ items: [], nextCursor: null });
  expect(await cookies()).toEqual([]);
});

test("a list of webhooks that cannot be read does not say that there are none", async ({ page }) => {
  options.session = { shows: "webhooks" };
  await routeOnce(page, /\/v1\/webhooks\?limit/, (route) => route.abort());
  await page.goto(`${partner.url}/embedded?list=carillon-webhooks`);
  const list = page.frameLocator("carillon-webhooks iframe");
  await expect(list.getByRole("status")).toHaveText(/^Carillon did not answer/);
  await expect(list.getByText("There are no webhooks yet.")).toBeHidden();
  await expect(list.getByText("There are no webhooks yet.")).toBeVisible(); // it looks again by itself
});

test("no other page can show the list, even around an allowed page, and the partner's page says why", async ({
  page,
}) => {
  const other = await startPartner(options, "localhost");
  const { clientToken } = await createSession(options, partner.url);
  await page.clock.install();
  await page.goto(`${other.url}/embedded?token=${clientToken}`);
  await page.waitForFunction(() => document.querySelector("iframe") !== null);
  await page.clock.fastForward("00:15");
  await expect(page.getByRole("status")).toHaveText(/^Error: The list did not answer\. Check that src/);
  await expect(listIn(page).getByRole("button")).toHaveCount(0);

  // The allowed page in a frame of the other one: each page above the list must be allowed.
  await page.goto(other.url);
  await page.evaluate((address) => {
    const frame = document.createElement("iframe");
    frame.src = address;
    document.body.append(frame);
  }, `${partner.url}/embedded?token=${clientToken}`);
  const inner = page.frameLocator("body > iframe");
  const shown = async () => {
    await page.clock.fastForward("00:15");
    return inner.getByRole("status").textContent();
  };
  await expect.poll(shown).toMatch(/^Error: The list did not answer/);
  await expect(inner.frameLocator("iframe").getByRole("button")).toHaveCount(0);
  await other.close();
});

test("a token works once, and the list says so at every width and in both themes", async ({ page }) => {
  const { clientToken } = await createSession(options, partner.url);
  await page.goto(`${partner.url}/embedded?token=${clientToken}`);
  await expect(page.getByRole("status").last()).toHaveText("Shown");
  await page.goto(`${partner.url}/embedded?token=${clientToken}`);
  await expect(page.getByRole("status").last()).toHaveText("Ended");
  await expect(listIn(page).getByRole("status")).toHaveText(
    "This list can no longer be used. Load the page again to continue.",
  );
  await expect(listIn(page).getByRole("button")).toHaveCount(0);
  await expectFitAndAccessible(page);
});

test("an ended session starts again once with a new token from the partner's backend", async ({ page }) => {
  const { id, clientToken } = await createSession(options, partner.url);
  const headers = { origin: product.url };
  const body = JSON.stringify({ clientToken, origin: partner.url });
  expect((await fetch(`${product.url}/embed/connect/${id}/open`, { method: "POST", headers, body })).status).toBe(200);

  options.clientTokens = [clientToken];
  await page.goto(`${partner.url}/embedded`);
  await expect(page.getByRole("status").last()).toHaveText("Shown");
  await expect(listIn(page).getByRole("button", { name: "X", exact: true })).toBeVisible();
  expect(options.clientTokens).toEqual([]);

  // If the backend then fails, the page learns why, and that the session has ended.
  const events = await recordEvents(page);
  options.clientTokens = [clientToken];
  options.session = { networks: ["NONE"] };
  await page.goto(`${partner.url}/embedded`);
  await expect(page.getByRole("status").last()).toHaveText("Ended");
  expect(await events()).toEqual(["error", "ended"]);

  // After two used tokens the element asks for no third one, which would show the list.
  options.clientTokens = [clientToken, clientToken];
  await page.goto(`${partner.url}/embedded`);
  await expect(page.getByRole("status").last()).toHaveText("Ended");
  expect(options.clientTokens).toEqual([]);
});

test("a wrong address, a wrong token and a backend that fails each have one clear error", async ({ page }) => {
  options.session = { networks: ["NONE"] }; // the backend answers with 500
  for (const [query, error] of [
    ["src=carillon", /^Error: The attribute src must be the address of Carillon/],
    ["token=x", /^Error: The client token must be the clientToken of POST \/v1\/connect\/sessions$/],
    ["", /^Error: fetchClientToken failed: ./],
  ] as const) {
    await page.goto(`${partner.url}/embedded?${query}`);
    await expect(page.getByRole("status"), query).toHaveText(error);
  }
});

test("every other page refuses every frame", async () => {
  const { id } = await createSession(options, partner.url);
  const headersOf = async (path: string) => (await fetch(product.url + path, { redirect: "manual" })).headers;
  const list = `/embed/connect/${id}`;
  const paths = ["/", "/sign-in", "/docs", "/settings", "/console", "/nothing", "/embed", "/embed/connected"];
  for (const path of [
    ...paths,
    "/embed/connect",
    `/x${list}`,
    `${list}/accounts`,
    `${list}/x`,
    `/embed/webhooks/${id}/x`,
  ]) {
    const headers = await headersOf(path);
    expect([path, headers.get("x-frame-options"), headers.get("x-content-type-options")]).toEqual([
      ...[path, "DENY", "nosniff"],
    ]);
  }
  for (const path of [...paths, "/embed/connect/x", `/embed/webhooks/${id}`, `${list}/accounts`]) {
    const policy = (await headersOf(path)).get("content-security-policy");
    expect([path, policy]).toEqual([path, expect.stringContaining("frame-ancestors 'none'")]);
  }
  options.session = { shows: "webhooks" };
  const webhooks = await createSession(options, partner.url);
  for (const path of [list, `/embed/webhooks/${webhooks.id}`]) {
    const headers = await headersOf(path);
    expect([headers.get("x-frame-options"), headers.get("x-content-type-options")]).toEqual([null, "nosniff"]);
    expect(headers.get("content-security-policy")).toMatch(new RegExp(`frame-ancestors ${partner.url}$`));
  }
});
