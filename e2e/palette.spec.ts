import { expect, type Page } from "@playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, newName, schedule, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

const text = "Ring the noon bell";
const field = (page: Page) => page.getByRole("combobox", { name: "Find or do" });

/** The line that Enter chooses: pages beneath have lists of their own. */
const marked = (page: Page) =>
  page.getByRole("listbox", { name: "What there is" }).getByRole("option", { selected: true });

/** By the button where there is no keyboard. */
async function openPalette(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole("button", { name: "Find or do" }).click();
  else await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
}

/** Where the keyboard and the pages stand. */
function placeOf(page: Page) {
  return page.evaluate(() => {
    const { activeElement: at } = document;
    const selection = at instanceof HTMLTextAreaElement ? [at.value, at.selectionStart, at.selectionEnd] : [];
    return { at: at?.outerHTML.slice(0, 200), selection, inside: at?.scrollTop, page: scrollY, address: location.href };
  });
}

test("from anywhere a post, an account and a page are found, chosen by keys or a press, and gone to", async ({
  page,
  isMobile,
}) => {
  await signUp(page, product);
  const person = newName("k");
  await connect(page, product, "X", person);
  const id = await schedule(page, product, text, `${new Date().getFullYear() + 1}-03-12T12:30:00Z`);
  await page.goto(`${product.url}/settings`);
  await openPalette(page, isMobile);
  await look(page);

  await page.keyboard.type("noon");
  await expect(page.getByRole("status").getByText("1 result.")).toBeVisible();
  await expect(marked(page)).toContainText(text);
  await expect(page.getByRole("group", { name: "Posts, among all of yours" }).getByRole("option")).toHaveCount(1);
  await look(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/posts/${id}`);
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(page.locator("#main")).toBeFocused();

  await openPalette(page, isMobile);
  await page.keyboard.type(person);
  await page.getByRole("option", { name: new RegExp(`X · @${person}`) }).click();
  await expect(page).toHaveURL(/\/accounts\?account=\d+$/);
  await openPalette(page, isMobile);
  await page.keyboard.type("zzz");
  await expect(page.getByText("Nothing found. Posts were looked for among all of yours.")).toBeVisible();
  await field(page).fill("events");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/webhooks/events`);
});

test.describe("with a keyboard", () => {
  test.skip(({ isMobile }) => isMobile, "a phone has none");

  test("Escape is exactly where one was, in the composer's text too, and what is typed before it is there is its own", async ({
    page,
  }) => {
    await signUp(page, product);
    await connect(page, product, "X", newName("k"));
    await page.goto(`${product.url}/compose`);
    const writing = page.getByLabel("Text", { exact: true });
    await writing.fill(`${"Ring the bells\n".repeat(60)}at noon`);
    await writing.evaluate((area: HTMLTextAreaElement) => {
      area.setSelectionRange(30, 45);
      area.scrollTop = 100;
      scrollTo(0, 120);
    });
    const before = await placeOf(page);
    expect(before).toMatchObject({ inside: 100, page: 120 });

    let arrive = () => {};
    const arrives = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route("**/_next/static/**", async (route) => {
      await arrives;
      await route.continue();
    });
    await page.keyboard.press("Control+k");
    await page.keyboard.type("writz");
    await page.keyboard.press("Backspace");
    arrive();
    await expect(field(page)).toHaveValue("writ");
    await page.keyboard.type("e ");
    await expect(field(page)).toHaveValue("write ");
    await expect(marked(page)).toHaveText(/^Write/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect.poll(() => placeOf(page)).toEqual(before);
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect.poll(() => placeOf(page)).toEqual(before);
  });

  test("single keys are listed, never fire while somebody types, and can be switched off", async ({ page }) => {
    await signUp(page, product);
    const calendar = `${product.url}/calendar`;
    await page.goto(calendar);
    await expect(page.getByRole("button", { name: "Today" })).toBeVisible();
    await openPalette(page, false);
    await page.keyboard.type("n week");
    await expect(page).toHaveURL(calendar);
    await field(page).fill("week");
    const week = marked(page);
    await expect(week).toHaveAttribute("aria-keyshortcuts", "w");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/view=week/);
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(keys.getByText("Month, week, day, list")).toBeVisible();
    await look(page);
    await page.keyboard.press("m");
    await keys.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("m");
    await page.keyboard.press("?");
    await openPalette(page, false); // by then the keys before it would have done something
    await expect(page).toHaveURL(/view=week/);
  });
});
