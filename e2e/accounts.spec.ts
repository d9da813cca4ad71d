import { expect, type Locator, type Page, type Route } from "playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import {
  allow,
  connect,
  expectFits,
  look,
  lookAlsoOnPhone,
  newName,
  openAccounts,
  openConnect,
  routeOnce,
  signUp,
  watchLayout,
} from "./setup/visitor";

/** The app password of every person in the sandbox. */
const APP_PASSWORD = "sand-box7-pass-word";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

/** Signs up a new person and opens the accounts page. */
async function enter(page: Page): Promise<void> {
  await signUp(page, product);
  await openAccounts(page, product);
}

const connected = (page: Page) => page.getByLabel("Connected accounts");

test("Bluesky with OAuth looks up the handle first and shows an unknown one as an error next to the field", async ({
  page,
}) => {
  const person = newName("b");
  await enter(page);
  const asks = await openConnect(page, "Bluesky");
  await expect(asks.getByRole("heading", { name: "Connect Bluesky" })).toBeVisible();
  await look(asks);
  const handle = asks.getByLabel("Bluesky handle").first();
  await handle.fill("nobody.example.com");
  await asks.getByRole("button", { name: "Continue with Bluesky" }).click();
  await expect(asks.getByRole("alert")).toContainText("No Bluesky account named nobody.example.com was found");
  await expect(handle).toHaveValue("nobody.example.com");
  await look(asks);
  await expect(asks.getByText("For example alice.bsky.social").first()).toBeVisible();
  await handle.fill(`@${person}.bsky.social`); // as the hint says
  await asks.getByRole("button", { name: "Continue with Bluesky" }).click();
  await expect(asks.getByText(`be used as ${person}.bsky.social`)).toBeVisible();
  await allow(asks, person);
  await expect(connected(page).getByText(`@${person}.bsky.social`)).toBeVisible();
});

test("Bluesky with an app password explains a wrong password and never shows it again", async ({ page }) => {
  const person = newName("a");
  await enter(page);
  const asks = await openConnect(page, "Bluesky");
  const handle = asks.getByLabel("Bluesky handle").last();
  const secret = asks.getByLabel("App password");
  await handle.fill(`${person}.bsky.test`);
  await secret.fill("my main password");
  await asks.getByRole("button", { name: "Connect with app password" }).click();
  await expect(asks.getByRole("alert")).toContainText("This is not an app password");
  await expect(handle).toHaveValue(`${person}.bsky.test`);
  await expect(secret).toHaveValue("");
  expect(await asks.content()).not.toContain("my main password");
  await look(asks);
  await secret.fill(APP_PASSWORD);
  await asks.getByRole("button", { name: "Connect with app password" }).click();
  await expect(connected(page).getByText(`@${person}.bsky.test`)).toBeVisible();
  expect(product.output()).not.toContain(APP_PASSWORD);
});

test("Telegram asks before it connects, and the page notices Yes without a reload and shows channels, groups and a lost right with what to do", async ({
  page,
}) => {
  const person = newName("t");
  const name = person.replace(/^t/, "T");
  await enter(page);
  await page.getByRole("button", { name: /^(Connect )?Telegram/ }).click();
  await expect(page.getByText("Waiting for you to press Start")).toBeVisible();
  await look(page);
  const inTelegram = async (link: string, steps: (telegram: Page) => Promise<void>) => {
    const [telegram] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: link }).click()]);
    await steps(telegram);
    await expect(telegram.getByRole("heading", { name: /Done/ })).toBeVisible();
    await telegram.close();
  };
  const [chat] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: "Open Telegram" }).click(),
  ]);
  await chat.getByLabel("or another name").fill(person);
  await chat.getByRole("button", { name: "Start", exact: true }).click();
  await expect(chat.getByText(new RegExp(`^Connect @${person} to .+ at Carillon\\?`))).toBeVisible();
  await expect(page.getByText("Waiting for you to press Start")).toBeVisible();
  await chat.getByRole("button", { name: "Yes" }).click();
  await expect(chat.getByText(`Done: @${person} is connected to`)).toBeVisible();
  await expect(chat.getByRole("button")).toHaveCount(0);
  await chat.close();
  await expect(page).toHaveURL(/\/accounts\/\d+\/chats$/);
  await expect(page.getByText(`${name} (@${person}) on Telegram is connected.`)).toBeVisible();
  await inTelegram("Add to a channel", (telegram) => allow(telegram, person));
  await expect(page.getByText(`${name}'s channel (channel)`)).toBeVisible();
  await inTelegram("Add to a group", (telegram) => allow(telegram, person));
  await expect(page.getByText(`${name}'s group (group)`)).toBeVisible();
  await inTelegram("Add to a channel", async (telegram) => {
    await telegram.getByLabel("not post messages").check();
    await allow(telegram, person);
  });
  await expect(page.getByText("The bot may not post there.")).toBeVisible();
  await look(page);
  await inTelegram("Add to a channel", (telegram) => allow(telegram, person));
  await expect(page.getByText("The bot may not post there.")).toBeHidden();
  await page.getByRole("link", { name: "Back to your accounts" }).click();
  await page.getByRole("button", { name: `More for @${person} on Telegram` }).click();
  await expect(page.getByRole("link", { name: /Add a channel or group/ })).toBeVisible();
  await look(page);
});

test("Telegram reports an account that another user has connected, whose pages return 404 as for an unknown ID", {
  tag: "@long",
}, async ({ page, browser }) => {
  const person = newName("u");
  /** Returns the address of the page that waits for Telegram. */
  const begin = async (on: Page): Promise<string> => {
    await on.getByRole("button", { name: /^(Connect )?Telegram/ }).click();
    const [telegram] = await Promise.all([
      on.waitForEvent("popup"),
      on.getByRole("link", { name: "Open Telegram" }).click(),
    ]);
    const talk = on.url();
    await allow(telegram, person);
    return talk;
  };
  await enter(page);
  const talk = await begin(page);
  await expect(page).toHaveURL(/\/chats$/);
  const chats = page.url();
  const context = await browser.newContext();
  const other = await context.newPage();
  await enter(other);
  await begin(other);
  await expect(other.getByText("already used by another user of this service")).toBeVisible();
  await look(other);
  for (const url of [
    talk,
    chats,
    chats.replace("chats", "reconnect"),
    chats.replace(/accounts\/\d+/, "accounts/999999"),
  ]) {
    expect([url, (await other.goto(url))?.status()]).toEqual([url, 404]);
  }
  await context.close();
});

test("a queue takes preset and own times, reverts a refused change, and gives the composer its next free slot", async ({
  page,
}) => {
  const person = newName("q");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await openAccounts(page, product);
  await page.getByRole("button", { name: `More for @${person} on X` }).click();
  await page
    .getByRole("dialog")
    .getByRole("link", { name: `Posting times of @${person}` })
    .click();
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  const kept = page.waitForResponse((response) => response.request().method() === "PUT");
  const early = async (route: Route) => {
    const response = await route.fetch();
    await kept; // The answer from before the queue was saved arrives after it.
    await route.fulfill({ response });
  };
  await routeOnce(page, "**/slots/next**", early);
  await page.getByRole("button", { name: "Use weekdays at 09:00 and 17:00" }).press("Enter");
  const week = page.getByLabel("Weekly times");
  await expect(week.getByRole("time")).toHaveCount(10);
  await expect(page.getByRole("heading", { name: "Next free" })).toBeVisible();
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByLabel("Time", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Time", { exact: true })).toHaveAccessibleDescription("Enter a time");
  for (const day of ["Monday", "Tuesday", "Wednesday"]) await page.getByRole("checkbox", { name: day }).press("Space");
  await page.getByLabel("Time", { exact: true }).fill("12:15");
  await page.getByLabel("Time", { exact: true }).press("Enter");
  await expect(page.getByText("12:15 added on Thursday, Friday.")).toBeVisible();
  await page.getByRole("button", { name: "Remove Thursday 12:15" }).press("Enter");
  await expect(week.getByRole("time")).toHaveCount(11);
  await expect(week.getByRole("heading", { name: "Thursday" })).toBeFocused();
  await lookAlsoOnPhone(page);
  await page.route("**/slots", (route) => route.fulfill({ status: 503, json: { error: "Not just now" } }));
  await page.getByRole("button", { name: "Remove Friday 12:15" }).click();
  await expect(page.getByText("Not saved. Your change was undone. Not just now")).toBeVisible();
  await expect(week.getByRole("time")).toHaveCount(11);
  await page.unroute("**/slots");

  const [{ time }] = (await (await page.request.get(`${product.url}/v1/slots/next`)).json()).items;
  await page.goto(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: new RegExp(`@${person}`) }).check();
  await page.getByLabel("Text", { exact: true }).fill("In its turn");
  await expect(page.getByLabel("Next free time")).toBeChecked(); // the default of a person with a queue
  await expect(page.getByRole("status").filter({ hasText: "UTC" })).toBeVisible();
  await lookAlsoOnPhone(page);
  await page.getByRole("button", { name: "Schedule" }).click();
  await expect(page).toHaveURL(`${product.url}/posts`);
  const { items } = await (await page.request.get(`${product.url}/v1/posts`)).json();
  expect(items).toEqual([expect.objectContaining({ scheduledTime: time, overallStatus: "SCHEDULED" })]);

  const [next] = (await (await page.request.get(`${product.url}/v1/slots/next`)).json()).items;
  expect(next.time > time).toBe(true);
  const local = await page.evaluate((time) => {
    const at = new Date(time);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }, next.time);
  await page.goto(`${product.url}/calendar?view=week&day=${local.slice(0, 10)}`);
  const free = page.getByRole("link", { name: `free for @${person}` });
  await free.filter({ has: page.locator(`[datetime="${next.time}"]`) }).click();
  await expect(page.getByLabel("Date and time")).toHaveValue(local);
});

test("accounts are put into groups, which fold, change and are deleted, and are found by search and network", {
  tag: ["@phone", "@long"],
}, async ({ page }) => {
  const [ada, grace] = [newName("ga"), newName("gb")];
  await signUp(page, product);
  await connect(page, product, "X", ada);
  await connect(page, product, "LinkedIn", grace);
  await openAccounts(page, product);
  const listed = connected(page);
  await page.getByRole("button", { name: "New group" }).click();
  const dialog = page.getByRole("dialog");
  // What is beside the page while its scrollbar is away has the colour of the frame, not that of paper.
  const beside = await page.evaluate(() => {
    const { backgroundColor } = getComputedStyle(document.documentElement);
    const [low] = getComputedStyle(document.body)
      .getPropertyValue("--frame-low")
      .match(/#\w{6}/) ?? [""];
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(low.slice(at, at + 2), 16));
    return [backgroundColor, `rgb(${red}, ${green}, ${blue})`];
  });
  expect(beside[0]).toBe(beside[1]);
  await dialog.getByLabel("Name").fill("Copenhagen shop");
  await dialog.getByText("Coral").click();
  await dialog.getByRole("checkbox", { name: `@${ada} on X` }).check();
  await look(page);
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(dialog).toBeHidden();
  const shop = listed.getByRole("button", { name: "Copenhagen shop 1" });
  await expect(shop).toHaveAttribute("aria-expanded", "true");
  await expect(listed.getByRole("button", { name: "Not in a group 1" })).toBeVisible();
  await look(page);
  await shop.press("Enter");
  await expect(listed.getByText(`X, @${ada}`)).toBeHidden();
  await shop.press("Enter");

  await page.getByLabel("Search accounts").fill("linkedin");
  await expect(listed.getByText(`X, @${ada}`)).toBeHidden();
  await page.getByLabel("Search accounts").fill("");
  await page.getByLabel("Network", { exact: true }).selectOption("X");
  await expect(listed.getByRole("row").filter({ hasText: "LinkedIn" })).toHaveCount(0);
  await page.getByLabel("Network", { exact: true }).selectOption("All networks");

  await page.getByRole("button", { name: /^More for .* on LinkedIn$/ }).click();
  await dialog.getByRole("checkbox", { name: "Copenhagen shop" }).check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(listed.getByRole("button", { name: "Copenhagen shop 2" })).toBeVisible();
  await expect(listed.getByText("Not in a group")).toBeHidden();

  await page.getByRole("button", { name: "New group" }).click();
  await dialog.getByLabel("Name").fill("copenhagen SHOP");
  await dialog.getByRole("button", { name: "Create group" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("There is already an account group with this name");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit Copenhagen shop" }).click();
  const name = "The shops and workshops of Copenhagen, Aarhus and Odense";
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(listed.getByRole("button", { name: `${name} 2` })).toBeVisible();
  await expectFits(page);
  await page.getByRole("button", { name: `Edit ${name}` }).click();
  await dialog.getByRole("button", { name: "Delete group" }).click();
  await expect(dialog).toBeHidden();
  await expect(listed.getByText(name)).toBeHidden();
  await expect(listed).toBeFocused();
  await expect(listed.getByText(`X, @${ada}`)).toBeVisible();
});

/** How visible an element is at some milliseconds after it appeared. */
function opacityAfter(element: Locator, times: number[]): Promise<number[]> {
  return element.evaluate((shown: HTMLElement, times) => {
    shown.style.animation = "none";
    const start = getComputedStyle(shown).opacity; // computed here, so that the animation starts again below
    shown.style.animation = "";
    const [animation] = shown.getAnimations();
    animation?.pause();
    return times.map((time) => {
      if (animation) animation.currentTime = time;
      return Number(animation ? getComputedStyle(shown).opacity : start);
    });
  }, times);
}

test("nothing moves while the page with one account in a group is loading, however late its fonts arrive", async ({
  page,
}) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("gs"));
  const [{ id }] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const data = { name: "Copenhagen shop", colour: "CORAL", accountIds: [id] };
  const made = await page.request.post(`${product.url}/v1/account-groups`, {
    headers: { Origin: product.url },
    data,
  });
  expect(made.status(), await made.text()).toBe(201);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  for (const path of ["v1/accounts", "v1/account-groups", "*.woff2"])
    await page.route(`**/${path}`, (route) => isAnswered.then(() => route.continue()));
  const moved = await watchLayout(page);
  await page.goto(`${product.url}/accounts`, { waitUntil: "domcontentloaded" }); // the fonts are still held back
  const loading = page.getByRole("status").filter({ hasText: "Loading accounts" });
  await expect(loading).toBeAttached();
  expect(await opacityAfter(loading, [0, 299, 302]), "placeholders are in sight after 300 ms").toEqual([0, 0, 1]);
  answer();
  await expect(page.getByRole("button", { name: "Copenhagen shop 1" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(await moved()).toBe(0);
});

test("an account is listed although its groups and posting times fail or hang; disconnecting it shows how many planned posts will fail", async ({
  page,
  playwright,
}) => {
  const person = newName("d");
  await signUp(page, product);
  await connect(page, product, "X", person);
  const [{ id }] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  for (const [what, answer] of [
    ["hang", () => {}],
    ["fail", (route: Route) => route.fulfill({ status: 503, json: { error: "Not now" } })],
  ] as const) {
    for (const path of ["account-groups", "accounts/plans"]) await page.route(`**/v1/${path}`, answer);
    await page.goto(`${product.url}/accounts`);
    await expect(page.getByRole("table").getByText(`X, @${person}`), what).toBeVisible({ timeout: 20_000 });
  }
  await page.unrouteAll();
  // To another person, its pages do not exist.
  const stranger = { request: await playwright.request.newContext() };
  await signUp(stranger, product);
  for (const which of [id, 999_999]) {
    for (const path of ["chats", "queue", "reconnect"]) {
      const url = `${product.url}/accounts/${which}/${path}`;
      expect([url, (await stranger.request.get(url)).status()]).toEqual([url, 404]);
    }
  }
  await stranger.request.dispose();
  await openAccounts(page, product);
  const ask = async (says: string) => {
    await page.getByRole("button", { name: `More for @${person} on X` }).click();
    await page.getByRole("button", { name: `Disconnect @${person}` }).click();
    await expect(page.getByRole("dialog", { name: `Disconnect @${person}?` })).toContainText(says);
  };
  await ask("Nothing is scheduled for it.");
  await look(page);
  await page.getByRole("button", { name: "Keep" }).click();
  const created = await page.request.post(`${product.url}/v1/posts`, {
    headers: { origin: product.url },
    data: {
      scheduledTime: "2040-01-01T12:00:00Z",
      publications: [
        { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "Later" }] },
      ],
    },
  });
  expect(created.status()).toBe(201);
  await page.reload();
  await ask("1 scheduled post will fail. Move it to another account first.");
  await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
  await expect(page.getByRole("heading", { name: "Connect your first account" })).toBeVisible();
  await expect(connected(page)).toBeFocused();
});
