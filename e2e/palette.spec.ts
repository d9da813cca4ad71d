import { expect, type Page } from "playwright/test";
import { picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, importPosts, look, newName, schedule, shortenFileLists, signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

const text = "Ring the noon bell";
const field = (page: Page) => page.getByRole("combobox", { name: "Search or jump to" });

/** The option that Enter chooses in the palette's own list. */
const marked = (page: Page) => page.getByRole("listbox", { name: "Results" }).getByRole("option", { selected: true });

/** Opens the palette with Ctrl+K, or with its button on a phone. */
async function openPalette(page: Page, isMobile: boolean): Promise<void> {
  if (isMobile) await page.getByRole("button", { name: "Search or jump to" }).click();
  else await page.keyboard.press("Control+k");
  await expect(field(page)).toBeFocused();
}

/** The focused element with its selection, the scroll positions and the address. */
function placeOf(page: Page) {
  return page.evaluate(() => {
    const { activeElement: at } = document;
    const selection = at instanceof HTMLTextAreaElement ? [at.value, at.selectionStart, at.selectionEnd] : [];
    return { at: at?.outerHTML.slice(0, 200), selection, inside: at?.scrollTop, page: scrollY, address: location.href };
  });
}

test("with scrollbars that take space, no page shifts when a dialog opens, and tabs have none", async ({
  playwright,
  launchOptions,
}) => {
  const browser = await playwright.chromium.launch({ ...launchOptions, ignoreDefaultArgs: ["--hide-scrollbars"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await signUp(page, product);
  const measure = () =>
    page.evaluate(() => {
      const { scrollHeight, clientHeight } = document.documentElement;
      const right = document.getElementById("main")?.getBoundingClientRect().right;
      const tabs = [...document.querySelectorAll<HTMLElement>("main nav")];
      const beside = Math.max(...tabs.map((one) => one.offsetWidth - one.clientWidth));
      return { right, beside, isLonger: scrollHeight > clientHeight };
    });
  for (const [path, isLonger] of [
    ["/posts", false],
    ["/settings", true],
  ] as const) {
    await page.goto(product.url + path);
    await expect.poll(async () => (await measure()).isLonger, path).toBe(isLonger); // once the page has loaded
    const before = await measure();
    expect(before.right, path).toBeLessThan(1270); // the frame of 10 px, and the place of the scrollbar
    expect(before.beside, path).toBe(0);
    await openPalette(page, false);
    expect((await measure()).right, path).toBe(before.right);
  }
  await browser.close();
});

test("the palette finds a post, an account and a page and opens them by key or press", {
  tag: ["@phone", "@long"],
}, async ({ page, isMobile }) => {
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
  await expect(page.getByRole("group", { name: "Posts", exact: true }).getByRole("option")).toHaveCount(1);
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
  await expect(page.getByRole("status").getByText("Nothing found.", { exact: true })).toBeVisible();
  await field(page).fill("events");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/webhooks/events`);
});

test("the palette shows posts that the page has loaded at once and adds the API's results", { tag: "@long" }, async ({
  page,
  isMobile,
}) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("k"));
  const id = await schedule(page, product, "Evening at the Café", `${new Date().getFullYear() + 2}-03-12T12:30:00Z`);
  const at = `${new Date().getFullYear() + 1}-03-12T12:30:00Z`;
  // More posts than any page loads at once.
  await importPosts(
    page,
    product,
    Array.from({ length: 105 }, (_, index) => ({ at, text: `Evening bell ${index}` })),
  );
  await page.goto(`${product.url}/posts`);
  await expect(page.getByRole("link", { name: /Evening bell 14/ })).toBeVisible();

  const asked: string[] = [];
  let answer = () => {};
  let fails = false;
  const answers = () =>
    new Promise<void>((resolve) => {
      answer = resolve;
    });
  await page.route(/\/v1\/posts\?(.*&)?text=/, async (route) => {
    asked.push(new URL(route.request().url()).searchParams.get("text") ?? "");
    if (fails) return route.fulfill({ status: 403, json: { error: "Not now" } });
    await answers();
    await route.continue().catch(() => {}); // The page may have cancelled the request.
  });
  const says = (text: string) => expect(page.getByRole("status").getByText(text, { exact: true })).toBeVisible();
  const posts = page.getByRole("group", { name: "Posts", exact: true }).getByRole("option");

  await openPalette(page, isMobile);
  await page.keyboard.insertText("bell 14"); // in one step, because the API is asked after a pause
  await expect(posts).toHaveText([/Evening bell 14/]);
  await says("1 result so far.");
  await expect.poll(() => asked).toEqual(["bell 14"]);
  answer();
  await says("1 result.");

  await field(page).fill("cafe");
  await says("Looking…");
  await expect.poll(() => asked).toEqual(["bell 14", "cafe"]);
  await field(page).fill("cafe evening");
  await expect.poll(() => asked).toEqual(["bell 14", "cafe", "cafe evening"]);
  await says("Looking…");
  answer();
  await says("1 result.");
  await expect(posts).toHaveText([/Evening at the Café/]);

  fails = true;
  await field(page).fill("cafe morning");
  await says("0 results. Your posts could not be searched: Not now");
  await field(page).fill("cafe evening");
  await says("1 result.");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`${product.url}/posts/${id}`);
});

test("a file is found by its name among more files than any page has loaded, also without its accents", async ({
  page,
  isMobile,
}) => {
  await signUp(page, product);
  const { mimeType, buffer } = await picture("a.jpg", { width: 20, height: 20 });
  const names = ["Clôche.jpg", ...Array.from({ length: 4 }, (_, at) => `picture ${at}.jpg`)];
  for (const name of names) {
    const multipart = { file: { name, mimeType, buffer } };
    await page.request.post(`${product.url}/v1/media/upload`, { headers: { Origin: product.url }, multipart });
  }
  await shortenFileLists(page, 3);
  await page.goto(`${product.url}/library`);
  await expect(page.getByRole("button", { name: "All files 5" })).toBeVisible();
  await expect(page.locator("[data-file]")).toHaveCount(3);
  await openPalette(page, isMobile);
  await page.keyboard.type("cloche");
  await expect(marked(page)).toContainText("Clôche.jpg");
  await page.keyboard.press("Enter");
  await expect(page.locator("[data-file]")).toHaveText(["Clôche.jpg"]);
});

test.describe("with a keyboard", () => {
  test("Escape restores focus, selection and scroll position, and keys typed before the palette opens go to it", async ({
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
    await expect(marked(page)).toHaveText(/^New post/);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect.poll(() => placeOf(page)).toEqual(before);
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect.poll(() => placeOf(page)).toEqual(before);
  });

  test("N starts a new post, and G and H lead to Home, from other pages and never while the person types", {
    tag: "@long",
  }, async ({ page }) => {
    await signUp(page, product);
    await page.goto(`${product.url}/posts`);
    const search = page.getByRole("searchbox");
    await expect(page.getByText("Nothing scheduled yet")).toBeVisible();
    await search.fill("");
    await page.keyboard.type("n gh");
    await expect(search).toHaveValue("n gh");
    await expect(page).toHaveURL(/\/posts/);
    await search.blur();
    await page.keyboard.press("n");
    await expect(page).toHaveURL(`${product.url}/compose`);
    await expect(page.getByLabel("Text", { exact: true })).toBeVisible();
    await page.locator("#main").focus();
    await page.keyboard.press("n"); // would end the post that is being written
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await expect(page).toHaveURL(`${product.url}/`);
    await page.goBack();
    await expect(page).toHaveURL(`${product.url}/compose`);
    await page.goBack();
    await expect(page).toHaveURL(/\/posts/);
  });

  test("no key is lost between opening the palette and focusing its field, and the selected option stays selected when results are added above it", {
    tag: "@long",
  }, async ({ page }) => {
    await signUp(page, product);
    await connect(page, product, "X", newName("k"));
    await schedule(page, product, "Pages of the kalends", `${new Date().getFullYear() + 1}-03-12T12:30:00Z`);
    await page.goto(`${product.url}/settings`);
    await expect(page.getByRole("button", { name: "Search or jump to" })).toBeVisible();
    // Sends a key at the first moment after the dialog opens, earlier than Playwright could.
    const isLetIn = page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          new MutationObserver((_, observer) => {
            const field = document.querySelector("dialog[open] input");
            if (!field) return;
            observer.disconnect();
            const key = new KeyboardEvent("keydown", { key: "x", bubbles: true, cancelable: true });
            resolve(field === document.activeElement && field.dispatchEvent(key));
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await page.keyboard.press("Control+k");
    await page.keyboard.type("write a post about bells");
    await expect(field(page)).toHaveValue("write a post about bells");
    expect(await isLetIn).toBe(true);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();

    let answer = () => {};
    const answers = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/v1/media?*", (route) =>
      route.fulfill({
        json: {
          items: [
            {
              key: "a/b.png",
              path: "a/b.png",
              filename: "kalends.png",
              contentType: "image/png",
              sizeBytes: 1,
              url: "",
            },
          ],
          nextCursor: null,
        },
      }),
    );
    await page.route(/\/v1\/posts\?(.*&)?text=/, async (route) => {
      await answers;
      await route.continue();
    });
    await openPalette(page, false);
    await page.keyboard.type("kalends");
    await expect(marked(page)).toContainText("kalends.png");
    answer();
    await expect(page.getByRole("dialog").getByRole("option")).toHaveText([/Pages of the kalends/, /kalends\.png/]);
    await expect(marked(page)).toContainText("kalends.png");
  });

  test("single-key shortcuts are listed, do not fire while typing, and can be switched off", async ({ page }) => {
    await signUp(page, product);
    const calendar = `${product.url}/calendar`;
    await page.goto(calendar);
    await expect(page.getByRole("button", { name: "Today" })).toBeVisible();
    await openPalette(page, false);
    await page.keyboard.type("n week");
    await expect(page).toHaveURL(calendar);
    await field(page).fill("week");
    const week = marked(page);
    await expect(week).toHaveAttribute("aria-keyshortcuts", "2");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/view=week/);
    await expect(page.getByRole("dialog")).toBeHidden();

    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await expect(keys.getByText("Month, week, day, list")).toBeVisible();
    await look(page);
    await page.keyboard.press("1");
    await keys.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await page.keyboard.press("1");
    await page.keyboard.press("?");
    await openPalette(page, false); // The keys before it would have taken effect by now.
    await expect(page).toHaveURL(/view=week/);
  });
});
