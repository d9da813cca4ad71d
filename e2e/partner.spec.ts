import { expect, type JSHandle, type Locator, type Page } from "playwright/test";
import type * as Connect from "../packages/connect/src";
import { DEEP_LINK, type Partner, partnerHeaders, startPartner } from "./partner/sample";
import type { Product } from "./setup/product";
import { test } from "./setup/test";

let product: Product;
let partner: Partner;
let options: { carillon: string; clientId: string; clientSecret: string; externalUserId: string };

test.beforeAll(async ({ product: shared }) => {
  product = shared;
  const credentials = (await product.carillon("partners", "create", "--name", "Acme")) as {
    clientId: string;
    clientSecret: string;
  };
  options = { carillon: product.url, ...credentials, externalUserId: "user 42" };
  partner = await startPartner(options);
});

test.afterAll(async () => {
  await partner?.close();
});

const isPhone = () => test.info().project.name === "phone";

/** Presses the partner's button and returns the page that continues: a popup, or the page itself on a phone. */
async function begin(page: Page): Promise<Page> {
  await page.goto(partner.url);
  const button = page.getByRole("button", { name: "Connect X", exact: true });
  if (isPhone()) {
    await button.click();
    return page;
  }
  const [popup] = await Promise.all([page.waitForEvent("popup"), button.click()]);
  return popup;
}

/** Presses what leads back to the partner, checks the address, and continues there: the popup closes, or a phone goes on. */
async function returnBy(pressed: Locator, page: Page): Promise<void> {
  const network = pressed.page();
  const returned = network.waitForRequest((request) => request.url().startsWith(`${partner.url}/connected`));
  const closed = isPhone() ? undefined : network.waitForEvent("close");
  await pressed.click();
  // Byte for byte, nothing appended (SPEC, "Partner (connect) endpoints", rule 4).
  expect((await returned).url()).toBe(`${partner.url}/connected?from=carillon&keep=%2Fas%20is`);
  if (isPhone()) await page.getByRole("link", { name: "Go on" }).click();
  await closed;
}

/** Goes back from the page that says why nothing was connected. As after a success, the partner asks the API what is connected. */
async function goBack(network: Page, page: Page): Promise<void> {
  await returnBy(network.getByRole("link", { name: "Back to Acme" }), page);
  await expect(page.getByRole("status")).toHaveText("You are back, and nothing is connected");
}

test("a partner's user connects in a popup, or in the same page on a phone, and the partner posts for that user", {
  tag: "@phone",
}, async ({ page }) => {
  const person = `b${Date.now().toString(36)}`;
  const network = await begin(page);
  await network.getByLabel("or another name").fill(person);
  await returnBy(network.getByRole("button", { name: "Allow" }), page);
  await expect(page.getByRole("status")).toHaveText("Connected");

  const headers = { ...(await partnerHeaders(options)), "content-type": "application/json" };
  const accounts = await (await fetch(`${product.url}/v1/accounts`, { headers })).json();
  const mine = accounts.find((account: { accountUsername: string }) => account.accountUsername === person);
  expect(mine).toMatchObject({ platform: "X_TWITTER" });

  const text = `A partner's post at ${Date.now()}`;
  const created = await fetch(`${product.url}/v1/posts`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      platform: "X_TWITTER",
      accountId: mine.id,
      content: text,
      scheduledTime: new Date().toISOString(),
    }),
  });
  expect(created.status).toBe(201);
  const { id } = await created.json();
  const read = async () => (await (await fetch(`${product.url}/v1/posts/${id}`, { headers })).json()).overallStatus;
  await expect.poll(read).toBe("COMPLETED");
  const ledger = await (await fetch(`${product.sandboxUrl}/_control/posts?network=x`)).json();
  const held = ledger.filter((post: { account: string }) => post.account === person);
  expect(held.map((post: { text: string }) => post.text)).toEqual([text]);
});

test("if the popup is closed early, the partner's page says that nothing is connected", async ({ page }) => {
  const { externalUserId } = options;
  options.externalUserId = "nobody yet";
  const network = await begin(page);
  await expect(network.getByRole("button", { name: "Allow" })).toBeVisible();
  await network.close();
  await expect(page.getByRole("status")).toHaveText("The window was closed, and nothing is connected");
  options.externalUserId = externalUserId;
});

test("a person who denies goes back from the popup, or from the same page on a phone, and the partner can finish", {
  tag: "@phone",
}, async ({ page }) => {
  const { externalUserId } = options;
  options.externalUserId = `denies ${Date.now()}`;
  const network = await begin(page);
  await network.getByRole("button", { name: "Deny" }).click();
  await expect(network.getByRole("heading", { name: "X was not connected" })).toBeVisible();
  await goBack(network, page);
  options.externalUserId = externalUserId;
});

test("a person whose connect fails goes back the same way", { tag: "@phone" }, async ({ page }) => {
  const { externalUserId } = options;
  const email = `elsewhere-${Date.now()}@example.com`;
  const person = `e${Date.now().toString(36)}`;
  await product.carillon("users", "create", "--email", email, "--password", "a long password");
  const theirs = ["--user", email, "--platform", "X_TWITTER", "--person", person];
  await product.carillon("accounts", "connect-sandbox", ...theirs);

  options.externalUserId = `fails ${Date.now()}`;
  const network = await begin(page);
  await network.getByLabel("or another name").fill(person);
  await network.getByRole("button", { name: "Allow" }).click();
  await expect(network.getByRole("heading", { name: "This account is connected elsewhere" })).toBeVisible();
  await goBack(network, page);
  options.externalUserId = externalUserId;
});

test("a deep link is opened byte for byte and the account is connected", async ({ page }) => {
  const person = `d${Date.now().toString(36)}`;
  await page.goto(partner.url);
  await page.getByRole("button", { name: "Connect X in the app" }).click();
  await page.getByLabel("or another name").fill(person);
  // The debugger's events show what the browser is asked to do: the redirect and the navigation that follows it.
  const asked: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ request, redirectResponse }) => {
    if (redirectResponse) asked.push(request.url);
  });
  const sentOn = page.waitForResponse((answer) => answer.url().includes("/oauth/connect/callback/x"));
  await page.getByRole("button", { name: "Allow" }).click();
  expect((await sentOn).headers().location).toBe(DEEP_LINK);
  await expect.poll(() => asked).toContain(DEEP_LINK);
  const headers = await partnerHeaders(options);
  const accounts = await (await fetch(`${product.url}/v1/accounts`, { headers })).json();
  expect(accounts).toContainEqual(expect.objectContaining({ platform: "X_TWITTER", accountUsername: person }));
});

test("a person who declines sees why in the partner's name, and can start again; all without script", async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const address = await (await fetch(`${partner.url}/connect-url?platform=INSTAGRAM`)).json();
  await page.goto(address);
  await page.getByRole("button", { name: "Deny" }).click();
  await expect(page.getByRole("heading", { name: "Instagram was not connected" })).toBeVisible();
  await expect(page.getByText("If you ask Acme for help, quote this code:")).toBeVisible();
  await page.getByRole("link", { name: "Start again" }).click();
  await page.getByRole("radio", { name: "carol" }).check();
  // Read from the request, because the browser's own address keeps Instagram's "#_" over redirects.
  const returned = page.waitForRequest((request) => request.url().startsWith(`${partner.url}/connected`));
  await page.getByRole("button", { name: "Allow" }).click();
  expect((await returned).url()).toBe(`${partner.url}/connected?from=carillon&keep=%2Fas%20is`);
  await context.close();
});

test("a person who declines a connect that an app started goes back to the app's deep link, byte for byte", async ({
  page,
}) => {
  await page.goto(partner.url);
  await page.getByRole("button", { name: "Connect X in the app" }).click();
  await page.getByRole("button", { name: "Deny" }).click();
  const back = page.getByRole("link", { name: "Back to Acme" });
  const asked: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send("Page.enable");
  session.on("Page.frameRequestedNavigation", ({ url }) => asked.push(url));
  await back.click();
  await expect.poll(() => asked).toContain(DEEP_LINK);
});

test("a changed link shows an error page and connects nothing", async ({ page }) => {
  const address: string = await (await fetch(`${partner.url}/connect-url?platform=X_TWITTER`)).json();
  const changed = `${address.slice(0, -3)}AAA`;
  expect((await page.goto(changed))?.status()).toBe(410);
  await expect(page.getByRole("heading", { name: "This link has expired" })).toBeVisible();
});

/** `@carillon/connect` as the partner's page imports it. */
async function connectIn(page: Page): Promise<JSHandle<typeof Connect>> {
  await page.goto(partner.url);
  return page.evaluateHandle('import("/connect.js")') as Promise<JSHandle<typeof Connect>>;
}

test("an app opens a link outside of itself and learns of the return; each mistake is reported once", async ({
  page,
}) => {
  const connect = await connectIn(page);
  const said = await connect.evaluate(async ({ finishConnect, openConnect }) => {
    const LINK = "https://carillon.example.com/oauth/connect?state=1";
    const later = () => new Promise((resolve) => setTimeout(resolve));
    const tries: [name: string, ...said: unknown[]][] = [];
    async function attempt(name: string, options: Partial<Connect.ConnectOptions>, isCancelled = false) {
      const said: unknown[] = [];
      const opened = openConnect({
        url: async () => LINK,
        open: (url) => said.push(`opened ${url}`),
        onDone: () => said.push("done"),
        onCancel: () => said.push("cancelled"),
        onError: ({ message }) => said.push(message),
        ...options,
      });
      if (isCancelled) opened.cancel();
      await later();
      said.push(finishConnect(), finishConnect());
      await later();
      tries.push([name, ...said]);
    }
    await attempt("a link that is fetched", {});
    await attempt("a link", { url: LINK, mode: "deepLink" });
    await attempt("cancelled", {}, true);
    await attempt("no link", { url: "javascript:alert(1)" });
    await attempt("no answer", { url: () => Promise.reject(new Error("The backend does not answer")) });
    await attempt("no open", { mode: "deepLink", open: undefined });
    await attempt("open fails", { open: () => Promise.reject(new Error("There is no browser")) });
    return tries;
  });
  const opened = "opened https://carillon.example.com/oauth/connect?state=1";
  expect(said).toEqual([
    ["a link that is fetched", opened, "done", "deepLink", undefined],
    ["a link", opened, "done", "deepLink", undefined],
    ["cancelled", undefined, undefined],
    ["no link", "the connect link must be an http(s) address", undefined, undefined],
    ["no answer", "The backend does not answer", undefined, undefined],
    ["no open", "the mode deepLink needs `open`", undefined, undefined],
    ["open fails", "There is no browser", undefined, undefined],
  ]);
});

/** Opens a link in a window, and records what is reported. */
const openIn = (connect: JSHandle<typeof Connect>, links: string[]) =>
  connect.evaluate(({ openConnect }, urls) => {
    const page = window as unknown as { told?: string[] };
    page.told ??= [];
    const { told } = page;
    for (const url of urls)
      openConnect({
        ...{ url, mode: "popup", onDone: () => told.push("done"), onCancel: () => told.push("cancelled") },
        onError: ({ message }) => told.push(message),
      });
  }, links);
const toldIn = (page: Page) => page.evaluate(() => (window as unknown as { told: string[] }).told);

test("each window is reported once, also if it was closed before, and after two calls", async ({ page }) => {
  const connect = await connectIn(page);
  const elsewhere = `${partner.url.replace("localhost", "127.0.0.1")}/`; // another origin, like a network's page
  const back = `${partner.url}/connected`; // calls finishConnect
  const opened = async (...links: string[]) =>
    (await Promise.all([page.waitForEvent("popup"), openIn(connect, links)]))[0];
  const closed = await opened(elsewhere);
  await closed.waitForURL(elsewhere);
  await closed.close();
  await expect.poll(() => toldIn(page)).toEqual(["cancelled"]);
  await opened(back);
  await expect.poll(() => toldIn(page)).toContain("done");
  expect(await toldIn(page)).toEqual(["cancelled", "done"]);

  const requested: string[] = [];
  page.context().on("request", (request) => requested.push(request.url()));
  const twice = await opened(`${elsewhere}?first`, `${elsewhere}?second`);
  await twice.waitForURL(`${elsewhere}?second`);
  expect(requested).not.toContain(`${elsewhere}?first`); // two changes of address at once can crash the window
  const closing = twice.waitForEvent("close");
  await twice.goto(back).catch(() => {}); // the page may close its window before it has loaded
  await closing;
  await expect.poll(() => toldIn(page)).toHaveLength(3);
  expect(await toldIn(page)).toEqual(["cancelled", "done", "done"]);
});

test("a return in one tab leaves the window of another tab open", async ({ page }) => {
  const elsewhere = `${partner.url.replace("localhost", "127.0.0.1")}/`;
  const inTab = async (tab: Page, link: string) => {
    const connect = await connectIn(tab);
    return (await Promise.all([tab.waitForEvent("popup"), openIn(connect, [link])]))[0];
  };
  const waiting = await inTab(page, elsewhere);
  await waiting.waitForURL(elsewhere);
  const other = await page.context().newPage();
  await inTab(other, `${partner.url}/connected`); // calls finishConnect
  await expect.poll(() => toldIn(other)).toEqual(["done"]);
  await page.evaluate(() => new Promise((heard) => setTimeout(heard))); // messages that have arrived are told first
  expect([await toldIn(page), waiting.isClosed()]).toEqual([[], false]);
  await waiting.goto(`${partner.url}/connected`).catch(() => {}); // the page may close its window before it has loaded
  await expect.poll(() => toldIn(page)).toEqual(["done"]);
});

/** Returns a function that looks at the newest window once, in place of the clock, and returns what was reported until then. */
async function holdLooks(page: Page): Promise<() => Promise<string[]>> {
  const look = await page.evaluateHandle(() => {
    let newest = () => {};
    window.setInterval = ((call: () => void) => {
      newest = call;
    }) as unknown as typeof setInterval;
    return () => newest();
  });
  return () => look.evaluate((newest) => newest()).then(() => toldIn(page));
}

test("a window that is taken over on a page of the partner has not returned before it has left that page", async ({
  page,
}) => {
  const connect = await connectIn(page);
  const toldAfterLook = await holdLooks(page);
  const [popup] = await Promise.all([page.waitForEvent("popup"), openIn(connect, [`${partner.url}/`])]);
  await popup.waitForURL(`${partner.url}/`);
  await page.context().route("**/?slow", () => {}); // never answers, so the window stays where it is
  await Promise.all([popup.waitForRequest("**/?slow"), openIn(connect, [`${partner.url}/?slow`])]);
  expect(await toldAfterLook()).toEqual([]);
  await popup.close();
  await expect.poll(toldAfterLook).toEqual(["cancelled"]);
});

test("a window that returned and closed itself is not reported as closed if its message arrives later", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { set } = Object.getOwnPropertyDescriptor(BroadcastChannel.prototype, "onmessage") ?? {};
    Object.defineProperty(BroadcastChannel.prototype, "onmessage", {
      set(hear: (message: MessageEvent) => void) {
        set?.call(this, (message: MessageEvent) => Object.assign(window, { deliver: () => hear(message) }));
      },
    });
  });
  const connect = await connectIn(page);
  const toldAfterLook = await holdLooks(page);
  const [popup] = await Promise.all([page.waitForEvent("popup"), openIn(connect, [`${partner.url}/connected`])]);
  if (!popup.isClosed()) await popup.waitForEvent("close");
  await expect.poll(() => page.evaluate(() => "deliver" in window)).toBe(true);
  expect(await toldAfterLook()).toEqual([]);
  await page.evaluate(() => (window as unknown as { deliver(): void }).deliver());
  expect(await toldIn(page)).toEqual(["done"]);
});

test("a window works in a browser that blocks storage", async ({ page }) => {
  await page.context().addInitScript(() => {
    const blocked = () => {
      throw new DOMException("The operation is insecure", "SecurityError");
    };
    for (const name of ["sessionStorage", "localStorage"]) Object.defineProperty(window, name, { get: blocked });
    window.BroadcastChannel = class {
      constructor() {
        blocked();
      }
    } as unknown as typeof BroadcastChannel;
  });
  const connect = await connectIn(page);
  const [popup] = await Promise.all([page.waitForEvent("popup"), openIn(connect, [`${partner.url}/connected`])]);
  if (!popup.isClosed()) await popup.waitForEvent("close");
  expect(await toldIn(page)).toEqual(["done"]);
});

test("a window can be cancelled, and if the browser blocks it, the page itself goes to the link", async ({ page }) => {
  const connect = await connectIn(page);
  const [popup, opened] = await Promise.all([
    page.waitForEvent("popup"),
    connect.evaluateHandle(({ openConnect }) => openConnect({ url: () => new Promise(() => {}), mode: "popup" })),
  ]);
  await Promise.all([popup.waitForEvent("close"), opened.evaluate((open) => open.cancel())]);

  const link = `${partner.url}/?link`;
  await connect.evaluate(({ openConnect }, url) => {
    window.open = () => null; // as a browser answers that blocks the window
    openConnect({ url, mode: "popup" });
  }, link);
  await page.waitForURL(link);
  // The page of the link returns to one of the partner's pages, which learns that it is a return, once.
  const returned = await connectIn(page);
  expect(await returned.evaluate(({ finishConnect }) => [finishConnect(), finishConnect()])).toEqual([
    ...["redirect", undefined],
  ]);
});
