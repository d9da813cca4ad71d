import { expect, type Locator } from "playwright/test";
import { nextYear, openCalendar, plannedPost, postText } from "./setup/calendar";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { expectFits, look, schedule, signUpConfirmed } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("a month has a dot for each post and lists the chosen day, whose posts are in the HTML, and a week shows the day by the hour", async ({
    page,
  }) => {
    await plannedPost(page, product);
    const address = `${product.url}/calendar?day=${nextYear}-03-12`;
    const html = async () => (await page.request.get(address)).text();
    const inHtml = (time: string) => new RegExp(`>${time}</time>.*>${postText}<`, "s");
    // The first visit of a browser: its time zone is not known yet.
    expect(await html()).toMatch(inHtml(""));
    await openCalendar(page, product, "month");
    await expect(page.getByRole("button", { name: /^[A-Z][a-z]+day 12 March, 1 post$/ })).toBeVisible();
    await look(page);
    await page.reload();
    expect(await html()).toMatch(inHtml("12:30"));
    await page.getByRole("button", { name: "11 March, No posts" }).click();
    await expect(page.getByText(postText)).toHaveCount(0);
    await page.getByRole("button", { name: "12 March, 1 post" }).click();
    await expect(page.getByRole("link", { name: new RegExp(postText) })).toBeVisible();
    await page.getByRole("button", { name: "Week" }).click();
    await expect(
      page.getByRole("region", { name: "Hours" }).getByRole("link", { name: new RegExp(postText) }),
    ).toBeVisible();
    await look(page);
    await page.getByRole("button", { name: "11 March, No posts" }).click();
    await expect(page.getByText(postText)).toHaveCount(0);
  });
});

test.describe("on a tablet", () => {
  test.use({ viewport: { width: 820, height: 1100 } });

  test("everything in a month stays within its day, and so do the headings of a week, which shows the first of the posts at one time and counts the others", {
    tag: "@long",
  }, async ({ page }) => {
    await plannedPost(page, product);
    await openCalendar(page, product, "month");
    const chip = page.getByRole("cell").getByRole("link", { name: new RegExp(postText) });
    const outside = await chip.evaluate((link) => {
      const { left, right } = link.getBoundingClientRect();
      const parts = [...link.querySelectorAll("*:not(.sr-only)")].map((part) => part.getBoundingClientRect());
      return parts.filter((part) => part.width > 1 && (part.left < left || part.right > right)).length;
    });
    expect(outside).toBe(0);
    await look(page);
    await page.goto(`${product.url}/calendar?view=week`); // with today, whose number is wider
    const heads = page.getByRole("main").locator("[data-day]");
    await expect(heads).toHaveCount(7);
    const broken = await heads.evaluateAll(
      (all) =>
        all.filter((head) => {
          const right = head.parentElement?.getBoundingClientRect().right ?? 0;
          const parts = [...(head.parentElement?.children ?? [])].map((part) => part.getBoundingClientRect());
          return head.getBoundingClientRect().height > 40 || parts.some((part) => part.right > right);
        }).length,
    );
    expect(broken).toBe(0);
    await look(page);

    const at = await page.evaluate((year) => new Date(year, 2, 12, 12, 30).toISOString(), nextYear);
    for (const more of ["Ring the second bell", "Ring the third bell"]) await schedule(page, product, more, at);
    await page.goto(`${product.url}/calendar?view=week&day=${nextYear}-03-12`);
    const shown = page.getByRole("main").locator("[data-drop] [data-chip]");
    await expect(shown).toHaveCount(1);
    const width = (await shown.boundingBox())?.width ?? 0;
    const day = (await page.locator(`[data-drop="${nextYear}-03-12"]`).boundingBox())?.width ?? 0;
    expect(width).toBeGreaterThan(day - 8);
    const more = await page.getByRole("button", { name: /^2 more/ }).boundingBox();
    const words = await shown.getByText(/^Ring the/).boundingBox();
    expect((words?.x ?? 0) + (words?.width ?? 0)).toBeLessThanOrEqual(more?.x ?? 0);
    await look(page);
    await page.getByRole("button", { name: /^2 more/ }).click();
    await expect(page.getByRole("main").locator("[data-drop] [data-chip]")).toHaveCount(3);
  });
});

test("dates are in English, also in a German browser, and in an American one times are those of a clock with twelve hours, without a zero in front", async ({
  page,
  browser,
}) => {
  await plannedPost(page, product);
  const at = await page.evaluate((year) => new Date(year, 2, 12, 9, 5).toISOString(), nextYear);
  await schedule(page, product, "Ring before ten", at);
  const storageState = await page.context().storageState();
  const german = await (await browser.newContext({ storageState, locale: "de-DE" })).newPage();
  await openCalendar(german, product, "month");
  await expect(german.getByRole("button", { name: "Open 19 March" })).toBeVisible();
  await expect(german.getByRole("main")).not.toContainText("März");
  await german.context().close();
  const american = await (await browser.newContext({ storageState, locale: "en-US" })).newPage();
  await openCalendar(american, product, "list");
  await expect(american.getByRole("main")).toContainText(/(?<!\d)9:05\sAM/);
  await expect(american.getByRole("main")).toContainText(/12:30\sPM/);
  await american.context().close();
});

test.describe("on a wide screen", () => {
  // Tall enough that nothing scrolls under the pointer while it drags.
  test.use({ viewport: { width: 1280, height: 1600 } });

  test("posts at the same time share the width up to three, a day of a month shows three, and the rest are one press away", {
    tag: "@long",
  }, async ({ page }) => {
    await plannedPost(page, product);
    const at = await page.evaluate((year) => new Date(year, 2, 12, 12, 40).toISOString(), nextYear);
    for (const bell of ["one", "two", "three", "four"]) await schedule(page, product, `Bell ${bell}`, at);
    await openCalendar(page, product, "week");
    const day = page.getByRole("list", { name: "12 March" });
    await expect(day.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(3);
    await look(page);
    await day.getByRole("button", { name: "2 more on 12 March" }).click();
    await expect(page).toHaveURL(/view=day/);
    await expect(page.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(5);
    // A phone has no room for five.
    await page.setViewportSize({ width: 390, height: 800 });
    await expect(day.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(3);
    await day.getByRole("button", { name: "2 more on 12 March" }).click();
    await expect(page).toHaveURL(/view=list/);
    await expect(page.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(5);
    await page.setViewportSize({ width: 1280, height: 1600 });
    await openCalendar(page, product, "month");
    const cell = page.getByRole("cell").filter({ has: page.getByRole("button", { name: "Open 12 March" }) });
    await expect(cell.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(3);
    const chip = await cell.locator("[data-chip]").first().boundingBox();
    expect(chip?.height, "the weeks leave room for chips of two lines").toBeGreaterThanOrEqual(40);
    await cell.getByRole("button", { name: "2 more on 12 March" }).click();
    await expect(page.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(5);
  });

  test("in the current month, weeks that are over are strips until their edge is pressed, and all fits a screen", {
    tag: "@long",
  }, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await plannedPost(page, product, signUpConfirmed);
    // The page takes the time from the server.
    const date = new Date(nextYear, 2, 25, 12).toUTCString();
    await page.route("**/v1/**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await page.goto(`${product.url}/calendar?day=${nextYear}-03-12`);
    const tile = page.getByRole("link", { name: `Late, 12:30, ${postText}` });
    await expect(tile).toBeVisible();
    const [height, screen] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
    expect(height).toBeLessThanOrEqual(screen ?? 0);
    await look(page);
    const move = page.getByRole("button", { name: `Move “${postText}” to another time` });
    await expect(move).toHaveCount(0);
    const edge = page
      .getByRole("row")
      .filter({ has: tile })
      .getByRole("button", { name: /^Week of .* March$/ });
    await edge.press("Enter");
    await expect(move).toHaveCount(1);
    await expect(tile).toHaveCount(0);
  });
});

test("the title of a day leaves the filters beside it; on a phone, they are one row and the buttons of a day are large enough for a thumb", async ({
  page,
}) => {
  await plannedPost(page, product);
  const at = await page.evaluate((year) => new Date(year, 2, 12, 12, 40).toISOString(), nextYear);
  for (const bell of ["one", "two", "three"]) await schedule(page, product, `Bell ${bell}`, at);
  await page.setViewportSize({ width: 1440, height: 900 });
  await openCalendar(page, product, "day");
  const boxOf = async (what: Locator) => (await what.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const title = await boxOf(page.getByRole("heading", { level: 1 }));
  const filter = await boxOf(page.getByLabel("Network", { exact: true }));
  expect(filter.y).toBeLessThan(title.y + title.height);
  await page.setViewportSize({ width: 390, height: 844 });
  const account = page.getByLabel("Account", { exact: true });
  await account.selectOption({ index: 1 });
  const clear = page.getByRole("button", { name: "Clear", exact: true });
  expect((await boxOf(clear)).y).toBe((await boxOf(account)).y);
  await expectFits(page);
  await clear.click();
  const open = await boxOf(page.getByRole("button", { name: "Open 12 March" }));
  const write = await boxOf(page.getByRole("link", { name: "New post for 12 March" }));
  for (const { height } of [open, write]) expect(height).toBeGreaterThanOrEqual(44);
  expect(write.width).toBeGreaterThanOrEqual(44);
  const more = page.getByRole("button", { name: "1 more on 12 March" });
  await more.evaluate((button) => button.scrollIntoView({ block: "center" })); // away from the bar at the bottom
  const { x, y, width, height } = await boxOf(more);
  // At the edges of 44 pixels around its middle.
  for (const [dx, dy] of [
    [-21, 0],
    [0, -21],
    [0, 21],
  ] as const) {
    const point = { x: x + width / 2 + dx, y: y + height / 2 + dy };
    const label = ({ x, y }: typeof point) => document.elementFromPoint(x, y)?.getAttribute("aria-label");
    expect(await page.evaluate(label, point)).toBe("1 more on 12 March");
  }
});

test("the month starts its weeks on the day that a person has set; below 768 px dots replace its posts, and nothing is wider than the screen", async ({
  page,
}) => {
  await plannedPost(page, product);
  await openCalendar(page, product, "month");
  const firstDay = page.getByRole("columnheader").first();
  await expect(firstDay).toHaveText("Mon");
  for (const [width, isGrid] of [
    [320, false],
    [767, false],
    [768, true],
    [1280, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const inCells = page.getByRole("cell").getByRole("link", { name: new RegExp(postText) });
    await expect(inCells, `${width} px`).toHaveCount(isGrid ? 1 : 0);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${width} px`)
      .toBeLessThanOrEqual(width);
  }
  await page.goto(`${product.url}/settings`);
  const choice = page.getByRole("group", { name: "First day of the week" });
  await expect(choice.getByRole("radio", { name: "Monday" })).toBeChecked();
  await choice.getByRole("radio", { name: "Sunday" }).check();
  await openCalendar(page, product, "month");
  await expect(firstDay).toHaveText("Sun");
});
