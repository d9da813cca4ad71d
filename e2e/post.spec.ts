import { readFile } from "node:fs/promises";
import { expect, type Locator } from "playwright/test";
import { pick, picture } from "./setup/files";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import {
  connect,
  expectIcons,
  forgetSession,
  look,
  lookAlsoOnPhone,
  newcomer,
  newName,
  schedule,
  signIn,
  signUpConfirmed,
} from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

test("a deleted post can be restored unchanged", { tag: "@long" }, async ({ page }) => {
  await newcomer(page, product);
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const id = await schedule(page, product, "On second thoughts", at);
  await page.goto(`${product.url}/posts/${id}`);
  await look(page);
  await page.getByRole("button", { name: "Delete this post" }).click();
  await expect(page.getByText("Deleted. It will not go out.")).toBeVisible();
  expect((await page.request.get(`${product.url}/v1/posts/${id}`)).status()).toBe(404);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveURL(/\/posts\/\d+$/);
  await expect(page.getByRole("heading", { name: "On second thoughts" })).toBeVisible();
  const back = await (await page.request.get(`${product.url}/v1/posts/${page.url().split("/").at(-1)}`)).json();
  expect([back.overallStatus, Date.parse(back.scheduledTime)]).toEqual(["SCHEDULED", Date.parse(at)]);
});

test("a post that was deleted is said to be missing, without a button that tries again", async ({ page }) => {
  await newcomer(page, product);
  await page.goto(`${product.url}/posts/999999999`);
  await expect(page.getByText("There is no such post. It may have been deleted.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await expect(page.getByRole("link", { name: "Posts", exact: true }).first()).toBeVisible();
});

test("a notice with undo has the font of the page and a large button that closes it, and stays while it has the focus", {
  tag: "@long",
}, async ({ page }) => {
  await newcomer(page, product);
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const id = await schedule(page, product, "Ring at noon", at);
  await page.clock.install();
  await page.goto(`${product.url}/posts/${id}`);
  await page.getByRole("button", { name: "Move to…" }).click();
  await page.getByLabel("Date and time").fill(`${new Date().getFullYear() + 1}-03-20T08:05`);
  await page.getByRole("button", { name: "Move", exact: true }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  const fontOf = (what: Locator) => what.evaluate((element) => getComputedStyle(element).fontFamily);
  expect(await fontOf(undo)).toBe(await fontOf(page.getByRole("heading", { name: "Accounts" })));
  const isLargeEnough = (button: Element) => {
    const { x, y, width, height } = button.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2 + 21, y + height / 2) === button; // at the edge of 44 pixels
  };
  expect(await page.getByRole("button", { name: "Close toast" }).evaluate(isLargeEnough)).toBe(true);
  await undo.focus();
  await page.clock.fastForward("00:30");
  await expect(undo).toBeFocused();
  await undo.blur();
  await page.clock.fastForward("00:30");
  await expect(undo).toHaveCount(0);
});

test("a post that an agent proposed waits for its owner, and changes after they have looked are not approved", {
  tag: ["@phone", "@long"],
}, async ({ page }) => {
  await signUpConfirmed(page, product);
  await connect(page, product, "X", newName("n"));
  const { email } = await (await page.request.get(`${product.url}/v1/me`)).json();
  const tokenWith = async (scope: string) => {
    const args = ["tokens", "create", "--user", email, "--scope", scope];
    const { access_token } = (await product.carillon(...args)) as { access_token: string };
    return { Authorization: `Bearer ${access_token}` };
  };
  const [agent, planner] = [await tokenWith("posts.propose"), await tokenWith("posts.write")];
  const [account] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const proposal = (content: string) => ({
    ...{ isDraft: true, scheduledTime: "2090-01-01T12:00:00Z" },
    publications: [
      {
        socialMediaAccountId: account.id,
        platformSettings: { type: "TWITTER", whoCanReply: "MENTIONED" },
        posts: [{ content, attachmentPaths: [path] }],
      },
    ],
  });
  const headers = { Origin: product.url };
  const file = await picture("proposed.png");
  const uploaded = await page.request.post(`${product.url}/v1/media/upload`, { headers, multipart: { file } });
  const { path } = await uploaded.json();
  const altTextOf = (altText: string) =>
    page.request.patch(`${product.url}/v1/media/${path.split("/")[1]}`, { headers, data: { altText } });
  await altTextOf("A bell in its tower");
  const made = await page.request.post(`${product.url}/v1/posts`, { headers: agent, data: proposal("From an agent") });
  const { id } = await made.json();
  const statusOf = async () => (await (await page.request.get(`${product.url}/v1/posts/${id}`)).json()).overallStatus;

  await page.goto(`${product.url}/posts`);
  const tabs = page.getByRole("navigation", { name: "Posts by state" });
  await tabs.getByRole("button", { name: "Proposed" }).click();
  await page.getByRole("link", { name: "From an agent" }).click();
  await expect(page).toHaveURL(`${product.url}/posts/${id}`);
  const card = page.getByRole("region", { name: "Proposed post" });
  await expect(card.getByText("proposed this post on")).toBeVisible();
  await expect(page.getByText("Draft", { exact: true })).toHaveCount(0);
  const approve = card.getByRole("button", { name: "Approve and schedule" });
  const isChanged = card.getByText("This post has changed since you opened it.");
  const showNew = card.getByRole("button", { name: "Show the new version" });
  // The list above the button has everything that is approved, as it is stored.
  for (const text of [
    "From an agent",
    "whoCanReply",
    "MENTIONED",
    "Alt text: A bell in its tower",
    "(2090-01-01T12:00:00Z)",
  ])
    await expect(card.getByText(text)).toBeVisible();
  await expect(approve).not.toHaveAttribute("aria-disabled", "true");
  await look(page);

  // A change that arrives while the page is open is not approved unseen: the list and the button stay with the first version.
  await altTextOf("Something that the person has not read");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))); // the page reads it again
  await expect(isChanged).toBeVisible();
  await expect(card.getByText("Alt text: A bell in its tower")).toBeVisible();
  await expect(approve).toHaveAttribute("aria-disabled", "true");
  await showNew.click();
  await expect(card.getByText("Alt text: Something that the person has not read")).toBeVisible();
  await expect(isChanged).toBeHidden();

  // The page still shows the first text when the button is pressed.
  await page.route(`**/v1/posts/${id}/approve`, async (route) => {
    await page.request.put(`${product.url}/v1/posts/${id}`, { headers: planner, data: proposal("Something else") });
    await route.continue();
  });
  await approve.click();
  await expect(page.getByText(/Not approved: .*changed in the meantime/)).toBeVisible();
  expect(await statusOf()).toBe("DRAFT");

  await page.unroute(`**/v1/posts/${id}/approve`);
  await expect(page.getByRole("heading", { name: "Something else" })).toBeVisible();
  await expect(card.getByText("From an agent")).toBeVisible();
  await expect(approve).toHaveAttribute("aria-disabled", "true");
  await showNew.click();
  await expect(card.getByText("Something else")).toBeVisible();
  await approve.click();
  await expect(page.getByText("Approved.", { exact: true })).toBeVisible();
  await expect(page.getByText(/^Proposed by .* Approved on /)).toBeVisible();
  expect(await statusOf()).toBe("SCHEDULED");
  await page.goto(`${product.url}/posts`);
  await expect(page.getByRole("link", { name: "Something else" })).toBeVisible();
  await expect(tabs.getByRole("button", { name: "Proposed" })).toHaveCount(0);
});

test("while the accounts cannot be loaded, a post and the notifications say so instead of calling an account disconnected", {
  tag: "@long",
}, async ({ page }) => {
  const person = await newcomer(page, product);
  const id = await schedule(page, product, "Ring at noon", new Date(Date.now() + 86_400_000).toISOString());
  await page.route("**/v1/accounts", (route) => route.fulfill({ status: 403, json: { error: "Not now" } }));
  await page.goto(`${product.url}/notifications`);
  await expect(page.getByText("Could not load your notifications: Not now")).toBeVisible();
  await page.goto(`${product.url}/posts/${id}`);
  await expect(page.getByText("Could not load this post: Not now")).toBeVisible();
  await expect(page.getByText("a disconnected account")).toHaveCount(0);
  await look(page);
  await page.unroute("**/v1/accounts");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: "Accounts" }).getByText(`@${person}`)).toBeVisible();
});

test("a deleted post is gone from the list at once, even while the list is being loaded again", {
  tag: "@long",
}, async ({ page }) => {
  await newcomer(page, product);
  const at = new Date(Date.now() + 86_400_000).toISOString();
  await schedule(page, product, "This one stays", at);
  await schedule(page, product, "This one goes", at);
  await page.goto(`${product.url}/posts`);
  await page.getByRole("link", { name: "This one goes" }).click();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/v1/posts?**", (route) => isAnswered.then(() => route.continue()));
  await page.getByRole("button", { name: "Delete this post" }).click();
  await expect(page).toHaveURL(`${product.url}/posts`);
  await expect(page.getByText("Deleted. It will not go out.")).toBeVisible();
  await expect(page.getByRole("link", { name: "This one goes" })).toHaveCount(0);
  answer();
  await expect(page.getByRole("link", { name: "This one stays" })).toBeVisible();
  await expect(page.getByRole("link", { name: "This one goes" })).toHaveCount(0);
});

test("“New post” starts a new post once the last one is saved as a draft, and a reload continues it", {
  tag: "@long",
}, async ({ page }) => {
  const person = await newcomer(page, product);
  const write = page.getByRole("banner").getByRole("link", { name: "New post", exact: true });
  const text = page.getByLabel("Text", { exact: true });
  await page.goto(`${product.url}/posts`);
  await write.click();
  const account = page.getByRole("checkbox", { name: new RegExp(`@${person}`) });
  await expect(account).toBeChecked(); // the only one
  await account.uncheck();
  await text.fill("Nobody has this text but me");
  await page.getByRole("navigation").getByRole("link", { name: "Posts", exact: true }).click();
  await expect(page).toHaveURL(`${product.url}/posts`);
  await write.click();
  await expect(text).toHaveValue("Nobody has this text but me"); // only this browser has it
  await account.check();
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(text).toHaveValue("Nobody has this text but me");
  await page.getByRole("navigation").getByRole("link", { name: "Posts", exact: true }).click();
  await expect(page.getByRole("link", { name: "Nobody has this text but me" })).toBeVisible();
  await write.click();
  await expect(text).toHaveValue("");
  await text.fill("A second post");
  await expect(account).toBeChecked();
  await expect(page.getByText("Saved as a draft.", { exact: true })).toBeVisible();
  const { items } = await (await page.request.get(`${product.url}/v1/posts?status=DRAFT`)).json();
  expect(items).toHaveLength(2);
});

test("a draft with a time is called a draft beside each account, to its reviewers and to staff", {
  tag: "@long",
}, async ({ page }) => {
  await newcomer(page, product);
  const [{ id: socialMediaAccountId }] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const headers = { Origin: product.url };
  const made = await page.request.post(`${product.url}/v1/posts`, {
    headers,
    data: {
      isDraft: true,
      scheduledTime: new Date(Date.now() + 86_400_000).toISOString(),
      publications: [
        { socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "Perhaps tomorrow" }] },
      ],
    },
  });
  const { id } = await made.json();
  await page.goto(`${product.url}/posts/${id}`);
  await expect(page.getByRole("region", { name: "Accounts" }).getByText("Draft", { exact: true })).toBeVisible();
  await expect(page.getByRole("main").getByText("Scheduled", { exact: true })).toHaveCount(0);

  const link = await page.request.post(`${product.url}/v1/posts/${id}/review-links`, { headers, data: { days: 1 } });
  await page.goto((await link.json()).url);
  await expect(page.getByText(/^A draft for .+, not scheduled yet\./)).toBeVisible();

  const staff = `${newName("f")}@example.com`;
  await product.carillon("users", "create", "--email", staff, "--password", "a long password", "--role", "staff");
  await forgetSession(page);
  await signIn(page, product, staff, `/staff/schedules/${id}`);
  await expect(page.getByText("Chosen time", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Publication \d+: Draft$/ })).toBeVisible();
});

test("the focus stays in the text of a network while it is customised and when that is taken back", {
  tag: "@long",
}, async ({ page }) => {
  const person = await newcomer(page, product);
  await page.goto(`${product.url}/compose`);
  await page.getByLabel("Text", { exact: true }).fill("For everyone");
  await page.getByRole("checkbox", { name: new RegExp(`@${person}`) }).check();
  await page.keyboard.press("Alt+2");
  const own = page.getByLabel("Text for X", { exact: true });
  await expect(own).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.type("!");
  await expect(own).toBeFocused();
  await expect(own).toHaveValue("For everyone!");
  await page.getByRole("button", { name: "Use the shared text" }).press("Enter");
  await expect(own).toBeFocused();
  await expect(own).toHaveValue("For everyone");
  await page.keyboard.press("Alt+1");
  await expect(page.getByLabel("Text", { exact: true })).toBeFocused();
});

test("a CSV file is checked row by row, its invalid row left out, and the rest scheduled and exported", async ({
  page,
}) => {
  const person = await newcomer(page, product);
  await page.goto(`${product.url}/posts`);
  await page.getByRole("link", { name: "Import" }).click();
  const sample = page.getByRole("link", { name: "Download a sample" });
  await expect(sample).toHaveAttribute("href", new RegExp(`x%3A${person}`));
  const file = `date,time,timeZone,accounts,text
2040-05-01,9:00,Europe/Berlin,x:${person},"Ding, dong"
2040-05-02,9:00,Europe/Berlin,x:nobody,Dong
2040-05-03,9:00,Europe/Berlin,@${person},Ding
`;
  const choose = () => page.getByRole("button", { name: "Choose a file" }).press("Enter");
  await pick(page, choose, { name: "posts.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await expect(page.getByRole("heading", { name: "2 rows ready, 1 wrong" })).toBeFocused();
  await expect(page.getByText("None of your accounts is called “x:nobody”.")).toBeVisible();
  const submit = page.getByRole("button", { name: "Schedule 2 posts" });
  await expect(submit).toBeDisabled();
  await expect(submit).toHaveAccessibleDescription(/^1 row is wrong/);
  await lookAlsoOnPhone(page);
  await page.getByRole("checkbox", { name: "Leave out the 1 row that is wrong" }).check();
  await submit.press("Enter");
  await expect(page.getByRole("heading", { name: "2 posts created, 1 row left out" })).toBeFocused();
  await lookAlsoOnPhone(page);
  await page.getByRole("link", { name: "See it (row 2)" }).click();
  await expect(page.getByText("Ding, dong").first()).toBeVisible();

  await page.goto(`${product.url}/posts`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  const exported = await readFile(await (await download).path(), "utf8");
  expect(exported).toContain(`"2040-05-01T07:00:00Z","x:${person}","Ding, dong"`);
});

test("a reader without an account or script asks for changes, and the owner sees it without a reload", async ({
  page,
  browser,
}) => {
  await newcomer(page, product);
  const id = await schedule(
    page,
    product,
    "The bells are ready on Monday",
    new Date(Date.now() + 86_400_000).toISOString(),
  );
  await page.goto(`${product.url}/posts/${id}`);
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = (await page.getByRole("link", { name: /\/reviews\?link=/ }).getAttribute("href")) ?? "";
  await look(page);

  const withoutScript = await browser.newContext({ javaScriptEnabled: false });
  const client = await withoutScript.newPage();
  const opened = await client.goto(link);
  expect(opened?.headers()).toMatchObject({
    "x-robots-tag": expect.stringContaining("noindex"),
    "referrer-policy": "same-origin",
    "cache-control": expect.stringContaining("no-store"),
  });
  const preview = client.getByRole("figure", { name: "Preview for X" });
  await expect(preview.getByText("on Monday")).toBeVisible();
  await expectIcons(preview);
  await client.getByLabel("Your name").fill("Grace");
  await client.getByLabel("Your comment").fill("On Tuesday, not on Monday.");
  await client.getByRole("button", { name: "Ask for changes" }).click();
  await expect(client.getByText("Thank you. Your feedback was sent.")).toBeVisible();

  const feedback = page.getByRole("region", { name: "Feedback" });
  await expect(feedback.getByText("On Tuesday, not on Monday.")).toBeVisible();
  await expect(page.getByText("Changes asked for")).toBeVisible();
  await look(page);
  await feedback.getByRole("button", { name: "Answer" }).click();
  await feedback.getByLabel("Your answer").fill("It is Tuesday now.");
  await feedback.getByRole("button", { name: "Send" }).click();
  await feedback.getByRole("button", { name: /^Close/ }).click();
  await expect(page.getByText("Changes asked for")).toBeHidden();
  expect(await withoutScript.cookies()).toEqual([]);
  await withoutScript.close();

  const elsewhere = await browser.newContext();
  const reader = await elsewhere.newPage();
  await reader.goto(link);
  await expect(reader.getByText("It is Tuesday now.")).toBeVisible();
  await look(reader);
  await page.getByRole("button", { name: /^Revoke/ }).click();
  await expect(page.getByRole("button", { name: /^Revoke/ })).toBeHidden();
  expect((await reader.goto(link))?.status()).toBe(404);
  await look(reader);
  await elsewhere.close();
  expect(product.output()).not.toContain(new URL(link).searchParams.get("link"));
});

test("a post is repeated on the dates shown except one that is left out", async ({ page }) => {
  await newcomer(page, product);
  const id = await schedule(page, product, "Every week", "2031-03-24T08:00:00Z");
  await page.goto(`${product.url}/posts/${id}`);
  await page.getByRole("link", { name: "Repeat…" }).click();
  await page.getByRole("checkbox", { name: "Tuesday" }).check();
  await page.getByLabel("Time", { exact: true }).fill("");
  await page.getByRole("button", { name: "Show the dates" }).click();
  await expect(page.getByLabel("Time", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Time", { exact: true })).toHaveAccessibleDescription("Enter a time");
  await page.getByRole("radio", { name: "Every month" }).check();
  await page.getByLabel("Day of the month").fill("32");
  await page.getByLabel("Time", { exact: true }).fill("02:30");
  await page.getByRole("button", { name: "Show the dates" }).click();
  await expect(page.getByLabel("Day of the month")).toBeFocused();
  await look(page);
  await page.getByRole("radio", { name: "Every week" }).check();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(2); // still ticked
  await page.getByRole("radio", { name: "Every day" }).check();
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await page.getByLabel("Times, at most 100").fill("7");
  await page.getByRole("button", { name: "Show the dates" }).click();
  await expect(page.getByRole("heading", { name: "7 posts to create" })).toBeVisible();
  await expect(page.getByText("The clocks skip 02:30 that day")).toBeVisible();
  await look(page);
  await page.getByRole("checkbox", { name: /30 Mar 2031/ }).uncheck();
  await page.getByRole("button", { name: "Create 6 posts" }).click();
  await expect(page).toHaveURL(/\/posts$/);
  const { items } = await (await page.request.get(`${product.url}/v1/posts`)).json();
  expect(items).toHaveLength(7);
});
