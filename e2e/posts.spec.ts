import { expect, type Page } from "playwright/test";
import { fill, openClient } from "../bench/api/fill";
import { addressOf } from "./chaos/on-database";
import { picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, newName, schedule, signUpConfirmed } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

async function newcomer(page: Page): Promise<string> {
  const person = newName("w");
  await signUpConfirmed(page, product);
  await connect(page, product, "X", person);
  return person;
}

/** Imports posts on following days, 50 a day, as a person would with a file. */
async function importPosts(page: Page, person: string, texts: string[]): Promise<void> {
  const rows = texts.map((text, index) => {
    const day = inDays(2 + Math.floor(index / 50))
      .toISOString()
      .slice(0, 10);
    return `${day},${String(8 + (index % 10)).padStart(2, "0")}:00,UTC,x:${person},${text}`;
  });
  const answer = await page.request.post(`${product.url}/v1/posts/import`, {
    headers: { Origin: product.url, "Content-Type": "text/csv" },
    data: ["date,time,timeZone,accounts,text", ...rows].join("\n"),
  });
  expect(answer.status(), await answer.text()).toBeLessThan(300);
}

/** Stores posts in the database, because creating thousands takes minutes. They are due in the next year. */
async function store(page: Page, count: number): Promise<void> {
  const read = async (path: string) => (await page.request.get(product.url + path)).json();
  const [{ id }, [account]] = await Promise.all([read("/v1/me"), read("/v1/accounts")]);
  const client = await openClient(await addressOf(product));
  try {
    await fill(client, { id, accountIds: [account.id] }, count);
  } finally {
    await client.end();
  }
}

/** Saves a draft with a picture and without a time. */
async function draft(page: Page, content: string): Promise<void> {
  const headers = { Origin: product.url };
  const file = await picture("bells.jpg");
  const uploaded = await page.request.post(`${product.url}/v1/media/upload`, { headers, multipart: { file } });
  const [account] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const posts = [{ content, attachmentPaths: [(await uploaded.json()).path] }];
  const publications = [{ socialMediaAccountId: account.id, platformSettings: { type: "TWITTER" }, posts }];
  const made = await page.request.post(`${product.url}/v1/posts`, { headers, data: { isDraft: true, publications } });
  expect(made.status(), await made.text()).toBe(201);
}

const rowOf = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Posts by state" }).getByRole("button", { name });

test("one post among 5,000 is found with one key and one word", async ({ page }) => {
  const person = await newcomer(page);
  await importPosts(page, person, ["The carillonneur has lost her gloves"]);
  await store(page, 4_999);
  await page.goto(`${product.url}/posts`);
  await expect(tab(page, "All")).toHaveText(/5,000$/);
  await expect(page.getByText("1–50 of 5,000")).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  const rows = await page
    .locator("[data-post]")
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect()).filter(({ bottom }) => bottom <= 900));
  expect(rows.length).toBeGreaterThanOrEqual(10);
  expect(rows.map(({ height }) => height)).toEqual(rows.map(() => 64));
  await page.keyboard.press("/");
  await page.keyboard.type("gloves");
  await expect(page.getByRole("link", { name: "The carillonneur has lost her gloves" })).toBeVisible();
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/posts?text=gloves`);
  await look(page);
});

/** More rows than a screen has, and those that the browser draws above and below it. */
const MOST_DRAWN = 60;

test("5,000 posts scroll without stutter: the browser draws only the rows near the screen, and the page neither grows nor jumps", {
  tag: "@long",
}, async ({ page }) => {
  await newcomer(page);
  await store(page, 5_000);
  await page.goto(`${product.url}/posts`);
  await expect(page.getByText("1–50 of 5,000")).toBeVisible();
  // Pressed in the page, because finding a button among thousands of rows by its role takes a second each time.
  await page.evaluate(async () => {
    const count = () => document.querySelectorAll("[data-post]").length;
    while (count() < 5_000) {
      const before = count();
      const more = [...document.querySelectorAll("button")].find(({ textContent }) =>
        /^Show \d+ more$/.test(textContent),
      );
      more?.click();
      while (count() === before) await new Promise(requestAnimationFrame);
    }
  });
  const screens = await page.evaluate(async () => {
    const all = [...document.querySelectorAll("[data-post]")];
    const isDrawn = (row: Element) => row.firstElementChild?.checkVisibility({ contentVisibilityAuto: true }) ?? false;
    const isInView = (row: Element) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    };
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let added = 0;
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) added += addedNodes.length;
    });
    watch.observe(document.querySelector("main") ?? document.body, { childList: true, subtree: true });
    const seen: { drawn: number; blank: number; height: number; added: number }[] = [];
    const { scrollHeight } = document.documentElement;
    for (let top = 0; top < scrollHeight; top += 20 * innerHeight) {
      scrollTo({ top, behavior: "instant" });
      await frame();
      await frame(); // the first frame with this place has been drawn
      const blank = all.filter((row) => isInView(row) && !isDrawn(row)).length;
      seen.push({ drawn: all.filter(isDrawn).length, blank, height: document.documentElement.scrollHeight, added });
    }
    return seen;
  });
  expect(screens.length).toBeGreaterThan(15);
  expect(screens.filter(({ drawn }) => drawn === 0 || drawn > MOST_DRAWN)).toEqual([]);
  expect(screens.filter(({ blank }) => blank > 0)).toEqual([]);
  expect(new Set(screens.map(({ height }) => height)).size).toBe(1);
  expect(screens.at(-1)?.added).toBe(0);
});

test("tabs, counts and filters are kept in the address; no match names the filters and clears them", {
  tag: ["@phone", "@long"],
}, async ({ page }) => {
  await newcomer(page);
  await page.goto(`${product.url}/posts`);
  await expect(page.getByRole("heading", { name: "Nothing scheduled yet" })).toBeVisible();
  await expect(page.getByText("Write something now, or fill the week from your drafts.")).toBeVisible();
  await look(page);
  await draft(page, "A draft without a time");
  await schedule(page, product, "Tomorrow's bell", inDays(1).toISOString());
  await page.goto(`${product.url}/posts`);
  await expect(tab(page, "All")).toHaveText(/2$/);
  await expect(tab(page, "Drafts")).toHaveText(/1$/);
  await expect(page.getByRole("region", { name: "No time yet" }).getByRole("listitem")).toContainText("1 picture");
  await expect(rowOf(page, "A draft without a time").locator("img")).toHaveJSProperty("complete", true);
  await expect(page.getByRole("region", { name: /^Tomorrow, / }).getByRole("link")).toHaveText("Tomorrow's bell");
  await look(page);

  await tab(page, "Scheduled").click();
  await expect(page.getByRole("listitem").filter({ hasText: "A draft" })).toHaveCount(0);
  await page.getByLabel("Network").selectOption("X");
  await page.getByLabel("Time").selectOption("Today");
  await page.getByRole("searchbox", { name: "Search the text" }).fill("bell");
  await expect(
    page.getByText("You see only posts with the text “bell”, the network X, and the time “Today”."),
  ).toBeVisible();
  await look(page);
  await page.reload();
  await expect(page.getByLabel("Time")).toHaveValue("today");
  await expect(page.getByRole("searchbox", { name: "Search the text" })).toHaveValue("bell");
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expect(page.getByRole("link", { name: "Tomorrow's bell" })).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/posts?tab=scheduled`);
});

test("several posts are moved, what could not be moved is named with the reason, and the move is undone", async ({
  page,
}) => {
  await newcomer(page);
  const at = inDays(3);
  const first = await schedule(page, product, "The first of two", at.toISOString());
  const second = await schedule(page, product, "The second of two", new Date(at.getTime() + 3_600_000).toISOString());
  await schedule(page, product, "Out already", new Date().toISOString());
  const timeOf = async (id: number) => {
    const { scheduledTime } = await (await page.request.get(`${product.url}/v1/posts/${id}`)).json();
    return Math.round((Date.parse(scheduledTime) - at.getTime()) / 3_600_000);
  };
  await page.goto(`${product.url}/posts`);
  await expect(rowOf(page, "Out already").getByText("Published", { exact: true })).toBeVisible();
  await page.getByRole("checkbox", { name: "Select the 3 posts shown" }).check();
  await page.getByRole("toolbar", { name: "Selected posts" }).getByRole("button", { name: "Move" }).click();
  const dialog = page.getByRole("dialog", { name: "Move 3 posts" });
  await dialog.getByLabel("How much").fill("2");
  await dialog.getByLabel("Days or hours").selectOption("hours");
  await look(page);
  await dialog.getByRole("button", { name: "Move", exact: true }).click();
  const report = page.getByRole("status").filter({ hasText: "2 moved, 1 not." });
  await expect(report).toContainText("Out already: It has been published, or has no time yet.");
  expect(await Promise.all([first, second].map(timeOf))).toEqual([2, 3]);
  await look(page);
  await report.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("status").filter({ hasText: "2 undone." })).toBeVisible();
  expect(await Promise.all([first, second].map(timeOf))).toEqual([0, 1]);

  // None of the selected posts can be moved: a new time has a report too.
  const box = page.getByRole("checkbox", { name: "Select “Out already”" });
  await box.check();
  await page.getByRole("toolbar", { name: "Selected posts" }).getByRole("button", { name: "Move" }).click();
  const single = page.getByRole("dialog", { name: "Move 1 post" });
  await single.getByRole("radio", { name: "To", exact: true }).check();
  await single.locator("input[type=datetime-local]").fill("2031-05-01T12:00");
  await single.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByRole("status").filter({ hasText: "1 not moved." })).toContainText("Out already: It has been");
  await expect(single).toHaveCount(0);
});

test("posts are duplicated as drafts, deleted and brought back; rows are reached, selected and edited with single keys", async ({
  page,
}) => {
  const person = await newcomer(page);
  await importPosts(page, person, ["Bell one", "Bell two", "Bell three", "Bell four"]);
  const items = async (query = "") => (await (await page.request.get(`${product.url}/v1/posts${query}`)).json()).items;
  await page.goto(`${product.url}/posts`);
  const toolbar = page.getByRole("toolbar", { name: "Selected posts" });
  const all = page.getByRole("checkbox", { name: /^Select the \d posts shown$/ });
  await all.check();
  await toolbar.getByRole("button", { name: "Duplicate" }).click();
  await expect(page.getByText("4 duplicated as drafts.")).toBeVisible();
  expect(await items("?status=DRAFT&hasTime=false")).toHaveLength(4);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("4 undone.")).toBeVisible();
  expect(await items("?status=DRAFT")).toHaveLength(0);

  await all.check();
  await toolbar.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("4 deleted.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Bell one" })).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("4 undone.")).toBeVisible(); // an event can show the first of them before the last is back
  await expect(page.getByRole("link", { name: "Bell one" })).toBeVisible();
  expect(await items("?status=SCHEDULED")).toHaveLength(4);

  const names = page.locator("main").getByRole("listitem").getByRole("link");
  await expect(names).toHaveCount(4);
  await page.keyboard.press("j");
  await expect(names.nth(0)).toBeFocused();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await expect(page.getByText("3 selected")).toBeVisible();
  await page.keyboard.press("k");
  await expect(names.nth(1)).toBeFocused();
  await look(page);
  await page.keyboard.press("e");
  await expect(page).toHaveURL(/\/compose\?edit=\d+/);
  await expect(page.getByLabel("Text", { exact: true })).toHaveValue(/Bell/);
});

test("all posts of a list with several pages are selected with one press, and deleting so many is asked about first", async ({
  page,
}) => {
  await newcomer(page);
  await store(page, 60);
  await page.goto(`${product.url}/posts`);
  const toolbar = page.getByRole("toolbar", { name: "Selected posts" });
  const shown = page.getByRole("checkbox", { name: "Select the 50 posts shown" });
  await shown.check();
  await expect(toolbar).toContainText("50 selected");
  await toolbar.getByRole("button", { name: "Select all 60" }).press("Enter");
  await expect(toolbar).toContainText("60 selected");
  await expect(page.getByText("1–60 of 60")).toBeVisible();
  await expect(toolbar.getByRole("button", { name: "Select all 60" })).toHaveCount(0);
  await look(page);
  await page.keyboard.press("Tab");
  await expect(toolbar.getByRole("button", { name: "Move" })).toBeFocused();
  await toolbar.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 60 posts?" });
  await look(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(toolbar).toContainText("60 selected");
  await toolbar.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("60 deleted.")).toBeVisible({ timeout: 120_000 }); // one request after the other
  expect((await (await page.request.get(`${product.url}/v1/posts`)).json()).items).toEqual([]);
});

test("all posts shown are selected with one press after the first, also on a phone, where the table has no head", {
  tag: ["@phone", "@long"],
}, async ({ page }) => {
  const person = await newcomer(page);
  await importPosts(page, person, ["Bell one", "Bell two", "Bell three"]);
  await page.goto(`${product.url}/posts`);
  await page.getByRole("checkbox", { name: "Select “Bell two”" }).check();
  const all = page.getByRole("checkbox", { name: "Select the 3 posts shown" });
  await expect(all).toHaveJSProperty("indeterminate", true);
  await look(page);
  await all.click();
  await expect(page.getByRole("toolbar", { name: "Selected posts" })).toContainText("3 selected");
  await expect(all).toBeChecked();
  await look(page);
  await all.click();
  await expect(page.getByRole("toolbar", { name: "Selected posts" })).toHaveCount(0);
});

test("the menu of a row moves its post and deletes it", { tag: ["@phone", "@long"] }, async ({ page }) => {
  const person = await newcomer(page);
  await importPosts(page, person, ["A bell to move", "A bell that stays"]);
  await page.goto(`${product.url}/posts`);
  await page.getByRole("button", { name: "More for “A bell to move”" }).click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem")).toHaveText(["Open", "Edit", "Duplicate", "Move to…", "Delete"]);
  await expect(menu.getByRole("menuitem", { name: "Open" })).toBeFocused();
  await look(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: "More for “A bell to move”" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowUp");
  await expect(menu.getByRole("menuitem", { name: "Delete" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 deleted.")).toBeVisible();
  await expect(page.getByRole("link", { name: "A bell to move" })).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Undo" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 undone.")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // closes the notice
  await expect(page.getByRole("link", { name: /^A bell/ }).first()).toBeFocused();
  for (const box of await page.getByLabel(/^Select “A bell/).all()) await box.check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByText("2 deleted.")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("searchbox")).toBeFocused(); // no post is left to take the focus
});
