import { get } from "node:http";
import { expect, type Page } from "playwright/test";
import { addFiles, animation, film, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import {
  allow,
  altTextChip,
  connect,
  describeFile,
  expectIcons,
  importPosts,
  look,
  lookAlsoOnPhone,
  lookInDark,
  newName,
  openAccounts,
  openConnect,
  reach,
  schedule,
  signUp,
  signUpByHand,
  typeAndPress,
} from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

async function connectByHand(page: Page, network: string, person: string): Promise<void> {
  await openAccounts(page, product);
  await allow(await openConnect(page, network), person);
  await expect(page.getByText(`@${person} on ${network} is connected.`)).toBeVisible();
}

async function connectTelegram(page: Page, person: string): Promise<void> {
  await page.goto(`${product.url}/accounts`);
  await page.getByRole("button", { name: /Connect Telegram|^Telegram/ }).click();
  await lookOnPhone(page);
  const opens = page.waitForEvent("popup");
  await page.getByRole("link", { name: "Open Telegram" }).click();
  const telegram = await opens;
  await allow(telegram, person);
  await expect(telegram.getByRole("heading", { name: /Done/ })).toBeVisible();
  await telegram.close();
  await expect(page).toHaveURL(/\/accounts\/\d+\/chats$/);
  await lookOnPhone(page);
  await page.getByRole("link", { name: "Back to your accounts" }).click();
}

/** `look` at what accounts.spec.ts, posts.spec.ts and post.spec.ts check on a desktop. */
async function lookOnPhone(page: Page): Promise<void> {
  if (test.info().project.name === "phone") await look(page);
}

async function choose(page: Page, person: string, networks: string[]): Promise<void> {
  for (const network of networks) await page.getByRole("checkbox", { name: `@${person} ${network}` }).check();
}

test(
  "a new person writes one post with a picture for three networks and sees it on each of them",
  {
    tag: ["@phone", "@long"],
  },
  async ({ page }, info) => {
    const person = newName("p");
    await signUpByHand(page, product, `${person}@example.com`);
    await look(page);
    await connectByHand(page, "X", person);
    await connectByHand(page, "Instagram", person);
    await connectTelegram(page, person);
    await expect(page.getByText(`@${person}`)).toHaveCount(3);
    await page.getByRole("button", { name: `More for @${person} on Telegram` }).click();
    await expect(page.getByText("Where it can post")).toBeVisible();
    await lookOnPhone(page);
    await page.getByRole("button", { name: "Done" }).click();
    await look(page);

    await page.goto(`${product.url}/compose`);
    const text = `One text, many bells (${info.project.name})`;
    await choose(page, person, ["X", "Instagram", "Telegram"]);
    await page.getByLabel("Text", { exact: true }).fill(text);
    await addFiles(page, await picture("bells.jpg"));
    await page.getByRole("button", { name: "Choose a place" }).click();
    await expect(page.getByLabel("Where to post")).toBeFocused();
    await page.getByLabel("Where to post").selectOption({ index: 1 });
    await page.getByRole("radio", { name: "Now" }).check();
    const submit = page.getByRole("button", { name: "Post now to 3 accounts" });
    await expect(submit).toBeEnabled();
    await look(page);
    await submit.click();

    await expect(page).toHaveURL(`${product.url}/posts`);
    await expect(page.locator("[data-post]").getByText("Published", { exact: true })).toBeVisible();
    await lookOnPhone(page);
    await page.getByRole("link", { name: text }).click();
    await expect(page.getByRole("link", { name: /^See it on/ })).toHaveCount(3);
    await lookOnPhone(page);

    for (const network of ["x", "instagram", "telegram"]) {
      const ledger = await (await fetch(`${product.sandboxUrl}/_control/posts?network=${network}`)).json();
      const mine = ledger.filter((entry: { account: string }) => entry.account === person);
      expect(mine.map((entry: { text: string; media: unknown[] }) => [entry.text, entry.media.length])).toEqual([
        [text, 1],
      ]);
    }
  },
);

test("one account gets its own text, typed and taken back, while the other keeps the common one; what a network would refuse cannot be sent until that account is left out, and a picture that is converted for it says so", async ({
  page,
}) => {
  const person = newName("o");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await connect(page, product, "Instagram", person);
  await page.goto(`${product.url}/compose`);
  await choose(page, person, ["X", "Instagram"]);
  await page.getByLabel("Text", { exact: true }).fill("For everyone");
  const tab = (name: RegExp) => page.getByRole("tablist", { name: "Versions of this post" }).getByRole("tab", { name });
  await tab(/^X/).click();
  const own = page.getByLabel("Text for X", { exact: true });
  await expect(own).toHaveValue("For everyone");
  await own.press("End");
  await page.keyboard.type(", on X");
  await expect(own).toHaveValue("For everyone, on X");
  await expect(page.getByLabel("Preview for X").getByText("For everyone, on X")).toBeVisible();
  await expect(tab(/^X/)).toHaveAccessibleName(/customised/);
  await tab(/^Instagram/).click();
  const other = page.getByLabel("Preview for Instagram");
  await expect(other).toContainText("For everyone");
  await expect(other).not.toContainText("on X");
  await expect(page.getByLabel("Text for Instagram", { exact: true })).toHaveValue("For everyone");
  await tab(/^X/).click();
  await page.getByRole("button", { name: "Use the shared text" }).click();
  await expect(own).toHaveValue("For everyone");
  await expect(page.getByLabel("Preview for X").getByText("For everyone", { exact: true })).toBeVisible();

  await tab(/^All accounts/).click();
  await page.getByLabel("Text", { exact: true }).fill("Words alone");
  const remove = page.getByRole("button", { name: "Remove this account" });
  await page.getByRole("button", { name: "Fix 1 issue to schedule" }).click();
  await expect(
    page.getByRole("region", { name: "1 issue to fix before this can be scheduled" }).locator(":focus"),
  ).toHaveCount(1);
  await page.keyboard.press("Control+Shift+Enter");
  await page.keyboard.press("Control+Enter");
  await remove.click();
  await expect(page.getByRole("button", { name: "Schedule", exact: true })).toBeEnabled();
  const all: { overallStatus: string }[] = await schedules(page);
  expect(all.every(({ overallStatus }) => overallStatus === "DRAFT")).toBe(true);

  await choose(page, person, ["Instagram"]);
  await addFiles(page, await picture("bells.png"));
  await page
    .getByRole("tablist", { name: "Preview for" })
    .getByRole("tab", { name: /^Instagram/ })
    .click();
  await expect(page.getByText("it is sent as a JPEG of 900 x 900 pixels")).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Schedule to 2 accounts" })).toBeEnabled();
});

test("an animated GIF is published as it is on X and as a video on Instagram, and the preview says so", {
  tag: "@long",
}, async ({ page }) => {
  const person = newName("g");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await connect(page, product, "Instagram", person);
  await page.goto(`${product.url}/compose`);
  await choose(page, person, ["X", "Instagram"]);
  await addFiles(page, await animation("bells.gif"));
  await page.getByRole("tablist", { name: "Preview for" }).getByRole("tab", { name: /^X/ }).click();
  await expect(page.getByLabel("Preview for X").getByText("Video")).toHaveCount(0);
  await page
    .getByRole("tablist", { name: "Preview for" })
    .getByRole("tab", { name: /^Instagram/ })
    .click();
  await expect(page.getByLabel("Preview for Instagram").getByText("Video")).toHaveCount(1);
  await expect(page.getByText("it is sent as an MP4 video of 640 x 640 pixels, 3 seconds")).toHaveCount(1);
  await look(page);
  await page.getByRole("radio", { name: "Now" }).check();
  await page.getByRole("button", { name: "Post now to 2 accounts" }).click();
  const typesOn = async (network: string) => {
    const held = await (await page.request.get(`${product.sandboxUrl}/_control/posts?network=${network}`)).json();
    type Held = { account: string; media: { type: string }[] };
    return held.flatMap(({ account, media }: Held) => (account === person ? media.map(({ type }) => type) : []));
  };
  await expect.poll(() => typesOn("instagram"), { timeout: 60_000 }).toEqual(["video/mp4"]);
  await expect.poll(() => typesOn("x"), { timeout: 60_000 }).toEqual(["image/gif"]);
  const [made] = await schedules(page);
  await page.goto(`${product.url}/posts/${made?.id}`);
  await expect(page.getByLabel("Preview for X")).toBeVisible();
  await expect(page.getByLabel("Preview for X").getByText("Video")).toHaveCount(0);
  await page.getByRole("radio", { name: /Instagram$/ }).press("Space");
  await expect(page.getByLabel("Preview for Instagram").getByText("Video")).toHaveCount(1);
  await look(page);
});

test("a Pin is published to a section of its board, and an alt text that is too long is shortened in its field", {
  tag: "@long",
}, async ({ page }) => {
  const person = newName("n");
  await signUp(page, product);
  await connect(page, product, "Pinterest", person);
  await page.goto(`${product.url}/compose`);
  await choose(page, person, ["Pinterest"]);
  await addFiles(page, await picture("bells.jpg"));
  await describeFile(page, "bells.jpg", "b".repeat(501));
  await page.getByRole("button", { name: "Shorten the alt text" }).click();
  const words = page.getByLabel("Alt text of bells.jpg");
  await expect(words).toBeFocused();
  await words.fill("A bell");
  await page.keyboard.press("Escape");
  await expect(altTextChip(page, "bells.jpg")).toBeFocused();
  const [board, section] = [page.getByLabel("Where to post"), page.getByLabel("Section of the board")];
  await board.selectOption({ label: "Garden" });
  await section.selectOption({ label: "Autumn" });
  await board.selectOption({ label: "Kitchen" });
  await expect(section).toBeHidden();
  await board.selectOption({ label: "Garden" });
  await expect(section).toHaveValue("");
  await section.selectOption({ label: "Autumn" });
  await page.getByRole("radio", { name: "Now" }).check();
  const submit = page.getByRole("button", { name: "Post now" });
  await expect(submit).toBeEnabled();
  await look(page);
  await submit.click();
  await expect(page.locator("[data-post]").getByText("Published", { exact: true })).toBeVisible();
  const pins = await (await fetch(`${product.sandboxUrl}/_control/posts?network=pinterest`)).json();
  const mine = pins.filter(({ account }: { account: string }) => account === person);
  expect(mine).toMatchObject([{ settings: { altText: "A bell", boardSectionId: expect.stringMatching(/^\d+$/) } }]);
});

test("a long text is split into a thread, saved as a draft, scheduled with the keyboard, and edited", async ({
  page,
}) => {
  const person = newName("s");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/compose`);
  await choose(page, person, ["X"]);
  await page.getByLabel("Text", { exact: true }).fill("The bells of the old tower ring again tonight. ".repeat(9));
  await page.getByRole("button", { name: "Split into a thread of 2" }).click();
  const preview = page.getByRole("figure", { name: "Preview for X" });
  await expect(preview.getByRole("listitem")).toHaveCount(2);
  await expectIcons(preview);
  await page.getByLabel("Part 2", { exact: true }).press("Alt+ArrowUp");
  await page.getByLabel("Part 1", { exact: true }).fill("First the");
  await typeAndPress(page.getByLabel("Part 1", { exact: true }), " end.", { altKey: true, key: "Enter" });
  await expect(page.getByLabel("Part 1", { exact: true })).toHaveValue("First the end.");
  await page.keyboard.type("Then the middle.");
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  await look(page);

  await page.reload();
  await expect(page.getByLabel("Part 2", { exact: true })).toHaveValue("Then the middle.");
  await page.getByText("Pick a time").click();
  await page.getByLabel("Date and time").fill(`${new Date().getFullYear() + 2}-03-04T09:30`);
  await page.getByLabel("Date and time").press("Control+Enter");
  await expect(page).toHaveURL(`${product.url}/posts`);
  const [planned] = await schedules(page);
  expect([planned.overallStatus, planned.publications[0].posts.length]).toEqual(["SCHEDULED", 3]);

  await page.goto(`${product.url}/posts/${planned.id}`);
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Part 1", { exact: true }).fill("First the beginning.");
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page).toHaveURL(`${product.url}/posts/${planned.id}`);
  await expect(page.getByRole("heading", { name: "First the beginning." })).toBeVisible();
  expect(await schedules(page)).toHaveLength(1);
});

test("a frame of a video is chosen as cover with the keyboard and removed again", { tag: "@long" }, async ({
  page,
}) => {
  const person = newName("c");
  await signUp(page, product);
  await connect(page, product, "Pinterest", person);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/compose`);
  await choose(page, person, ["Pinterest", "X"]);
  await page.getByLabel("Text", { exact: true }).fill("Bells that move");
  await addFiles(page, await film());
  await page.getByRole("button", { name: "Choose a cover for bells.webm" }).click();
  const covers = page.getByRole("dialog", { name: "Cover of bells.webm" });
  await expect(covers.getByText("Goes to Pinterest. X chooses by itself.")).toBeVisible();
  const use = covers.getByRole("button", { name: "Use this frame" });
  await expect(use).toBeEnabled();
  await covers.getByRole("slider", { name: "Moment" }).press("ArrowRight");
  await expect(covers.getByRole("slider")).toHaveAttribute("aria-valuetext", "0:00.0 of 0:02.0");
  await look(page);
  await reach(page, use);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Has a cover.")).toBeVisible();
  const cover = async () => (await schedules(page))[0]?.publications.map(coverOf).sort();
  await expect.poll(cover).toEqual(["", expect.stringMatching(/\.jpg$/)]);
  await look(page);
  await page.getByRole("button", { name: "Another cover for bells.webm" }).click();
  await covers.getByRole("button", { name: "Let each network choose" }).click();
  await expect.poll(cover).toEqual(["", ""]);
});

test("a picture is cropped with keyboard and pointer, keeps its alt text, and the crop can be undone", async ({
  page,
}) => {
  const person = newName("k");
  await signUp(page, product);
  await connect(page, product, "Instagram", person);
  await page.goto(`${product.url}/compose`);
  await choose(page, person, ["Instagram"]);
  await addFiles(page, await picture("bells.jpg", { width: 900, height: 600 }));
  await describeFile(page, "bells.jpg", "Two bells");
  await page.getByRole("button", { name: "Crop bells.jpg" }).click();
  const window = page.getByRole("dialog", { name: "Crop bells.jpg" });
  await expect(window.getByText("900 × 600 pixels")).toBeVisible();
  await expect(window.getByRole("button", { name: "9:16" })).toBeHidden(); // Instagram's feed does not accept it.
  await window.getByRole("button", { name: "1:1", exact: true }).click();
  await expect(window.getByText("600 × 600 pixels")).toBeVisible();
  const corner = window.getByRole("button", { name: "Bottom right corner" });
  await corner.press("ArrowUp");
  await corner.press("Shift+ArrowUp");
  await expect(window.getByText("501 × 501 pixels")).toBeVisible();
  await look(page);
  const at = await corner.boundingBox();
  if (!at) throw new Error("the corner is not drawn");
  await page.mouse.move(at.x + at.width / 2, at.y + at.height / 2);
  await page.mouse.down();
  await page.mouse.move(at.x - 40, at.y - 40, { steps: 4 });
  await page.mouse.up();
  await expect(window.getByText("501 × 501 pixels")).toBeHidden();
  const [, side] = /^(\d+) × \1 pixels$/.exec((await window.getByRole("status").textContent()) ?? "") ?? [];
  await reach(page, window.getByRole("button", { name: "Crop", exact: true }));
  await page.keyboard.press("Enter");
  const expectDescribed = async (file: string) => {
    await page.getByRole("button", { name: `Alt text of ${file}` }).click();
    await expect(page.getByLabel(`Alt text of ${file}`)).toHaveValue("Two bells");
    await page.keyboard.press("Escape");
  };
  await expectDescribed("bells cropped.jpg");
  const made = async () => (await (await page.request.get(`${product.url}/v1/media`)).json()).items;
  expect((await made()).map(({ width, height }: { width: number; height: number }) => [width, height])).toEqual([
    [Number(side), Number(side)],
    [900, 600],
  ]);
  await page.getByRole("button", { name: "Undo the crop of bells.jpg" }).click();
  await expectDescribed("bells.jpg");
  await look(page);
});

function coverOf({ posts: [post] }: { posts: { thumbnail?: string }[] }): string {
  return post?.thumbnail ?? "";
}

async function schedules(page: Page) {
  return (await (await page.request.get(`${product.url}/v1/posts`)).json()).items;
}

test("the first page says what went out and what is next, also after 60 other posts were created", async ({ page }) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("h"));
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  await schedule(page, product, "The bell that has rung", inDays(0));
  await expect.poll(async () => (await schedules(page))[0].overallStatus).toBe("COMPLETED");
  await schedule(page, product, "The bell that rings next", inDays(1));
  const later = Array.from({ length: 60 }, (_, at) => ({ at: inDays(30 + at), text: `Bell ${at} in a month` }));
  await importPosts(page, product, later);
  await page.goto(product.url);
  const upcoming = page.getByRole("region", { name: "Upcoming" }).getByRole("listitem");
  await expect(upcoming).toHaveCount(5);
  await expect(upcoming.first()).toContainText("The bell that rings next");
  await expect(page.getByText(/1 post today, 1 is out\./)).toBeVisible();
  const bell = page.getByRole("group", { name: "The posts of today" }).getByRole("link");
  await expect(bell).toHaveAccessibleName(/published, 1 account: The bell that has rung$/);
  await expect(page.getByText("Nothing needs your attention.")).toBeVisible();
  await expect(page.getByRole("link", { name: /^1 post on / })).toHaveCount(2);
  await look(page);
  const lists = page.getByRole("main").getByRole("listitem").filter({ hasText: "The bell that has rung" });
  await expect(lists).toHaveCount(1); // under Today, and not once more under Recent
  const today = page.getByRole("region", { name: "Today" });
  await expect(today).toContainText("The bell that has rung");
  const [list, days] = [
    await today.boundingBox(),
    await page.getByRole("region", { name: "Next 7 days" }).boundingBox(),
  ];
  expect((list?.x ?? 0) + (list?.width ?? 0), "the days are beside the posts").toBeLessThan(days?.x ?? 0);
  await expect(page.getByRole("region", { name: "Recent" })).toBeHidden();
  await expect(page.getByText("Your first post, in four steps")).toBeHidden();
  await page.setViewportSize({ width: 390, height: 844 });
  for (const text of ["The bell that has rung", "The bell that rings next"]) {
    const box = await page.getByRole("main").getByRole("link", { name: text, exact: true }).boundingBox();
    expect(box?.width, "the text has most of the row").toBeGreaterThan(200);
  }
});

test("a typed password can be shown and hidden without script; Enter signs in, and a wrong password is explained, with and without script", async ({
  browser,
}) => {
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${product.url}/sign-in`);
  const password = page.getByLabel("Password", { exact: true });
  await page.getByLabel("Email").fill("nobody@example.com");
  await password.fill("A <b>pass</b> & 'word\"");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(password).toHaveValue("A <b>pass</b> & 'word\"");
  await page.getByRole("button", { name: "Hide password" }).click();
  await expect(password).toHaveAttribute("type", "password");
  await expect(password).toHaveValue("A <b>pass</b> & 'word\"");
  await expect(page.getByLabel("Email")).toHaveValue("nobody@example.com");
  await password.press("Enter");
  await expect(page.getByText("Email or password doesn't match")).toBeVisible();
  await expect(password).toHaveValue("");
  await page.context().close();

  const other = await browser.newPage();
  await other.goto(`${product.url}/sign-in`);
  await other.getByLabel("Email").fill("nobody@example.com");
  await other.getByLabel("Password").fill("not the password");
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByText("Email or password doesn't match")).toBeVisible();
  await expect(other.getByLabel("Email")).toHaveValue("nobody@example.com");
  await other.goto(`${product.url}/sign-up`);
  await other.getByRole("button", { name: "Show password" }).click();
  await expect(other.getByRole("button", { name: "Hide password" })).toBeVisible();
  await look(other);
  await other.close();
});

test("a sign-in page opened at another address names the setting and links to the right address", async ({ page }) => {
  const { port, host } = new URL(product.url);
  const notice = page.getByRole("alert");
  const says = async (shown: string) => {
    await expect(notice).toContainText(`It is set to ${product.url}, and this page was asked for at ${shown}.`);
    await expect(notice).toContainText("Set BASE_URL");
  };
  await page.goto(`${product.url}/sign-in`);
  await expect(notice).toBeHidden();
  await page.goto(`http://127.0.0.1:${port}/sign-in`);
  await says(`127.0.0.1:${port}`);
  await look(page);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await says(`http://127.0.0.1:${port}`);
  await expect(page.getByText("came from another site")).toBeHidden();
  await page.getByRole("link", { name: `Continue at ${product.url}` }).click();
  await expect(page).toHaveURL(`${product.url}/sign-in`);

  const asked = (headers: { [name: string]: string }) =>
    new Promise<string>((resolve, reject) => {
      const request = get({ port, host: "localhost", path: "/sign-in", headers }, async (answer) => {
        resolve(Buffer.concat(await answer.toArray()).toString());
      });
      request.once("error", reject);
    });
  for (const foreign of ["carillon.lan", `"><script>alert(1)</script>`]) {
    const answer = await asked({ host: foreign });
    expect(answer).toContain("this page was asked for at another address");
    expect(answer).not.toMatch(/carillon\.lan|<script/);
  }
  expect(await asked({ host, "x-forwarded-host": "evil.example" })).not.toContain("This is not the address");
});

test("a page that does not exist names the product and leads home", async ({ page }) => {
  const answer = await page.goto(`${product.url}/nothing-here`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await lookAlsoOnPhone(page);
  await lookInDark(page);
  await page.getByRole("link", { name: "Carillon" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
});

test("the settings name all their sections, in the order of the page", async ({ page }) => {
  await signUp(page, product);
  await page.goto(`${product.url}/settings`);
  const links = page.getByRole("navigation", { name: "Sections of the settings" }).getByRole("link");
  const named = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")?.slice(1)));
  const ids = await page.locator("main h2").evaluateAll((all) => all.map(({ id }) => id));
  // "Security" leads to both of its sections, and "Time and week" too.
  const followers = ["factors", "week-start"];
  expect(named).toEqual(ids.filter((id) => !followers.includes(id)));
  await links.filter({ hasText: "Time and week" }).click();
  await expect(page.getByRole("heading", { name: "Time zone" })).toBeInViewport();
});

test("the navigation can be collapsed and a theme chosen, and a reload keeps both", async ({ page }) => {
  const email = `${newName("a-rather-long-name-")}@example.com`;
  await signUp(page, product, email);
  const openSettings = async () => {
    await openAccounts(page, product);
    await page.getByRole("link", { name: "Settings" }).click();
    await expect(page.getByRole("heading", { name: "Appearance" })).toBeVisible();
  };
  const widthOfNav = async () => (await page.getByRole("navigation", { name: "Main" }).boundingBox())?.width ?? 0;
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const [light, dark] = ["rgb(255, 254, 251)", "rgb(18, 28, 26)"];
  await openSettings();
  expect(await widthOfNav()).toBeGreaterThan(180);
  expect((await page.getByTitle(email).boundingBox())?.height, "one line").toBeLessThan(20);
  await page.getByRole("button", { name: "Collapse the navigation" }).click();
  await expect.poll(widthOfNav).toBeLessThan(60);
  await page.getByRole("radio", { name: "Dark" }).check();
  await expect.poll(ground).toBe(dark);
  await page.reload();
  expect([await ground(), (await widthOfNav()) < 60]).toEqual([dark, true]);
  await look(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await openSettings();
  await page.getByRole("radio", { name: "Light" }).check();
  await expect.poll(ground).toBe(light);
  await look(page);
  await page.getByRole("radio", { name: "Same as this device" }).check();
  await expect.poll(ground).toBe(dark);
});
