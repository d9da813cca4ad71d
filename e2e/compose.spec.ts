import { expect, type Page } from "playwright/test";
import {
  accountBoxes,
  chooseAllAccounts,
  scheduledPosts,
  storePictures,
  textField,
  versionTab,
} from "./setup/composer";
import { addFiles, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { connect, look, newName, pressCounter, schedule, signUp, typeAndPress } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

const FIVE = ["X", "Instagram", "LinkedIn", "Pinterest", "TikTok"] as const;
test("five accounts, two pictures and one customised text are scheduled with at most 8 presses", async ({ page }) => {
  const person = newName("c");
  await signUp(page, product);
  for (const network of ["X", "Instagram", "LinkedIn"] as const) await connect(page, product, network, person);
  for (const other of ["b", "d"]) await connect(page, product, "X", newName(other));
  await storePictures(page, product, "bells.jpg", "tower.jpg");
  const all: { id: number; platform: string }[] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const types: { [platform: string]: string } = { X_TWITTER: "TWITTER" };
  const [file] = (await (await page.request.get(`${product.url}/v1/media`)).json()).items;
  const last = await page.request.post(`${product.url}/v1/posts`, {
    headers: { Origin: product.url },
    data: {
      isDraft: false,
      scheduledTime: "2090-01-01T00:00:00Z",
      publications: all.map(({ id, platform }) => ({
        socialMediaAccountId: id,
        platformSettings: { type: types[platform] ?? platform },
        posts: [{ content: `The last post of ${id}`, attachmentPaths: [file.path] }],
      })),
    },
  });
  expect(last.status(), await last.text()).toBe(201);
  await page.goto(`${product.url}/posts`);
  const presses = pressCounter();
  const { press } = presses;
  await press(page.getByRole("banner").getByRole("link", { name: "New post", exact: true }));
  await expect(accountBoxes(page).and(page.locator(":checked"))).toHaveCount(5);
  await expect(textField(page)).toBeFocused();
  await page.keyboard.type("The bells ring at noon");
  await press(page.getByRole("button", { name: "Use tower.jpg" }));
  await press(page.getByRole("button", { name: "Use bells.jpg" }));
  await press(versionTab(page, "Instagram"));
  await page.getByLabel("Text for Instagram").fill("The bells ring at noon. Link in bio");
  await press(versionTab(page, "All accounts"));
  await expect(textField(page)).toHaveValue("The bells ring at noon");
  await press(page.getByRole("button", { name: "Schedule to 5 accounts" }));
  await expect(page).toHaveURL(`${product.url}/posts`);
  expect(presses.count).toBeLessThanOrEqual(8);

  const [made] = await scheduledPosts(page, product);
  type Sent = { posts: { content: string; attachmentPaths: string[] }[] };
  const sent: Sent[] = made.publications;
  expect(sent.map(({ posts: [post] }) => post?.attachmentPaths.length)).toEqual([2, 2, 2, 2, 2]);
  expect(sent.filter(({ posts: [post] }) => post?.content.endsWith("Link in bio"))).toHaveLength(1);
});

test("a new person signs up, connects an account and publishes a first post with 7 presses", async ({ page }) => {
  const presses = pressCounter();
  const { press } = presses;
  const person = newName("c");
  await page.goto(`${product.url}/sign-up`);
  await page.getByLabel("Email").fill(`${person}@example.com`);
  await page.getByLabel("Password").fill("a long password");
  await press(page.getByRole("button", { name: "Create account" }));
  await press(page.getByRole("main").getByRole("link", { name: "Connect an account" }));
  const x = page.getByRole("button", { name: "Connect X" });
  await expect(page.getByRole("heading", { name: "Connect your first account" })).toBeVisible();
  const [popup] = await Promise.all([page.waitForEvent("popup"), press(x)]);
  await popup.getByLabel("or another name").fill(person);
  await press(popup.getByRole("button", { name: "Allow" }));
  await press(page.getByRole("main").getByRole("link", { name: "New post" }));
  await expect(accountBoxes(page)).toBeChecked();
  await textField(page).fill("My first bell");
  await press(page.getByRole("radio", { name: "Now" }));
  await press(page.getByRole("button", { name: "Post now" }));
  await expect(page.locator("[data-post]").getByText("Published", { exact: true })).toBeVisible();
  expect(presses.count).toBe(7);
});

test("the button and the time are on the screen on a laptop, a tablet and a phone", async ({ page }) => {
  const person = newName("c");
  await signUp(page, product);
  for (const network of FIVE) await connect(page, product, network, person);
  await page.goto(`${product.url}/compose`);
  await chooseAllAccounts(page);
  await textField(page).fill("The bells ring at noon. ".repeat(20));
  for (const [width, height] of [
    [1440, 900],
    [820, 1100],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo(0, 0));
    const button = page.getByRole("button", { name: /^Fix \d+ issues to schedule$/ });
    await expect(button).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("radio", { name: "Pick a time" })).toBeInViewport({ ratio: 1 });
    await expect(page.getByLabel("Date and time")).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("link", { name: "Close" })).toBeInViewport({ ratio: 1 });
  }
  // On a phone the bar is at the bottom of the screen, in place of the tab bar.
  const bar = await page.getByRole("button", { name: /^Fix \d+ issues to schedule$/ }).boundingBox();
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeGreaterThan(844 - 16);
  await expect(page.getByRole("navigation", { name: "Main" })).toHaveCount(0);
  await look(page);
  await page.getByRole("link", { name: "Close" }).click();
  await expect(page).toHaveURL(`${product.url}/posts`);
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
});

test("the button leads to the first issue, and each issue is fixed with one press", async ({ page }) => {
  const person = newName("c");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await connect(page, product, "Instagram", person);
  await page.goto(`${product.url}/compose`);
  await chooseAllAccounts(page);
  await textField(page).fill("The bells ring at noon. ".repeat(13));
  const issues = page.getByRole("region", { name: "2 issues to fix before this can be scheduled" });
  await expect(issues.getByRole("listitem")).toHaveCount(2);
  await expect(issues).toContainText("The text for X is");
  await page.getByRole("button", { name: "Fix 2 issues to schedule" }).click();
  await expect(issues.getByRole("button").first()).toBeFocused();
  await look(page);
  await issues.getByRole("button", { name: "Shorten it" }).click();
  await expect(versionTab(page, "X")).toHaveAccessibleName(/customised/);
  const left = page.getByRole("region", { name: "1 issue to fix before this can be scheduled" });
  await left.getByRole("button", { name: "Remove this account" }).click();
  await expect(page.getByRole("button", { name: "Schedule", exact: true })).toBeVisible();
});

test("“New post” in the composer saves the post that is being written and starts another, whose preview is shared with a link and shown as on a phone or a desktop", async ({
  page,
}) => {
  const person = newName("c");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/compose`);
  const write = page.getByRole("banner").getByRole("link", { name: "New post", exact: true });
  await expect(accountBoxes(page)).toBeChecked(); // the only one
  await accountBoxes(page).uncheck();
  await textField(page).fill("Only on this device");
  await write.click();
  await expect(page.getByText("Choose an account to save it as a draft first.")).toBeVisible();
  await expect(textField(page)).toHaveValue("Only on this device");
  await accountBoxes(page).first().check();
  await textField(page).fill("The first post");
  await write.click(); // at once, before it is saved by itself
  await expect(textField(page)).toHaveValue("");
  const drafts = async () => (await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json()).items;
  const contents = (items: { publications: { posts: { content: string }[] }[] }[]) =>
    items.map(({ publications }) => publications[0]?.posts[0]?.content);
  expect(contents(await drafts())).toEqual(["The first post"]);
  await expect(accountBoxes(page)).toBeChecked();
  await textField(page).fill("The second post");
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  expect(contents(await drafts())).toEqual(["The second post", "The first post"]);

  await page.setViewportSize({ width: 1600, height: 900 });
  await write.click();
  await expect(textField(page)).toHaveValue("");
  await expect(accountBoxes(page)).toBeChecked();
  await expect(page.getByRole("button", { name: "Share preview" })).toHaveCount(0); // nothing is written yet
  await accountBoxes(page).uncheck();
  await textField(page).fill("The bells ring at noon");
  await expect(page.getByText("Choose an account to save it as a draft first.")).toBeHidden(); // the first notice
  await page.getByRole("button", { name: "Share preview" }).click();
  await expect(page.getByText("Choose an account to save it as a draft first.")).toBeVisible();
  await accountBoxes(page).check();
  const preview = page.getByRole("figure", { name: "Preview for X" });
  const width = async () => (await preview.boundingBox())?.width ?? 0;
  const onPhone = await width();
  await page.getByRole("radio", { name: "Desktop" }).check();
  await expect.poll(width).toBeGreaterThan(onPhone + 40);
  await textField(page).fill("The bells ring at one");
  await page.getByRole("button", { name: "Share preview" }).click(); // at once, before it is saved by itself
  await expect(page.getByRole("heading", { name: "Share for feedback" })).toBeFocused();
  await page.getByLabel("The link is valid for").selectOption("3 days");
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = page.getByRole("link", { name: /\/reviews\?/ });
  await expect(link).toBeVisible();
  const shared = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(await shared.text()).toContain("The bells ring at one");
  await page.getByRole("link", { name: "Continue writing" }).click();
  await expect(textField(page)).toHaveValue("The bells ring at one");
});

test("tools begin a hashtag, a mention and a link at the cursor, insert an emoji that is found by its name, and lead to the first comment; keys pick the time and publish now", async ({
  page,
}) => {
  const person = newName("c");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await page.goto(`${product.url}/compose`);
  await expect(accountBoxes(page)).toBeChecked();
  await textField(page).fill("Ring");
  const tool = (name: string) => page.getByRole("button", { name, exact: true });
  await tool("Hashtag").click();
  await expect(textField(page)).toBeFocused();
  await page.keyboard.type("bells");
  await tool("Mention").click();
  await page.keyboard.type("tower ");
  await tool("Link").click();
  await page.keyboard.type("bells.example");
  await expect(textField(page)).toHaveValue("Ring #bells @tower https://bells.example");
  await textField(page).fill("noon");
  await textField(page).selectText();
  await tool("Hashtag").click();
  await expect(textField(page)).toHaveValue("#noon");
  await tool("Add a first comment").click();
  await expect(page.getByLabel(/^First comment/)).toBeFocused();

  await textField(page).fill("Ding dong");
  await textField(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(4, 4));
  await page.getByRole("button", { name: "Emoji" }).click();
  await page.getByLabel("Find an emoji").fill("bell");
  await look(page);
  await page.getByRole("button", { name: "bell", exact: true }).press("Enter");
  await expect(textField(page)).toHaveValue("Ding🔔 dong");
  await page.keyboard.press("Escape");
  await expect(page.getByLabel("Find an emoji")).toHaveCount(0);
  await expect(textField(page)).toBeFocused();

  await page.getByRole("radio", { name: "Now" }).check();
  await textField(page).fill("Ding, by keyboard");
  await page.getByRole("heading", { level: 1 }).click(); // no control has the focus
  await page.keyboard.press("Control+Shift+P");
  await expect(page.getByLabel("Date and time")).toBeFocused();
  await expect(page.getByRole("radio", { name: "Pick a time" })).toBeChecked();
  await typeAndPress(textField(page), " alone", { ctrlKey: true, shiftKey: true, key: "Enter" });
  await expect(page).toHaveURL(`${product.url}/posts`);
  await expect(page.locator("[data-post]").getByText("Published", { exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Ding, by keyboard alone" })).toBeVisible();
});

test("Back returns to the draft that was left, also if another post was begun since", { tag: "@long" }, async ({
  page,
}) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("c"));
  await page.goto(product.url);
  await page.getByRole("link", { name: "New post" }).first().click();
  await expect(accountBoxes(page)).toBeChecked();
  await textField(page).fill("The bells ring at noon");
  await page.getByRole("button", { name: "Share preview" }).click();
  await expect(page.getByRole("heading", { name: "Share for feedback" })).toBeFocused();
  await page.goBack();
  await expect(textField(page)).toHaveValue("The bells ring at noon");
  await page.goForward();
  await page.getByRole("link", { name: "New post" }).first().click();
  await expect(textField(page)).toHaveValue("");
  await textField(page).fill("The bells ring at one");
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Share for feedback" })).toBeVisible();
  await page.goBack();
  await expect(textField(page)).toHaveValue("The bells ring at noon");
  await expect(page.getByRole("heading", { level: 1, name: "New post" })).toBeVisible();
  await expect(page).toHaveTitle("New post · Carillon");
  const { items } = await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json();
  expect(items).toHaveLength(2);
});

test("the remaining characters are counted for each network: first the network whose text is being written, then the tightest", {
  tag: "@long",
}, async ({ page }) => {
  const person = newName("c");
  await signUp(page, product);
  for (const network of ["LinkedIn", "Instagram", "X"] as const) await connect(page, product, network, person);
  await connect(page, product, "X", newName("d"));
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${product.url}/compose`);
  await chooseAllAccounts(page);
  await addFiles(page, await picture("mug.jpg")); // Instagram counts what is below a picture
  await textField(page).fill("a".repeat(290));
  const counters = page.getByTitle(/^Counted as the network counts/);
  await expect(counters).toHaveText(["X10 over", "Instagram1,910 left", "LinkedIn2,710 left"]);
  await look(page);
  await versionTab(page, "Instagram").click();
  await page.getByLabel("Text for Instagram").fill("a".repeat(2201));
  await expect(counters).toHaveText(["Instagram1 over", "X10 over", "LinkedIn2,710 left"]);
  await versionTab(page, "All accounts").click();
  await expect(counters).toHaveText(["X10 over", "LinkedIn2,710 left", "Instagram1 over"]);
});

/** Waits until leaving the page would be asked about: its code is loaded with the first change. */
async function questionLoaded(page: Page): Promise<void> {
  await page.waitForFunction(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));
}

test("a planned post that is edited has its heading while it is loading; leaving it with unsaved changes is asked about, and they stay in this browser until they are saved or given up", async ({
  page,
}) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("c"));
  const id = await schedule(page, product, "Ding", "2090-01-01T00:00:00Z");
  await page.goto(`${product.url}/posts`);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/v1/posts/${id}`, (route) => isAnswered.then(() => route.continue()));
  await page.goto(`${product.url}/compose?edit=${id}`);
  await expect(page.getByText("Loading the post")).toBeAttached();
  await expect(page.getByRole("heading", { level: 1, name: "Edit post" })).toBeVisible();
  await expect(page).toHaveTitle("Edit post · Carillon");
  await look(page);
  answer();
  await expect(textField(page)).toHaveValue("Ding");
  const newPost = page.getByRole("link", { name: "New post" }).first();
  await newPost.click();
  await expect(page.getByRole("heading", { level: 1, name: "New post" })).toBeVisible();
  await expect(page).toHaveTitle("New post · Carillon");
  await page.goBack();
  await expect(textField(page)).toHaveValue("Ding");
  await expect(page).toHaveTitle("Edit post · Carillon");
  const close = page.getByRole("link", { name: "Close" });
  await textField(page).fill("Dong");
  await expect(page.getByText("Your changes are not saved yet.")).toBeVisible();
  await questionLoaded(page);
  await close.click();
  const question = page.getByRole("dialog", { name: "Save your changes?" });
  await expect(question).toBeVisible();
  await look(page);
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(close).toBeFocused();
  await expect(textField(page)).toHaveValue("Dong");
  await page.getByRole("link", { name: "Library" }).click();
  await question.getByRole("button", { name: "Leave without saving" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Library" })).toBeVisible();
  await page.goto(`${product.url}/compose?edit=${id}`);
  await expect(textField(page)).toHaveValue("Ding");
  await expect(page.getByText("Scheduled.", { exact: true })).toBeVisible();
  await textField(page).fill("Dong dong");
  // As when the browser ends, nothing is asked.
  await page.close();
  const later = await page.context().newPage();
  await later.goto(`${product.url}/compose?edit=${id}`);
  await expect(textField(later)).toHaveValue("Dong dong");
  await expect(later.getByText("Your changes are not saved yet.")).toBeVisible();
  await questionLoaded(later);
  await later.getByRole("link", { name: "Close" }).click();
  const laterQuestion = later.getByRole("dialog", { name: "Save your changes?" });
  await laterQuestion.getByRole("button", { name: "Save changes" }).click();
  await expect(later).toHaveURL(`${product.url}/posts/${id}`);
  const saved = await (await later.request.get(`${product.url}/v1/posts/${id}`)).json();
  expect(saved.publications[0].posts[0].content).toBe("Dong dong");
  await later.goto(`${product.url}/compose?edit=${id}`);
  await expect(textField(later)).toHaveValue("Dong dong");
  await expect(later.getByText("Scheduled.", { exact: true })).toBeVisible();
});

test("a post that is sent or saved although its page was left has nothing unsaved afterwards", async ({ page }) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("c"));
  const id = await schedule(page, product, "Ding", "2090-01-01T00:00:00Z");
  const isSave = (url: URL) => /^\/v1\/posts\/\d+$/.test(url.pathname);
  /** Presses the button that saves, and leaves the page while the request is on its way. */
  const leaveWhileSaving = async (name: string | RegExp) => {
    let letIn = () => {};
    const isLetIn = new Promise<void>((resolve) => {
      letIn = resolve;
    });
    await page.route(isSave, async (route) => {
      if (route.request().method() === "PUT") await isLetIn;
      await route.continue();
    });
    const isSent = page.waitForRequest((request) => isSave(new URL(request.url())) && request.method() === "PUT");
    await page.getByRole("button", { name }).click();
    await isSent;
    await page.goBack();
    await expect(textField(page)).toHaveCount(0);
    letIn();
  };
  const stored = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("carillon.draft")));

  await page.goto(`${product.url}/posts/${id}`);
  await page.getByRole("link", { name: "Edit", exact: true }).first().click();
  await textField(page).fill("Dong");
  await leaveWhileSaving("Save changes");
  await expect.poll(stored).toEqual([]);
  await page.goto(`${product.url}/compose?edit=${id}`);
  await expect(textField(page)).toHaveValue("Dong");
  await expect(page.getByText("Scheduled.", { exact: true })).toBeVisible();

  await page.goto(`${product.url}/posts`);
  await page.getByRole("link", { name: "New post" }).first().click();
  await textField(page).fill("Ding dong");
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  await leaveWhileSaving(/^Schedule/);
  await expect.poll(stored).toEqual([]);
  await page.goto(`${product.url}/compose`);
  await expect(accountBoxes(page)).toBeChecked();
  await expect(textField(page)).toHaveValue("");
});

test("“More” of a post that is being written duplicates it, repeats it, and deletes its draft after a question", {
  tag: "@long",
}, async ({ page }) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("c"));
  await page.goto(`${product.url}/compose`);
  const more = page.getByRole("button", { name: "More" });
  const item = (name: string) => page.getByRole("dialog", { name: "More" }).getByRole("button", { name });
  await expect(accountBoxes(page)).toBeChecked();
  await expect(more).toHaveCount(0); // nothing is written yet
  await textField(page).fill("Ding");
  await more.click();
  await expect(item("Duplicate")).toBeFocused();
  await look(page);
  await page.keyboard.press("Escape");
  await expect(more).toBeFocused();
  await more.click();
  await item("Repeat…").click();
  await expect(page).toHaveURL(/\/posts\/\d+\/repeat$/);
  await page.goto(`${product.url}/compose`);
  await expect(textField(page)).toHaveValue("Ding");
  await more.click();
  await expect(item("Duplicate")).toBeFocused();
  for (const name of ["Repeat…", "Delete draft"]) {
    await page.keyboard.press("Tab");
    await expect(item(name)).toBeFocused();
  }
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Delete this draft?" });
  await look(page);
  await question.getByRole("button", { name: "Keep it" }).click();
  await expect(more).toBeFocused();
  await more.click();
  await item("Duplicate").click();
  await expect(page).toHaveURL(/\/compose\?copy=\d+$/);
  await expect(textField(page)).toHaveValue("Ding");
  await page.goto(`${product.url}/compose`);
  await expect(textField(page)).toHaveValue("Ding");
  await more.click();
  await item("Delete draft").click();
  await question.getByRole("button", { name: "Delete it" }).click();
  await expect(textField(page)).toHaveValue("");
  const drafts = async () => (await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json()).items;
  await expect.poll(async () => (await drafts()).length).toBe(0);
});

test("a draft that is written offline stays on the device, says so, and is saved when the connection is back", async ({
  page,
  context,
}) => {
  await signUp(page, product);
  await connect(page, product, "X", newName("c"));
  await page.goto(`${product.url}/compose`);
  await accountBoxes(page).first().check();
  await context.setOffline(true);
  await textField(page).fill("Written in a tunnel");
  await expect(page.getByText("You’re offline. Saved on this device.")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(textField(page)).toHaveValue("Written in a tunnel");
});

test("without a connection, a window that is not loaded yet says so, and the page with the text stays", {
  tag: "@long",
}, async ({ page, context }) => {
  await signUp(page, product);
  await page.goto(`${product.url}/compose`);
  await textField(page).fill("Written in a tunnel");
  await page.waitForLoadState("networkidle"); // The code for notices is loaded when the page is idle.
  await context.setOffline(true);
  const emoji = page.getByRole("button", { name: "Emoji" });
  const says = page.getByText("This could not be opened. Check your connection, then load the page again.");
  await emoji.click();
  await expect(says).toBeVisible();
  await expect(textField(page)).toHaveValue("Written in a tunnel");
  await expect(emoji).toHaveAttribute("aria-expanded", "false");
  await context.setOffline(false);
});
