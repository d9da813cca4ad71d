import { expect, type Page } from "playwright/test";
import { middleOf, nextYear, openCalendar, plannedPost, postText, timeOf } from "./setup/calendar";
import { pick, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { altTextChip, connect, look, newName, reach, schedule, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

/** Drags the chip to a point in two steps, as a hand does. */
async function drag(page: Page, to: { x: number; y: number }): Promise<void> {
  await page.getByRole("link", { name: new RegExp(postText) }).hover();
  await page.mouse.down();
  await page.mouse.move(to.x - 20, to.y - 10, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

/** Types into the parts of a date field. Day and month are equal, because their order depends on the browser's language. */
async function typeTime(page: Page, { day, time }: { day: string; time: string }): Promise<void> {
  await page.keyboard.type(`${day}${nextYear}`);
  await page.keyboard.press("ArrowRight"); // A year may have six digits.
  await page.keyboard.type(`${time}a`);
}

test.describe("on a wide screen", () => {
  // Tall enough that nothing scrolls under the pointer while it drags.
  test.use({ viewport: { width: 1280, height: 1600 } });

  test("a post dragged to another date keeps its time, moves at once, is described in full sentences, and Ctrl+Z moves it back; two notices do not cover each other", async ({
    page,
  }) => {
    const id = await plannedPost(page, product);
    await openCalendar(page, product, "month");
    await look(page);
    const said = page.locator("[id^=DndLiveRegion]"); // read aloud by a screen reader
    const to = await middleOf(page, "Open 19 March");
    await page.getByRole("link", { name: new RegExp(postText) }).hover();
    await page.mouse.down();
    await page.mouse.move(to.x - 20, to.y - 10, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await expect(said).toHaveText(new RegExp(`^Let go to move “${postText}” to .*19 Mar.* 12:30\\.$`));
    await page.mouse.up();
    const cell = (day: string) => page.getByRole("cell").filter({ has: page.getByRole("button", { name: day }) });
    await expect(cell("Open 19 March")).toContainText(postText);
    await expect(said).toHaveText(new RegExp(`^You dropped “${postText}” on .*19 Mar.* 12:30\\.$`));
    await expect(page.getByText("Drag a post to another time, or use its button “Move to…”.")).toHaveCount(1);
    await expect(page.getByText(/^Moved to/)).toHaveCount(1);
    expect(await timeOf(page, product, id)).toBe("3-19 12:30");
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
    await page.keyboard.press("Control+z"); // before `look`: a notice offers it for ten seconds only
    await expect.poll(() => timeOf(page, product, id)).toBe("3-19 12:30");
    await expect(cell("Open 19 March")).toContainText(postText);
    await look(page);
  });

  test("the posts of a group of accounts can be shown alone, and the address keeps it; a post that is dragged with the Shift key is copied, which can be undone", async ({
    page,
  }) => {
    const id = await plannedPost(page, product);
    await connect(page, product, "Pinterest", newName("k"));
    const accounts = await (await page.request.get(`${product.url}/v1/accounts`)).json();
    const { id: other } = accounts.find(({ platform }: { platform: string }) => platform === "PINTEREST");
    const made = await page.request.post(`${product.url}/v1/account-groups`, {
      data: { name: "Press", colour: "GOLD", accountIds: [other] },
      headers: { origin: product.url },
    });
    expect(made.status(), await made.text()).toBe(201);
    await openCalendar(page, product, "month");
    await page.getByRole("combobox", { name: "Group" }).selectOption("Press");
    await expect(page.getByRole("link", { name: new RegExp(postText) })).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Group" })).toHaveValue(String((await made.json()).id));
    await expect(page.getByRole("link", { name: new RegExp(postText) })).toHaveCount(0);
    await page.getByRole("button", { name: "Clear" }).click();
    await expect(page.getByRole("link", { name: new RegExp(postText) })).toHaveCount(1);

    const to = await middleOf(page, "Open 19 March");
    const said = page.locator("[id^=DndLiveRegion]");
    await page.getByRole("link", { name: new RegExp(postText) }).hover();
    await page.mouse.down();
    await page.mouse.move(to.x - 20, to.y - 10, { steps: 4 });
    await expect(page.getByText(/^Copy to/)).toBeHidden();
    await page.keyboard.down("Shift");
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await expect(page.getByText(/^Copy to .*19 Mar.* 12:30$/)).toBeVisible();
    await expect(said).toHaveText(new RegExp(`^Let go to copy “${postText}” to .*19 Mar.* 12:30\\.$`));
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await expect(page.getByText(/^Copied to/)).toBeVisible();
    const copies = page.getByRole("link", { name: new RegExp(postText) });
    await expect(copies).toHaveCount(2);
    expect(await timeOf(page, product, id)).toBe("3-12 12:30");
    const { items } = await (await page.request.get(`${product.url}/v1/posts`)).json();
    expect(items.map((item: { overallStatus: string }) => item.overallStatus)).toEqual(["SCHEDULED", "SCHEDULED"]);
    expect(await timeOf(page, product, items[0].id)).toBe("3-19 12:30");
    await page.keyboard.press("Control+z");
    await expect(copies).toHaveCount(1);
    expect((await page.request.get(`${product.url}/v1/posts/${items[0].id}`)).status()).toBe(404);
  });

  test("a post dragged in the week view takes the quarter of an hour where it lands, and the label says which", async ({
    page,
  }) => {
    const id = await plannedPost(page, product);
    await openCalendar(page, product, "week");
    await look(page);
    const chip = await page.getByRole("link", { name: new RegExp(postText) }).boundingBox();
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
    expect(await timeOf(page, product, id)).toBe("3-10 15:15");
  });

  test("a post that was published stays where it is, and says why", { tag: "@long" }, async ({ page }) => {
    await signUp(page, product);
    await connect(page, product, "X", newName("p"));
    const id = await schedule(page, product, postText, new Date().toISOString());
    await expect
      .poll(async () => (await (await page.request.get(`${product.url}/v1/posts/${id}`)).json()).overallStatus)
      .toBe("COMPLETED");
    await page.goto(`${product.url}/calendar?view=list`);
    await page.getByRole("button", { name: "Month" }).click();
    const chip = page.getByRole("cell").getByRole("link", { name: new RegExp(`Published, .*${postText}`) });
    const reason = page.getByText(/^The time of this post, .* has passed\. It can’t be moved\.$/);
    await chip.focus();
    await page.keyboard.press("m");
    await expect(reason).toBeVisible();
    await page.reload();
    const box = await chip.boundingBox();
    await drag(page, { x: (box?.x ?? 0) + 60, y: (box?.y ?? 0) + 120 });
    await expect(reason).toBeVisible();
  });

  test("a post dropped on a past time stays at its time, with the reason", async ({ page }) => {
    const id = await plannedPost(page, product);
    await openCalendar(page, product, "month");
    // Moves the browser's clock past the target day. No response may correct it, not even one that is already on its way.
    await page.waitForLoadState("networkidle");
    await page.route("**/v1/**", (route) => route.abort());
    await page.clock.setSystemTime(new Date(nextYear, 2, 11, 13));
    await drag(page, await middleOf(page, "Open 10 March"));
    await expect(page.getByText(/^That time has passed\. The post stays on .*12 Mar.*\.$/)).toBeVisible();
    expect(await timeOf(page, product, id)).toBe("3-12 12:30");
  });

  test("keys pressed in quick succession all count", { tag: "@long" }, async ({ page }) => {
    await plannedPost(page, product);
    await openCalendar(page, product, "week");
    // One after the other without a pause, as a slow machine receives them.
    await page.evaluate(async () => {
      for (const key of ["ArrowRight", "ArrowRight", "1", "4"]) {
        dispatchEvent(new KeyboardEvent("keydown", { key }));
        await Promise.resolve();
      }
    });
    await expect(page).toHaveURL(new RegExp(`view=list&day=${nextYear}-03-14`));
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
    const id = await plannedPost(page, product);
    await openCalendar(page, product, "month");
    await page.keyboard.press("2");
    await expect(page).toHaveURL(/view=week/);
    await page.keyboard.press("ArrowRight");
    await expect(page).toHaveURL(new RegExp(`day=${nextYear}-03-13`));
    const focused = page.getByRole("button", { name: "Open 13 March" });
    await expect(focused).toBeFocused();
    const month = page.getByRole("table", { name: /^Posts of the month/ });
    for (const [key, drawn] of [
      ["1", month],
      ["Enter", page.getByRole("region", { name: "Hours" })],
      ["1", month],
    ] as const) {
      await page.keyboard.press(key);
      await expect(drawn).toBeVisible();
      await expect(focused).toBeFocused();
    }
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/April/);
    await expect(page.getByRole("button", { name: "Open 3 April" })).toBeFocused();
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft"]) await page.keyboard.press(key);
    await expect(page.getByRole("button", { name: "Open 12 March" })).toBeFocused();
    await page.keyboard.press("t");
    const today = page.getByRole("button", { name: /^Open / }).and(page.locator("[aria-current=date]"));
    await expect(today).toBeFocused();
    await openCalendar(page, product, "month");
    await reach(page, page.getByRole("link", { name: new RegExp(postText) }));
    await page.keyboard.press("m");
    await expect(page.getByRole("dialog", { name: "Move to another time" })).toBeVisible();
    await look(page);
    await reach(page, page.getByLabel("Date and time"));
    await typeTime(page, { day: "0303", time: "0805" });
    await page.keyboard.press("Enter");
    await expect.poll(() => timeOf(page, product, id)).toBe("3-3 8:05");
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
    expect([made.overallStatus, await timeOf(page, product, made.id)]).toEqual(["SCHEDULED", "4-4 9:30"]);
    const { items } = await (await page.request.get(`${product.url}/v1/media`)).json();
    const [{ attachmentPaths }] = made.publications[0].posts;
    expect(items).toMatchObject([{ path: attachmentPaths[0], altText: "Three bells" }]);
    expect(await page.evaluate(() => sessionStorage.getItem("pointer"))).toBeNull();
  });

  test("days in the past offer no new post, and a click on an empty slot opens the composer with its time filled in", async ({
    page,
  }) => {
    await plannedPost(page, product);
    const link = page.getByRole("link", { name: "New post for 12 March" });
    await page.goto(`${product.url}/calendar?view=month&day=${nextYear - 2}-03-12`);
    await expect(page.getByRole("button", { name: "Open 12 March" })).toBeVisible();
    const [first, second] = await page
      .getByRole("cell")
      .getByRole("button", { name: /^Open / })
      .allTextContents();
    expect([first, second]).toEqual([expect.stringMatching(/^\d+ (Feb|Mar)$/), expect.stringMatching(/^\d+$/)]);
    await expect(link).toBeHidden();
    await openCalendar(page, product, "month");
    await expect(link).toBeVisible();
    const { x, y } = await middleOf(page, "Open 25 March");
    await page.mouse.click(x, y + 20);
    await expect(page.getByLabel("Date and time")).toHaveValue(`${nextYear}-03-25T09:00`);
  });
});

test("if one of two concurrent moves fails, only that one is reverted and the other can be undone", async ({
  page,
}) => {
  const failing = await plannedPost(page, product);
  const other = "Ring the evening bell";
  const at = await page.evaluate((year) => new Date(year, 2, 12, 19, 30).toISOString(), nextYear);
  const going = await schedule(page, product, other, at);
  await page.route(/\/live(\?|$)/, (route) => route.abort());
  await openCalendar(page, product, "list");
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
    [postText, 20],
    [other, 21],
  ] as const) {
    await page.getByRole("button", { name: "Move to…" }).first().click(); // the earliest
    await page.getByLabel("Date and time").fill(`${nextYear}-03-${date}T08:05`);
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await expect(day(new RegExp(`${date}`))).toContainText(content);
  }
  answers[failing]?.();
  await expect(page.getByText(/^Not moved: Carillon did not answer/)).toBeVisible();
  await expect(day(/12/)).toContainText(postText);
  await expect(day(/21/)).toContainText(other);
  answers[going]?.();
  await expect(page.getByText(/^Moved to/)).toBeVisible();
  await expect(day(/21/)).toContainText(other);
  expect([await timeOf(page, product, failing), await timeOf(page, product, going)]).toEqual([
    "3-12 12:30",
    "3-21 8:05",
  ]);
  await page.keyboard.press("Control+z");
  await expect.poll(() => timeOf(page, product, going)).toBe("3-12 19:30");
});

test("the code for toasts is loaded before it is needed, and a toast waits if it is late", { tag: "@long" }, async ({
  page,
}) => {
  const id = await plannedPost(page, product);
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
  await openCalendar(page, product, "list");
  await expect.poll(() => isAsked).toBe(true);
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${nextYear}-03-21T08:05`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(() => timeOf(page, product, id)).toBe("3-21 8:05");
  letGo();
  await expect(page.getByText(/^Moved to/)).toBeVisible();
});

test("a move without a connection fails at once and is not repeated later", async ({ page }) => {
  const id = await plannedPost(page, product);
  await openCalendar(page, product, "list");
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${nextYear}-03-20T08:05`);
  await page.waitForLoadState("networkidle"); // The code for toasts is loaded when the page is idle.
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("Not moved: Carillon did not answer. Check your connection.")).toBeVisible();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${nextYear}-03-21T08:05`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText(/^Moved to/)).toBeVisible();
  expect(await timeOf(page, product, id)).toBe("3-21 8:05");
});

test("a move changes only the time and keeps an edit from elsewhere that this page has not seen", async ({ page }) => {
  const id = await plannedPost(page, product);
  await page.route(/\/live(\?|$)/, (route) => route.abort());
  await openCalendar(page, product, "list");
  const path = `${product.url}/v1/posts/${id}`;
  const { scheduledTime, publications } = await (await page.request.get(path)).json();
  const [{ socialMediaAccountId, platformSettings }] = publications;
  const theirs = [{ socialMediaAccountId, platformSettings, posts: [{ content: "Ring it twice" }] }];
  const data = { scheduledTime, publications: theirs };
  expect((await page.request.put(path, { headers: { origin: product.url }, data })).status()).toBe(200);
  await expect(page.getByText(postText).first()).toBeVisible();
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${nextYear}-03-20T08:05`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("Ring it twice").first()).toBeVisible();
  expect(await timeOf(page, product, id)).toBe("3-20 8:05");
});

test("the list shows the posts of each day, can be filtered, and moves a post with Move to…", {
  tag: ["@phone", "@long"],
}, async ({ page }) => {
  const id = await plannedPost(page, product);
  await openCalendar(page, product, "list");
  await look(page);
  await page.getByLabel("State").selectOption("Published");
  await expect(page.getByText("No posts here yet")).toBeVisible();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${nextYear}-03-21T18:00`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect.poll(() => timeOf(page, product, id)).toBe("3-21 18:00");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => timeOf(page, product, id)).toBe("3-12 12:30");
});
