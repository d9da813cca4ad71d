import { expect, type Page } from "playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, lookAlsoOnPhone, newName, reach, signUp } from "./setup/visitor";

test.use({ timezoneId: "UTC" });

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

const year = new Date().getFullYear() + 1;

/** The first Wednesday of a month of next year, at a time by UTC. @param month from 0 */
function wednesday(month: number, time: string): string {
  const first = new Date(Date.UTC(year, month, 1));
  first.setUTCDate(1 + ((3 - first.getUTCDay() + 7) % 7));
  return `${first.toISOString().slice(0, 10)}T${time}Z`;
}

type Slot = { weekday: string; time: string };

/** Signs up a person with two accounts and gives the first one these queue times in this zone. */
async function withQueue(page: Page, timeZone: string, slots: Slot[]): Promise<number[]> {
  await signUp(page, product);
  await connect(page, product, "X", newName("z"));
  await connect(page, product, "X", newName("z"));
  const accounts: { id: number }[] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const ids = accounts.map(({ id }) => id);
  const put = { headers: { origin: product.url }, data: { timeZone, slots } };
  const kept = await page.request.put(`${product.url}/v1/accounts/${ids[0]}/slots`, put);
  expect(kept.status(), await kept.text()).toBe(200);
  return ids;
}

async function plan(page: Page, ids: number[], content: string, scheduledTime: string): Promise<number> {
  const publications = ids.map((id) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TWITTER" },
    posts: [{ content }],
  }));
  const data = { scheduledTime, publications };
  const made = await page.request.post(`${product.url}/v1/posts`, { headers: { origin: product.url }, data });
  expect(made.status(), await made.text()).toBe(201);
  return (await made.json()).id;
}

async function times(page: Page): Promise<{ [text: string]: string }> {
  const { items } = await (await page.request.get(`${product.url}/v1/posts`)).json();
  type Item = { scheduledTime: string; publications: { posts: { content: string }[] }[] };
  return Object.fromEntries(
    items.map(({ scheduledTime, publications }: Item) => [publications[0]?.posts[0]?.content, scheduledTime]),
  );
}

/** Chooses another time zone and returns the dialog that follows. */
async function changeZone(page: Page, to: string) {
  const zone = page.getByLabel("Time zone");
  await zone.focus(); // as a person who chooses it does
  await zone.selectOption(to);
  return page.getByRole("dialog");
}

const noon: Slot[] = [{ weekday: "WEDNESDAY", time: "12:00" }];

test("posts at a queue's times move with its time zone at the same time of day, and the move can be undone", async ({
  page,
}) => {
  const [first = 0, second = 0] = await withQueue(page, "Europe/Berlin", noon);
  await plan(page, [first], "Winter bell", wednesday(0, "11:00:00"));
  await plan(page, [first, second], "Summer bell", wednesday(6, "10:00:00"));
  await plan(page, [first], "Bell of its own", wednesday(6, "10:30:00"));
  await plan(page, [second], "The other's bell", wednesday(6, "10:00:00"));
  const before = await times(page);

  await page.goto(`${product.url}/accounts/${first}/queue`);
  const asks = await changeZone(page, "America/New_York");
  await expect(asks).toContainText("2 scheduled posts are at these times in Europe/Berlin.");
  await expect(asks).toContainText("1 of them goes to other accounts as well");
  const example = asks.getByRole("region", { name: "The first of them" });
  await expect(example).toContainText("Winter bell");
  await expect(example).toContainText(/12:00 Europe\/Berlin \(UTC\+01:00\)/);
  await expect(example).toContainText(/12:00 America\/New York \(UTC−05:00\)/);
  await expect(example).toContainText(/17:00 UTC/);
  await look(page);
  await asks.getByRole("button", { name: "Move 2 posts" }).click();
  await expect(page.getByText("2 posts moved to America/New York.")).toBeVisible();
  await expect(asks).toBeHidden();
  expect(await times(page)).toEqual({
    ...before,
    "Winter bell": wednesday(0, "17:00:00"),
    "Summer bell": wednesday(6, "16:00:00"),
  });
  await page.keyboard.press("Control+z"); // before `look`: the notice offers it for ten seconds only
  await expect(page.getByText("2 posts moved back.")).toBeVisible();
  expect(await times(page)).toEqual(before);
  await look(page);
});

test("posts that cannot be moved are listed with the reason, and the others move, after Retry-After if needed", {
  tag: "@long",
}, async ({ page }) => {
  const [first = 0] = await withQueue(page, "Europe/Berlin", noon);
  const gone = await plan(page, [first], "Deleted meanwhile", wednesday(0, "11:00:00"));
  const elsewhere = await plan(page, [first], "Moved meanwhile", wednesday(1, "11:00:00"));
  await plan(page, [first], "Still there", wednesday(2, "11:00:00"));
  const lost = await plan(page, [first], "Its answer lost", wednesday(3, "10:00:00"));
  const silent = await plan(page, [first], "Nothing heard of it", wednesday(4, "10:00:00"));
  const begun = await plan(page, [first], "Begun meanwhile", wednesday(5, "10:00:00"));
  await page.goto(`${product.url}/accounts/${first}/queue`);
  const asks = await changeZone(page, "UTC");
  await expect(asks.getByRole("button", { name: "Move 6 posts" })).toBeVisible();
  const headers = { origin: product.url };
  await page.request.delete(`${product.url}/v1/posts/${gone}`, { headers });
  const own = { socialMediaAccountId: first, platformSettings: { type: "TWITTER" }, posts: [{ content: "Theirs" }] };
  const data = { scheduledTime: wednesday(1, "07:00:00"), publications: [own] };
  await page.request.put(`${product.url}/v1/posts/${elsewhere}`, { headers, data });
  let refusals = 0;
  await page.route("**/v1/posts/*", async (route) => {
    if (route.request().method() !== "PUT" || refusals++ > 0) return route.fallback();
    await route.fulfill({ status: 429, headers: { "retry-after": "1" }, json: { message: "Too many requests" } });
  });
  await page.route(`**/v1/posts/${begun}`, (route) =>
    route.request().method() === "PUT"
      ? route.fulfill({ status: 409, json: { error: `Post ${begun} has begun` } })
      : route.continue(),
  );
  const away = { status: 503, body: "" };
  await page.route(`**/v1/posts/${lost}`, async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    expect((await route.fetch()).status()).toBe(200);
    await route.fulfill(away);
  });
  let isSilent = false;
  await page.route(`**/v1/posts/${silent}`, (route) => {
    isSilent ||= route.request().method() === "PUT";
    return isSilent ? route.fulfill(away) : route.continue();
  });
  await asks.getByRole("button", { name: "Move 6 posts" }).click();
  await expect(page.getByText("2 posts moved to UTC.")).toBeVisible();
  const told = page.getByRole("alert").filter({ hasText: "3 posts were not moved, and 1 may have been moved:" });
  await expect(told.getByRole("listitem").filter({ hasText: "Nothing heard of it" })).toContainText(
    "It may have been moved: look at it.",
  );
  await expect(told.getByRole("listitem").filter({ hasText: "Deleted meanwhile" })).toContainText(
    "It was deleted meanwhile.",
  );
  await expect(told.getByRole("listitem").filter({ hasText: "Moved meanwhile" })).toContainText(
    "It has another time by now.",
  );
  await expect(told.getByRole("listitem").filter({ hasText: "Begun meanwhile" })).toContainText(
    "It has begun to go out.",
  );
  expect(refusals).toBe(2); // repeated after Retry-After
  expect(await times(page)).toEqual({
    Theirs: wednesday(1, "07:00:00"),
    "Still there": wednesday(2, "12:00:00"),
    "Its answer lost": wednesday(3, "12:00:00"),
    "Nothing heard of it": wednesday(4, "10:00:00"),
    "Begun meanwhile": wednesday(5, "10:00:00"),
  });
  await look(page);
});

test("the dialog waits at its title, and a long move shows progress and can be stopped and undone", {
  tag: "@long",
}, async ({ page }) => {
  const [first = 0] = await withQueue(page, "Europe/Berlin", noon);
  const months = Array.from({ length: 12 }, (_, month) => month);
  const noonOf = (month: number) => wednesday(month, month > 2 && month < 10 ? "10:00:00" : "11:00:00");
  for (const month of months) await plan(page, [first], `Bell ${month}`, noonOf(month));
  const before = await times(page);
  let isFound: (() => void) | undefined;
  const found = new Promise<void>((resolve) => {
    isFound = resolve;
  });
  await page.route(/\/v1\/posts\?/, async (route) => {
    await found;
    await route.continue();
  });
  let goOn: (() => void) | undefined;
  const last = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let moves = 0;
  await page.route("**/v1/posts/*", async (route) => {
    if (route.request().method() === "PUT" && ++moves === 11) await last;
    await route.continue();
  });
  await page.goto(`${product.url}/accounts/${first}/queue`);
  const asks = await changeZone(page, "UTC");
  await expect(page.getByText("Looking for posts at these times…")).toBeVisible();
  isFound?.();
  await expect(asks.getByRole("heading", { name: "Move the scheduled posts as well?" })).toBeFocused();
  await page.keyboard.press("Space");
  await asks.getByRole("button", { name: "Move 12 posts" }).click();
  await expect(asks.getByRole("status")).toHaveText("10 of 12 done.");
  for (const _ of [1, 2, 3]) await page.keyboard.press("Escape");
  await expect(asks.getByRole("button", { name: "Moving 11 of 12…" })).toBeVisible();
  await look(page);
  await asks.getByRole("button", { name: "Stop" }).click();
  goOn?.();
  await expect(page.getByText("11 posts moved to UTC; 1 stays where it was.")).toBeVisible();
  await expect(asks).toBeHidden();
  const after = Object.fromEntries(months.map((month) => [`Bell ${month}`, wednesday(month, "12:00:00")]));
  expect(await times(page)).toEqual({ ...after, "Bell 11": noonOf(11) });
  await page.keyboard.press("Control+z");
  await expect(page.getByText("11 posts moved back.")).toBeVisible();
  expect(await times(page)).toEqual(before);
});

test("posts that would move into the past stay; a postponed move is offered again for the next zone and a declined one is not", {
  tag: "@long",
}, async ({ page }) => {
  const soon = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3 * 3_600_000);
  const days = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];
  const slot = { weekday: days[soon.getUTCDay()] ?? "", time: soon.toISOString().slice(11, 16) };
  const [first = 0] = await withQueue(page, "UTC", [slot]);
  await plan(page, [first], "This week", soon.toISOString());
  const nextWeek = new Date(soon.getTime() + 7 * 86_400_000);
  await plan(page, [first], "Next week", nextWeek.toISOString());
  const inDubai = new Date(nextWeek.getTime() - 4 * 3_600_000);
  await plan(page, [first], "Next week in Dubai", inDubai.toISOString());
  const before = await times(page);
  await page.goto(`${product.url}/accounts/${first}/queue`);

  const asks = await changeZone(page, "Pacific/Kiritimati"); // UTC+14
  await expect(asks).toContainText("2 scheduled posts are at these times");
  await expect(asks).toContainText("The new time of 1 of them has passed, so that one stays where it is.");
  await expect(asks.getByRole("button", { name: "Move 1 post" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(asks).toBeHidden();
  await expect(page.getByLabel("Time zone")).toBeFocused();

  await changeZone(page, "Asia/Dubai");
  await expect(asks).toContainText("at these times in UTC");
  await asks.getByRole("button", { name: "Leave them where they are" }).click();
  await expect(asks).toBeHidden();

  await changeZone(page, "Asia/Tokyo"); // compared with Dubai, where the posts were left
  await expect(asks).toContainText("1 scheduled post is at one of these times in Asia/Dubai.");
  await asks.getByRole("button", { name: "Leave it where it is" }).click();
  await expect(asks).toBeHidden();
  expect(await times(page)).toEqual(before);
});

test("the calendar reports that the browser changed its time zone until the notice is dismissed", async ({
  page,
  browser,
  contextOptions,
  viewport,
}) => {
  await signUp(page, product);
  await page.goto(`${product.url}/calendar`);
  await expect(page.getByText("Times in UTC")).toBeVisible();
  const says = "Your browser came from UTC to Asia/Tokyo.";
  await expect(page.getByText(says)).toHaveCount(0);

  const storageState = await page.context().storageState();
  const there = await browser.newContext({ ...contextOptions, viewport, storageState, timezoneId: "Asia/Tokyo" });
  const travelled = await there.newPage();
  await travelled.goto(`${product.url}/calendar`);
  await expect(travelled.getByText("Times in Asia/Tokyo")).toBeVisible();
  await expect(travelled.getByText(says)).toBeVisible();
  await look(travelled);
  await travelled.reload();
  await travelled.getByRole("button", { name: "Got it" }).click();
  await expect(travelled.getByText(says)).toBeHidden();
  await expect(travelled.locator("h1:focus")).toHaveText(/\d{4}/); // the calendar's title
  await travelled.reload();
  await expect(travelled.getByText("Times in Asia/Tokyo")).toBeVisible();
  await expect(travelled.getByText(says)).toHaveCount(0);
  await there.close();
});

test("the greeting does not change when the script starts: it names the time of day once the server knows the device's zone", async ({
  page,
}) => {
  await signUp(page, product);
  for (const greeting of [/^Hello, /, /^Good (morning|afternoon|evening), /]) {
    const html = await (await page.request.get(product.url)).text();
    expect(/<h1[^>]*>([^<]*)</.exec(html)?.[1]).toMatch(greeting);
    await page.goto(product.url);
    await expect(page.getByRole("group", { name: "The posts of today" })).toBeVisible(); // drawn by the script
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(greeting);
    await page.goto(`${product.url}/accounts`);
  }
});

test("all times are in the time zone that a person has found in the settings, by keyboard, until they take the device's again", async ({
  page,
}) => {
  await signUp(page, product);
  const person = newName("z");
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/settings`);
  await expect(page.getByText("Same as this device: UTC")).toBeVisible();
  const field = page.getByLabel("City or offset");
  await reach(page, field);
  await page.keyboard.type("Atlantis");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No time zone matches. Choose one from the list.")).toBeVisible();
  await lookAlsoOnPhone(page);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("America/");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^\d+ time zones match\. Choose one from the list\.$/)).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("los angeles");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/settings?saved=zone`);
  await expect(page.getByText(/^Times are shown in America\/Los Angeles \(UTC−0[78]:00\)\.$/)).toBeVisible();
  await lookAlsoOnPhone(page);

  // 20:30 in Los Angeles is already the next day by UTC.
  await page.goto(`${product.url}/compose`);
  await page.getByRole("checkbox", { name: new RegExp(`@${person}`) }).check();
  await page.getByLabel("Text", { exact: true }).fill("The evening bell rings.");
  await page.getByRole("radio", { name: "Pick a time" }).check();
  await page.getByLabel("Date and time").fill(`${year}-01-12T20:30`);
  await page.getByRole("button", { name: "Schedule", exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/posts`);
  expect(await times(page)).toEqual({ "The evening bell rings.": `${year}-01-13T04:30:00Z` });

  const expectShown = async (local: string, zone: string) => {
    const [day = "", time = ""] = local.split("T");
    await page.goto(`${product.url}/posts`);
    const row = page.getByRole("listitem").filter({ hasText: "The evening bell rings." });
    await expect(row.locator("time").first()).toHaveText(time);
    await expect(page.getByRole("heading", { name: new RegExp(` ${Number(day.slice(8))} January`) })).toBeVisible();
    await row.getByRole("link").first().click();
    await expect(page.getByRole("main")).toContainText(`${Number(day.slice(8))} Jan ${year}, ${time}`);
    await expect(page.getByRole("main")).toContainText(zone);
    await page.goto(`${product.url}/calendar?view=day&day=${day}`);
    await expect(page.getByText(`Times in ${zone}`)).toBeVisible();
    const chip = page.getByRole("link", { name: /The evening bell rings/ });
    await expect(chip).toContainText(time);
    await expect(page.getByText("Your browser came from")).toHaveCount(0);
  };
  await expectShown(`${year}-01-12T20:30`, "America/Los_Angeles (UTC−08:00)");

  await page.goto(`${product.url}/settings`);
  await page.getByRole("button", { name: "Same as this device" }).click();
  await expect(page.getByText("Same as this device: UTC")).toBeVisible();
  await expectShown(`${year}-01-13T04:30`, "UTC");
});
