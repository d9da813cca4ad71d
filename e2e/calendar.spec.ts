import { expect, type Page } from "playwright/test";
import { pick, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { altTextChip, connect, look, newName, reach, schedule, signUp, signUpConfirmed } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

/** All posts are in a future year, so that none is due while the test runs. */
const year = new Date().getFullYear() + 1;
const text = "Ring the noon bell";

/** Signs up a person with one account and a post on 12 March at 12:30 in the browser's time zone. Returns the schedule's ID. */
async function planned(page: Page, enter = signUp): Promise<number> {
  await enter(page, product);
  await connect(page, product, "X", newName("k"));
  const at = await page.evaluate((year) => new Date(year, 2, 12, 12, 30).toISOString(), year);
  return schedule(page, product, text, at);
}

/** The scheduled time from the API in the browser's time zone, for example `3-12 12:30`. */
async function timeOf(page: Page, id: number): Promise<string> {
  const { scheduledTime } = await (await page.request.get(`${product.url}/v1/posts/${id}`)).json();
  return page.evaluate((time) => {
    const at = new Date(time);
    return `${at.getMonth() + 1}-${at.getDate()} ${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}`;
  }, scheduledTime);
}

async function open(page: Page, view: string): Promise<void> {
  await page.goto(`${product.url}/calendar?view=${view}&day=${year}-03-12`);
  await expect(page.getByText(text).first()).toBeVisible();
}

/** Drags the chip to a point in two steps, as a hand does. */
async function drag(page: Page, to: { x: number; y: number }): Promise<void> {
  await page.getByRole("link", { name: new RegExp(text) }).hover();
  await page.mouse.down();
  await page.mouse.move(to.x - 20, to.y - 10, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

async function middleOf(page: Page, button: string): Promise<{ x: number; y: number }> {
  const box = await page
    .getByRole("cell")
    .filter({ has: page.getByRole("button", { name: button }) })
    .boundingBox();
  if (!box) throw new Error(`${button} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Types into the parts of a date field. Day and month are equal, because their order depends on the browser's language. */
async function typeTime(page: Page, { day, time }: { day: string; time: string }): Promise<void> {
  await page.keyboard.type(`${day}${year}`);
  await page.keyboard.press("ArrowRight"); // A year may have six digits.
  await page.keyboard.type(`${time}a`);
}

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("a month has a dot for each post and lists the chosen day, whose posts are in the HTML, and a week shows the day by the hour", async ({
    page,
  }) => {
    await planned(page);
    const address = `${product.url}/calendar?day=${year}-03-12`;
    const html = async () => (await page.request.get(address)).text();
    const inHtml = (time: string) => new RegExp(`>${time}</time>.*>${text}<`, "s");
    // The first visit of a browser: its time zone is not known yet.
    expect(await html()).toMatch(inHtml(""));
    await open(page, "month");
    await expect(page.getByRole("button", { name: /^[A-Z][a-z]+day 12 March, 1 post$/ })).toBeVisible();
    await look(page);
    await page.reload();
    expect(await html()).toMatch(inHtml("12:30"));
    await page.getByRole("button", { name: "11 March, No posts" }).click();
    await expect(page.getByText(text)).toHaveCount(0);
    await page.getByRole("button", { name: "12 March, 1 post" }).click();
    await expect(page.getByRole("link", { name: new RegExp(text) })).toBeVisible();
    await page.getByRole("button", { name: "Week" }).click();
    await expect(
      page.getByRole("region", { name: "Hours" }).getByRole("link", { name: new RegExp(text) }),
    ).toBeVisible();
    await look(page);
    await page.getByRole("button", { name: "11 March, No posts" }).click();
    await expect(page.getByText(text)).toHaveCount(0);
  });
});

test.describe("on a tablet", () => {
  test.use({ viewport: { width: 820, height: 1100 } });

  test("everything in a month stays within its day, and so do the headings of a week, which shows the first of the posts at one time and counts the others", {
    tag: "@long",
  }, async ({ page }) => {
    await planned(page);
    await open(page, "month");
    const chip = page.getByRole("cell").getByRole("link", { name: new RegExp(text) });
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

    const at = await page.evaluate((year) => new Date(year, 2, 12, 12, 30).toISOString(), year);
    for (const more of ["Ring the second bell", "Ring the third bell"]) await schedule(page, product, more, at);
    await page.goto(`${product.url}/calendar?view=week&day=${year}-03-12`);
    const shown = page.getByRole("main").locator("[data-drop] [data-chip]");
    await expect(shown).toHaveCount(1);
    const width = (await shown.boundingBox())?.width ?? 0;
    const day = (await page.locator(`[data-drop="${year}-03-12"]`).boundingBox())?.width ?? 0;
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
  await planned(page);
  const at = await page.evaluate((year) => new Date(year, 2, 12, 9, 5).toISOString(), year);
  await schedule(page, product, "Ring before ten", at);
  const storageState = await page.context().storageState();
  const german = await (await browser.newContext({ storageState, locale: "de-DE" })).newPage();
  await open(german, "month");
  await expect(german.getByRole("button", { name: "Open 19 March" })).toBeVisible();
  await expect(german.getByRole("main")).not.toContainText("März");
  await german.context().close();
  const american = await (await browser.newContext({ storageState, locale: "en-US" })).newPage();
  await open(american, "list");
  await expect(american.getByRole("main")).toContainText(/(?<!\d)9:05\sAM/);
  await expect(american.getByRole("main")).toContainText(/12:30\sPM/);
  await american.context().close();
});

test.describe("on a wide screen", () => {
  // Tall enough that nothing scrolls under the pointer while it drags.
  test.use({ viewport: { width: 1280, height: 1600 } });

  test("a post dragged to another date keeps its time, moves at once, is described in full sentences, and Ctrl+Z moves it back; two notices do not cover each other", async ({
    page,
  }) => {
    const id = await planned(page);
    await open(page, "month");
    await look(page);
    const said = page.locator("[id^=DndLiveRegion]"); // read aloud by a screen reader
    const to = await middleOf(page, "Open 19 March");
    await page.getByRole("link", { name: new RegExp(text) }).hover();
    await page.mouse.down();
    await page.mouse.move(to.x - 20, to.y - 10, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await expect(said).toHaveText(new RegExp(`^Let go to move “${text}” to .*19 Mar.* 12:30\\.$`));
    await page.mouse.up();
    const cell = (day: string) => page.getByRole("cell").filter({ has: page.getByRole("button", { name: day }) });
    await expect(cell("Open 19 March")).toContainText(text);
    await expect(said).toHaveText(new RegExp(`^You dropped “${text}” on .*19 Mar.* 12:30\\.$`));
    await expect(page.getByText("Drag a post to another time, or use its button “Move to…”.")).toHaveCount(1);
    await expect(page.getByText(/^Moved to/)).toHaveCount(1);
    expect(await timeOf(page, id)).toBe("3-19 12:30");
    await drag(page, await middleOf(page, "Open 20 March"));
    await expect(page.getByText(/^Moved to/)).toHaveCount(2);
    const boxes = () =>
      page
        .locator("[data-sonner-toast]")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom]));
    await expect
      .poll(async () => {
        const [first = [], second = []] = (await boxes()).sort(([a = 0], [b = 0]) => a - b);
        return (second[0] ?? 0) >= (first[1] ?? 1);
      })
      .toBe(true);
    await look(page);
    await page.keyboard.press("Control+z");
    await expect.poll(() => timeOf(page, id)).toBe("3-19 12:30");
    await expect(cell("Open 19 March")).toContainText(text);
  });

  test("the posts of a group of accounts can be shown alone, and the address keeps it; a post that is dragged with the Shift key is copied, which can be undone", async ({
    page,
  }) => {
    const id = await planned(page);
    await connect(page, product, "Pinterest", newName("k"));
    const accounts = await (await page.request.get(`${product.url}/v1/accounts`)).json();
    const { id: other } = accounts.find(({ platform }: { platform: string }) => platform === "PINTEREST");
    const made = await page.request.post(`${product.url}/v1/account-groups`, {
      data: { name: "Press", colour: "GOLD", accountIds: [other] },
      headers: { origin: product.url },
    });
    expect(made.status(), await made.text()).toBe(201);
    await open(page, "month");
    await page.getByRole("combobox", { name: "Group" }).selectOption("Press");
    await expect(page.getByRole("link", { name: new RegExp(text) })).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Group" })).toHaveValue(String((await made.json()).id));
    await expect(page.getByRole("link", { name: new RegExp(text) })).toHaveCount(0);
    await page.getByRole("button", { name: "Clear" }).click();
    await expect(page.getByRole("link", { name: new RegExp(text) })).toHaveCount(1);

    const to = await middleOf(page, "Open 19 March");
    const said = page.locator("[id^=DndLiveRegion]");
    await page.getByRole("link", { name: new RegExp(text) }).hover();
    await page.mouse.down();
    await page.mouse.move(to.x - 20, to.y - 10, { steps: 4 });
    await expect(page.getByText(/^Copy to/)).toBeHidden();
    await page.keyboard.down("Shift");
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await expect(page.getByText(/^Copy to .*19 Mar.* 12:30$/)).toBeVisible();
    await expect(said).toHaveText(new RegExp(`^Let go to copy “${text}” to .*19 Mar.* 12:30\\.$`));
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await expect(page.getByText(/^Copied to/)).toBeVisible();
    const copies = page.getByRole("link", { name: new RegExp(text) });
    await expect(copies).toHaveCount(2);
    expect(await timeOf(page, id)).toBe("3-12 12:30");
    const { items } = await (await page.request.get(`${product.url}/v1/posts`)).json();
    expect(items.map((item: { overallStatus: string }) => item.overallStatus)).toEqual(["SCHEDULED", "SCHEDULED"]);
    expect(await timeOf(page, items[0].id)).toBe("3-19 12:30");
    await page.keyboard.press("Control+z");
    await expect(copies).toHaveCount(1);
    expect((await page.request.get(`${product.url}/v1/posts/${items[0].id}`)).status()).toBe(404);
  });

  test("a post dragged in the week view takes the quarter of an hour where it lands, and the label says which", async ({
    page,
  }) => {
    const id = await planned(page);
    await open(page, "week");
    await look(page);
    const chip = await page.getByRole("link", { name: new RegExp(text) }).boundingBox();
    const day = await page.getByRole("list", { name: "10 March" }).boundingBox();
    if (!chip || !day) throw new Error("the week is not on the page");
    const hour = day.height / 24;
    const from = { x: chip.x + chip.width / 2, y: chip.y + chip.height / 2 };
    const to = { x: day.x + day.width / 2, y: from.y + 2.8 * hour };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x - 20, to.y - 10, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await expect(page.getByText(/10 Mar.* 15:15$/)).toBeVisible();
    await page.mouse.up();
    await expect(page.getByText(/^Moved to/)).toBeVisible();
    expect(await timeOf(page, id)).toBe("3-10 15:15");
  });

  test("posts at the same time share the width up to three, a day of a month shows three, and the rest are one press away", {
    tag: "@long",
  }, async ({ page }) => {
    await planned(page);
    const at = await page.evaluate((year) => new Date(year, 2, 12, 12, 40).toISOString(), year);
    for (const bell of ["one", "two", "three", "four"]) await schedule(page, product, `Bell ${bell}`, at);
    await open(page, "week");
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
    await open(page, "month");
    const cell = page.getByRole("cell").filter({ has: page.getByRole("button", { name: "Open 12 March" }) });
    await expect(cell.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(3);
    await cell.getByRole("button", { name: "2 more on 12 March" }).click();
    await expect(page.getByRole("link", { name: /Bell|Ring/ })).toHaveCount(5);
  });

  test("in the current month, weeks that are over are strips until their edge is pressed, and all fits a screen", {
    tag: "@long",
  }, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await planned(page, signUpConfirmed);
    // The page takes the time from the server.
    const date = new Date(year, 2, 25, 12).toUTCString();
    await page.route("**/v1/**", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), date } });
    });
    await page.goto(`${product.url}/calendar?day=${year}-03-12`);
    const tile = page.getByRole("link", { name: `Late, 12:30, ${text}` });
    await expect(tile).toBeVisible();
    const [height, screen] = await page.evaluate(() => [document.documentElement.scrollHeight, innerHeight]);
    expect(height).toBeLessThanOrEqual(screen ?? 0);
    await look(page);
    const move = page.getByRole("button", { name: `Move “${text}” to another time` });
    await expect(move).toHaveCount(0);
    const edge = page
      .getByRole("row")
      .filter({ has: tile })
      .getByRole("button", { name: /^Week of .* March$/ });
    await edge.press("Enter");
    await expect(move).toHaveCount(1);
    await expect(tile).toHaveCount(0);
  });

  test("a post that was published stays where it is, and says why", { tag: "@long" }, async ({ page }) => {
    await signUp(page, product);
    await connect(page, product, "X", newName("p"));
    const id = await schedule(page, product, text, new Date().toISOString());
    await expect
      .poll(async () => (await (await page.request.get(`${product.url}/v1/posts/${id}`)).json()).overallStatus)
      .toBe("COMPLETED");
    await page.goto(`${product.url}/calendar?view=list`);
    await page.getByRole("button", { name: "Month" }).click();
    const chip = page.getByRole("cell").getByRole("link", { name: new RegExp(`Published, .*${text}`) });
    const box = await chip.boundingBox();
    await drag(page, { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 120 });
    await expect(page.getByText(/^The time of this post, .* has passed\. It can’t be moved\.$/)).toBeVisible();
  });

  test("a post dropped on a past time stays at its time, with the reason", async ({ page }) => {
    const id = await planned(page);
    await open(page, "month");
    // Moves the browser's clock past the target day. No response may correct it, not even one that is already on its way.
    await page.waitForLoadState("networkidle");
    await page.route("**/v1/**", (route) => route.abort());
    await page.clock.setSystemTime(new Date(year, 2, 11, 13));
    await drag(page, await middleOf(page, "Open 10 March"));
    await expect(page.getByText(/^That time has passed\. The post stays on .*12 Mar.*\.$/)).toBeVisible();
    expect(await timeOf(page, id)).toBe("3-12 12:30");
  });

  test("keys pressed in quick succession all count", { tag: "@long" }, async ({ page }) => {
    await planned(page);
    await open(page, "week");
    // One after the other without a pause, as a slow machine receives them.
    await page.evaluate(async () => {
      for (const key of ["ArrowRight", "ArrowRight", "1", "4"]) {
        dispatchEvent(new KeyboardEvent("keydown", { key }));
        await Promise.resolve();
      }
    });
    await expect(page).toHaveURL(new RegExp(`view=list&day=${year}-03-14`));
    await page.goBack();
    // Playwright also ends "goBack" when the page that is left writes its URL once more.
    await page.waitForURL((url) => url.pathname !== "/calendar");
    await page.goForward();
    await expect(page.getByRole("button", { name: "List" })).toHaveAttribute("aria-pressed", "true");
  });

  test("with the keyboard alone, a person navigates the calendar, moves a post, and writes and schedules another one", async ({
    page,
  }) => {
    await page.addInitScript(() => {
      addEventListener("pointerdown", () => sessionStorage.setItem("pointer", "was used"), true);
    });
    const id = await planned(page);
    await open(page, "month");
    await page.keyboard.press("2");
    await expect(page).toHaveURL(/view=week/);
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(new RegExp(`day=${year}-03-13`));
    await page.keyboard.press("1");
    await expect(page).toHaveURL(/view=month/);
    await reach(page, page.getByRole("button", { name: "Open 13 March" }));
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/April/);
    await expect(page.getByRole("button", { name: "Open 3 April" })).toBeFocused();
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft"]) await page.keyboard.press(key);
    await expect(page.getByRole("button", { name: "Open 12 March" })).toBeFocused();
    await reach(page, page.getByRole("link", { name: new RegExp(text) }));
    await page.keyboard.press("m");
    await expect(page.getByRole("dialog", { name: "Move to another time" })).toBeVisible();
    await look(page);
    await reach(page, page.getByLabel("Date and time"));
    await typeTime(page, { day: "0303", time: "0805" });
    await page.keyboard.press("Enter");
    await expect.poll(() => timeOf(page, id)).toBe("3-3 8:05");
    await expect(page.getByRole("dialog")).toBeHidden();
    await page.keyboard.press("n");
    await expect(page).toHaveURL(`${product.url}/compose`);

    await reach(page, page.getByRole("checkbox", { name: / X$/ }));
    await expect(page.getByRole("checkbox", { name: / X$/ })).toBeChecked(); // the last post went to it
    await reach(page, page.getByLabel("Text", { exact: true }));
    await page.keyboard.type("Written without a mouse");
    await reach(page, page.getByRole("button", { name: "Add files" }));
    await pick(page, () => page.keyboard.press("Enter"), await picture("bells.jpg", { width: 640, height: 480 }));
    const altText = altTextChip(page, "bells.jpg");
    await expect(altText).toBeVisible();
    await reach(page, altText);
    await page.keyboard.press("Enter");
    await expect(page.getByLabel("Alt text of bells.jpg")).toBeFocused();
    await page.keyboard.type("Three bells");
    await page.keyboard.press("Escape");
    await expect(altText).toBeFocused();
    await reach(page, page.getByRole("radio", { name: "Pick a time" }));
    for (const choice of ["Now", "Next free time", "Pick a time"]) {
      await page.keyboard.press("ArrowDown");
      await expect(page.getByRole("radio", { name: choice })).toBeChecked();
    }
    await reach(page, page.getByLabel("Date and time"));
    await typeTime(page, { day: "0404", time: "0930" });
    await page.keyboard.press("Control+Enter");
    await expect(page).toHaveURL(`${product.url}/posts`);
    const [made] = (await (await page.request.get(`${product.url}/v1/posts`)).json()).items;
    expect([made.overallStatus, await timeOf(page, made.id)]).toEqual(["SCHEDULED", "4-4 9:30"]);
    const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
    const [{ attachmentPaths }] = made.publications[0].posts;
    expect(items).toMatchObject([{ path: attachmentPaths[0], altText: "Three bells" }]);
    expect(await page.evaluate(() => sessionStorage.getItem("pointer"))).toBeNull();
  });

  test("days in the past offer no new post, and a click on an empty slot opens the composer with its time filled in", async ({
    page,
  }) => {
    await planned(page);
    const link = page.getByRole("link", { name: "New post for 12 March" });
    await page.goto(`${product.url}/calendar?view=month&day=${year - 2}-03-12`);
    await expect(page.getByRole("button", { name: "Open 12 March" })).toBeVisible();
    await expect(link).toBeHidden();
    await open(page, "month");
    await expect(link).toBeVisible();
    const { x, y } = await middleOf(page, "Open 25 March");
    await page.mouse.click(x, y + 20);
    await expect(page.getByLabel("Date and time")).toHaveValue(`${year}-03-25T09:00`);
  });
});

test("if one of two concurrent moves fails, only that one is reverted and the other can be undone", async ({
  page,
}) => {
  const failing = await planned(page);
  const other = "Ring the evening bell";
  const at = await page.evaluate((year) => new Date(year, 2, 12, 19, 30).toISOString(), year);
  const going = await schedule(page, product, other, at);
  await page.route(/\/live(\?|$)/, (route) => route.abort());
  await open(page, "list");
  const day = (date: RegExp) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: date }) });
  const answers: { [id: number]: () => void } = {};
  for (const id of [failing, going]) {
    const isMeant = new Promise<void>((resolve) => Object.assign(answers, { [id]: resolve }));
    await page.route(`**/v1/posts/${id}`, async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      await isMeant;
      return id === failing ? route.abort("connectionfailed") : route.continue();
    });
  }
  for (const [content, date] of [
    [text, 20],
    [other, 21],
  ] as const) {
    await page.getByRole("button", { name: "Move to…" }).first().click(); // the earliest
    await page.getByLabel("Date and time").fill(`${year}-03-${date}T08:05`);
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await expect(day(new RegExp(`${date}`))).toContainText(content);
  }
  answers[failing]?.();
  await expect(page.getByText(/^Not moved: Carillon did not answer/)).toBeVisible();
  await expect(day(/12/)).toContainText(text);
  await expect(day(/21/)).toContainText(other);
  answers[going]?.();
  await expect(page.getByText(/^Moved to/)).toBeVisible();
  await expect(day(/21/)).toContainText(other);
  expect([await timeOf(page, failing), await timeOf(page, going)]).toEqual(["3-12 12:30", "3-21 8:05"]);
  await page.keyboard.press("Control+z");
  await expect.poll(() => timeOf(page, going)).toBe("3-12 19:30");
});

test("the code for toasts is loaded before it is needed, and a toast waits if it is late", { tag: "@long" }, async ({
  page,
}) => {
  const id = await planned(page);
  let isAsked = false;
  let letGo = () => {};
  const mayArrive = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route("**/*.js", async (route) => {
    const response = await route.fetch();
    if ((await response.text()).includes("data-sonner-toaster")) {
      isAsked = true;
      await mayArrive;
    }
    await route.fulfill({ response });
  });
  await open(page, "list");
  await expect.poll(() => isAsked).toBe(true);
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${year}-03-21T08:05`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(() => timeOf(page, id)).toBe("3-21 8:05");
  letGo();
  await expect(page.getByText(/^Moved to/)).toBeVisible();
});

test("a move without a connection fails at once and is not repeated later", async ({ page }) => {
  const id = await planned(page);
  await open(page, "list");
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${year}-03-20T08:05`);
  await page.waitForLoadState("networkidle"); // The code for toasts is loaded when the page is idle.
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("Not moved: Carillon did not answer. Check your connection.")).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${year}-03-21T08:05`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText(/^Moved to/)).toBeVisible();
  expect(await timeOf(page, id)).toBe("3-21 8:05");
});

test("a move changes only the time and keeps an edit from elsewhere that this page has not seen", async ({ page }) => {
  const id = await planned(page);
  await page.route(/\/live(\?|$)/, (route) => route.abort());
  await open(page, "list");
  const path = `${product.url}/v1/posts/${id}`;
  const { scheduledTime, publications } = await (await page.request.get(path)).json();
  const [{ socialMediaAccountId, platformSettings }] = publications;
  const theirs = [{ socialMediaAccountId, platformSettings, posts: [{ content: "Ring it twice" }] }];
  const data = { scheduledTime, publications: theirs };
  expect((await page.request.put(path, { headers: { origin: product.url }, data })).status()).toBe(200);
  await expect(page.getByText(text).first()).toBeVisible();
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${year}-03-20T08:05`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("Ring it twice").first()).toBeVisible();
  expect(await timeOf(page, id)).toBe("3-20 8:05");
});

test("the list shows the posts of each day, can be filtered, and moves a post with Move to…", {
  tag: ["@phone", "@long"],
}, async ({ page }) => {
  const id = await planned(page);
  await open(page, "list");
  await look(page);
  await page.getByLabel("State").selectOption("Published");
  await expect(page.getByText("No posts here yet")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${year}-03-21T18:00`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(() => timeOf(page, id)).toBe("3-21 18:00");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => timeOf(page, id)).toBe("3-12 12:30");
});

test("the month starts its weeks on the day that a person has set; below 768 px dots replace its posts, and nothing is wider than the screen", async ({
  page,
}) => {
  await planned(page);
  await open(page, "month");
  const firstDay = page.getByRole("columnheader").first();
  await expect(firstDay).toHaveText("Mon");
  for (const [width, isGrid] of [
    [320, false],
    [767, false],
    [768, true],
    [1280, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const inCells = page.getByRole("cell").getByRole("link", { name: new RegExp(text) });
    await expect(inCells, `${width} px`).toHaveCount(isGrid ? 1 : 0);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth), `${width} px`)
      .toBeLessThanOrEqual(width);
  }
  await page.goto(`${product.url}/settings`);
  const choice = page.getByRole("group", { name: "First day of the week" });
  await expect(choice.getByRole("radio", { name: "Monday" })).toBeChecked();
  await choice.getByRole("radio", { name: "Sunday" }).check();
  await open(page, "month");
  await expect(firstDay).toHaveText("Sun");
});
