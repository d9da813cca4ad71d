import { type Browser, expect, type Page } from "playwright/test";
import { type MailServer, startMailServer } from "../lib/mail/testing/smtp";
import { type OwnProduct, startProduct } from "./setup/product";
import { test } from "./setup/test";
import { expectUsable } from "./setup/usable";
import {
  allow,
  arm,
  connect,
  look,
  newName,
  openAccounts,
  openConnect,
  pressCounter,
  schedule,
  signUp,
  watchLayout,
} from "./setup/visitor";

// What a person sees when a network refuses a call or when publishing is paused, and the pages that mails link to. These journeys
// have their own product, because a fault hits the next call of anyone, a pause stops everyone, and other journeys read the mails
// of a product without a mail server. processes/mail.spec.ts checks which mail is sent when.

/** A worker sends the mail, which may take a while on a busy machine. */
const SOON = { timeout: 60_000 };

let product: OwnProduct;
let mailServer: MailServer;

test.beforeAll(async () => {
  mailServer = await startMailServer();
  product = await startProduct({ env: { SMTP_URL: mailServer.url, MAIL_FROM: "Carillon <post@carillon.example>" } });
});

test.afterAll(async () => {
  await product?.stop();
  await mailServer?.stop();
});

test("a refused post shows our explanation and the network's answer, and is published on a retry, alone or with others", async ({
  page,
}) => {
  const person = newName("n");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await arm(product, "x", "publish", "duplicate"); // X refuses a text that it already has.
  const id = await schedule(page, product, "Said before", new Date().toISOString());
  await page.goto(`${product.url}/posts/${id}`);
  await expect(page.getByText("Failed", { exact: true }).first()).toBeVisible();
  const story = page.getByRole("region", { name: "What happened" });
  await expect(story.getByText("Failed")).toBeVisible();
  await story.getByText("What X answered").click();
  await expect(story.getByText(/Status 4\d\d/)).toBeVisible();
  await look(page);
  await page.goto(`${product.url}/notifications`);
  await expect(page.getByRole("main")).toContainText("because the same text was already posted to this account. ");
  await page.goto(`${product.url}/posts/${id}`);
  await page.getByRole("button", { name: "Try again" }).click();
  const link = page.getByRole("link", { name: /^See it on X/ });
  await expect(link).toBeVisible();
  await expect(page.getByRole("button", { name: "Try again" })).toBeHidden();

  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.setViewportSize({ width: 390, height: 844 });
  const account = page.getByRole("region", { name: "Accounts" }).getByRole("listitem");
  const name = await account.getByText(`@${person}`, { exact: true }).boundingBox();
  const state = await account.getByText("Published", { exact: true }).boundingBox();
  const below = await link.boundingBox();
  expect(state?.y, "the state is beside the name").toBeLessThan((name?.y ?? 0) + (name?.height ?? 0));
  expect([below?.x, (below?.y ?? 0) > (name?.y ?? 0)], "the link is below the name").toEqual([name?.x, true]);
  await page.setViewportSize(size);

  for (const text of ["Refused as well", "Refused too"]) {
    await arm(product, "x", "publish", "duplicate");
    await schedule(page, product, text, new Date().toISOString());
  }
  await page.goto(`${product.url}/posts`);
  const rows = page.locator("[data-post]");
  await expect(rows.getByText("Failed", { exact: true })).toHaveCount(2);
  await page.getByRole("checkbox", { name: "Select the 3 posts shown" }).check();
  await page.getByRole("toolbar", { name: "Selected posts" }).getByRole("button", { name: "Try again" }).click();
  const report = page.getByRole("status").filter({ hasText: "2 being published again, 1 not." });
  await expect(report).toContainText("Said before: Nothing of it has failed.");
  await expect(rows.getByText("Published", { exact: true })).toHaveCount(3);
});

test("a message whose outcome is unknown is sent again only if the person has looked and confirms it", async ({
  page,
}) => {
  const [email, person] = [`${newName("t")}@example.com`, newName("t")];
  await signUp(page, product, email);
  await product.carillon("accounts", "connect-sandbox", "--user", email, "--platform", "TELEGRAM", "--person", person);
  const [account] = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const [chat] = await (
    await page.request.get(`${product.url}/v1/accounts/${account.id}/chats?platform=TELEGRAM`)
  ).json();
  await arm(product, "telegram", "publish", "drop_response"); // Telegram has the message, but its Bot API cannot look it up
  const made = await page.request.post(`${product.url}/v1/posts`, {
    headers: { Origin: product.url },
    data: {
      scheduledTime: new Date().toISOString(),
      publications: [
        {
          socialMediaAccountId: account.id,
          platformSettings: { type: "TELEGRAM" },
          posts: [{ content: `Perhaps sent by ${person}`, chatId: chat.id }],
        },
      ],
    },
  });
  const moved = await watchLayout(page);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/receipt", (route) => isAnswered.then(() => route.continue()));
  const { id } = await made.json();
  const status = async () => (await (await page.request.get(`${product.url}/v1/posts/${id}`)).json()).overallStatus;
  await expect.poll(status).toBe("FAILED");
  await page.goto(`${product.url}/posts/${id}`);
  await expect(page.getByText("Outcome unknown", { exact: true })).toHaveCount(2); // of the post and of its account
  answer();
  const sendAgain = page.getByRole("button", { name: "Send again, I have looked" });
  await expect(sendAgain).toBeVisible();
  expect(await moved()).toBe(0);
  const sent = async () => {
    const held = await (await fetch(`${product.sandboxUrl}/_control/posts?network=telegram`)).json();
    return held.filter(({ text }: { text: string }) => text.includes(person)).length;
  };
  expect(await sent()).toBe(1);
  await page.goto(product.url);
  const row = page.locator("[data-post]");
  await expect(row.getByRole("link", { name: `Check it “Perhaps sent by ${person}”` })).toBeVisible();
  await expect(row.getByRole("button", { name: "Try again" })).toHaveCount(0);
  await page.getByRole("link", { name: `outcome unknown, 1 account: Perhaps sent by ${person}` }).click();

  await sendAgain.click();
  const dialog = page.getByRole("alertdialog");
  await expect(dialog).toContainText("sending it again publishes it twice");
  await look(page);
  await dialog.getByRole("button").first().click(); // the first button cancels
  await expect(dialog).toBeHidden();
  expect(await sent()).toBe(1);

  await sendAgain.click();
  await dialog.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("region", { name: "What happened" }).getByText("Published")).toBeVisible();
  expect(await sent()).toBe(2);
});

test("Pinterest lists boards, shows one notice for an account that must be reconnected, and keeps its ID when reconnected", async ({
  page,
}) => {
  const person = newName("p");
  await signUp(page, product);
  await openAccounts(page, product);
  await allow(await openConnect(page, "Pinterest"), person);
  const more = page.getByRole("button", { name: `More for @${person} on Pinterest` });
  await more.click();
  await expect(page.getByRole("dialog").getByText("(board)").first()).toBeVisible();
  const idOf = async () => (await (await page.request.get(`${product.url}/v1/accounts`)).json())[0];
  const { id } = await idOf();

  await arm(product, "pinterest", "destinations", "revoke_token");
  await page.goto(`${product.url}/accounts`);
  await more.click();
  await expect(page.getByText("Needs reconnecting; until then, its posts fail when their time comes")).toBeVisible();
  const incident = await idOf();
  expect(incident).toMatchObject({ id, state: "RECONNECT_REQUIRED", stateReason: expect.any(String) });
  await look(page);
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByRole("button", { name: `Reconnect @${person}`, exact: true })).toBeVisible();
  await look(page);
  await page.goto(`${product.url}/`);
  const notices = page.getByLabel("Needs attention");
  await expect(notices.getByRole("listitem")).toHaveCount(1);
  await expect(notices).toContainText(`@${person} on Pinterest needs reconnecting`);
  await look(page);
  await page.getByRole("link", { name: "Notifications, 1 unread" }).click();
  await expect(page.getByRole("heading", { name: "Notifications" })).toBeVisible();
  const entry = page.getByRole("main").getByRole("listitem");
  await expect(entry).toContainText(`@${person} on Pinterest needs reconnecting`);
  await expect(entry.getByText("New", { exact: true })).toBeVisible();
  await expect(entry.getByRole("button", { name: `Reconnect @${person} on Pinterest` })).toBeVisible();
  await look(page);
  await page.reload();
  await expect(entry).toBeVisible();
  await expect(page.getByRole("link", { name: "Notifications", exact: true })).toBeVisible(); // it stays read
  await expect(page.getByRole("link", { name: "Accounts, 1 needs reconnecting" })).toBeVisible();

  await page.goto(incident.reconnectUrl);
  await look(page);
  await page.getByRole("button", { name: "Reconnect" }).click();
  await allow(page, person);
  await expect(page).toHaveURL(`${product.url}/accounts?connected=${id}`);
  expect(await idOf()).toMatchObject({ id, state: "ACTIVE" });
  await expect(page.getByText("Needs reconnecting")).toBeHidden();
});

test("after a reconnect, the posts that failed in the meantime are listed, and left unpublished or published with one press", async ({
  page,
}) => {
  const person = newName("m");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await arm(product, "x", "publish", "revoke_token");
  const posted = (text: string) => schedule(page, product, text, new Date().toISOString());
  const statusOf = async (id: number) => {
    const { overallStatus } = await (await page.request.get(`${product.url}/v1/posts/${id}`)).json();
    return overallStatus;
  };
  const silent = await posted("The bell that stays silent");
  const post = async () => (await page.request.get(`${product.url}/v1/posts/${silent}`)).json();
  await expect.poll(() => statusOf(silent)).toBe("FAILED");
  await connect(page, product, "X", person);
  await page.goto(product.url);
  const one = page.getByRole("region", { name: "1 post failed while its account needed reconnecting" });
  await one.getByRole("button", { name: "Leave them unpublished" }).click();
  await expect(page.getByText("The post stays unpublished.")).toBeVisible();
  await expect(one).toBeHidden();
  await expect(page.getByLabel("Needs attention")).toBeHidden();
  expect(await post()).toMatchObject({ publications: [{ missed: true, leftTime: expect.any(String) }] });

  await arm(product, "x", "publish", "revoke_token");
  const first = await posted("The first bell is late");
  await expect.poll(() => statusOf(first)).toBe("FAILED");
  await page.goto(`${product.url}/posts/${first}`);
  await expect(page.getByText(/Reconnect the account, then try this post again/)).toHaveCount(1); // said once
  const second = await posted("The second bell is late");
  await expect.poll(() => statusOf(second)).toBe("FAILED");
  await page.goto(`${product.url}/accounts`);
  const reconnect = page.getByRole("button", { name: `Reconnect @${person}`, exact: true });
  await expect(reconnect).toBeVisible();
  const missed = page.getByRole("region", { name: "2 posts failed while their account needed reconnecting" });
  await expect(missed).toBeHidden();
  await reconnect.click();
  await allow(page, person);
  await expect(missed.getByRole("link")).toHaveText(["The second bell is late", "The first bell is late"]);
  await expect(missed).toContainText(`@${person} on X`);
  await look(page);
  await page.goto(product.url);
  await expect(missed).toBeVisible();
  await look(page);
  await missed.getByRole("button", { name: "Publish all 2 now" }).press("Enter");
  await expect(page.getByText("2 posts are being published.")).toBeVisible();
  await expect(missed).toBeHidden();
  for (const id of [first, second]) await expect.poll(() => statusOf(id)).toBe("COMPLETED");
});

test("a post that failed because of its account is published with three presses from Home", async ({ page }) => {
  const person = newName("h");
  await signUp(page, product);
  await connect(page, product, "X", person);
  await arm(product, "x", "publish", "revoke_token");
  const id = await schedule(page, product, "The bell that waits for its ringer", new Date().toISOString());
  const statusOf = async () => (await (await page.request.get(`${product.url}/v1/posts/${id}`)).json()).overallStatus;
  await expect.poll(statusOf).toBe("FAILED");
  await page.goto(`${product.url}/posts`);
  const row = page.locator("[data-post]");
  await expect(row).toContainText("X needs reconnecting");
  await expect(row.getByRole("button", { name: /^Reconnect and publish/ })).toBeVisible();
  await look(page);

  await page.goto(product.url);
  const presses = pressCounter();
  const { press } = presses;
  await expect(page.getByRole("region", { name: "Recent" })).toBeHidden(); // the post is in the list of today
  const today = page.getByRole("region", { name: "Today" });
  await press(today.getByRole("link", { name: "The bell that waits for its ringer" }));
  await expect(page).toHaveURL(`${product.url}/posts/${id}`);
  const reconnect = page.getByRole("button", { name: "Reconnect and publish" });
  await expect(reconnect).toBeVisible();
  await look(page);
  const [popup] = await Promise.all([page.waitForEvent("popup"), press(reconnect)]);
  await popup.getByLabel("or another name").fill(person);
  await press(popup.getByRole("button", { name: "Allow" }));
  await expect(page.getByText("Reconnected. The post goes out now.")).toBeVisible(); // first, because it goes away by itself
  await expect(page.getByRole("link", { name: /^See it on X/ })).toBeVisible();
  expect([presses.count, await statusOf()]).toEqual([3, "COMPLETED"]);
  await look(page);
});

test("reconnecting as another person changes nothing and offers to reconnect the account or to add the other one", async ({
  page,
}) => {
  const [person, other] = [newName("r"), newName("o")];
  await signUp(page, product);
  await connect(page, product, "X", person);
  const accounts = async () => (await page.request.get(`${product.url}/v1/accounts`)).json();
  const [{ id }] = await accounts();
  const reconnectAs = async (who: string) => {
    await page.goto(`${product.url}/accounts/${id}/reconnect`);
    await page.getByRole("button", { name: "Reconnect" }).click();
    await allow(page, who);
  };
  await reconnectAs(other);
  await expect(page.getByRole("heading", { name: "This is another account" })).toBeVisible();
  await expect(
    page.getByText(`X has connected you as @${other}, not as @${person}. Nothing was changed.`),
  ).toBeVisible();
  expect(await accounts()).toMatchObject([{ id }]);
  await look(page);
  await page.getByRole("link", { name: `Reconnect @${person}` }).click();
  await allow(page, person);
  await expect(page).toHaveURL(`${product.url}/accounts?connected=${id}`);
  expect(await accounts()).toMatchObject([{ id, accountUsername: person }]);

  await reconnectAs(other);
  await page.getByRole("link", { name: `Add @${other} as a new account` }).click();
  await allow(page, other);
  await expect(page.getByText(`@${other} on X is connected.`)).toBeVisible();
  expect(await accounts()).toMatchObject([{ id }, { accountUsername: other }]);

  await reconnectAs(other);
  await expect(page.getByText(`@${other} is already connected.`)).toBeVisible();
  await expect(page.getByRole("link", { name: /as a new account/ })).toHaveCount(0);
});

const newEmail = () => `ada-${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}@example.com`;

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${product.url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Waits until an address has received this many mails and returns the newest. */
async function mailTo(email: string, count = 1) {
  await expect.poll(() => mailServer.for(email).length, SOON).toBe(count);
  const mail = mailServer.for(email).at(-1);
  if (!mail) throw new Error("there is no mail");
  return mail;
}

/** The address of the button, which is the same in the text and in the HTML. */
function linkIn({ text, html }: { text: string; html: string }): string {
  const link = new RegExp(`${product.url}/\\S+`).exec(text)?.[0] ?? "";
  expect(html).toContain(`href="${link}"`);
  return link;
}

/** A page in a new browser context, with or without script. */
async function newPage(browser: Browser, javaScriptEnabled = true): Promise<Page> {
  return (await browser.newContext({ javaScriptEnabled })).newPage();
}

test("a new person is asked to confirm the address until the link in the mail is used", async ({ page }) => {
  const email = newEmail();
  await signUp(page, product, email);
  await page.goto(product.url);
  await expect(page.getByText("Until then, you get no notices")).toContainText(email);
  await look(page);
  await mailTo(email);
  await page.getByRole("button", { name: "Send again" }).click();
  await expect(page.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  await look(page);
  const link = linkIn(await mailTo(email, 2));

  await page.goto(link);
  await look(page);
  await page.getByRole("button", { name: "Confirm this address" }).click();
  await expect(page.getByText(`${email} is confirmed`)).toBeVisible();
  await look(page);
  await page.getByRole("link", { name: "Go to Carillon" }).click();
  await expect(page.getByRole("heading", { name: /^Good (morning|afternoon|evening), / })).toBeVisible();
  await expect(page.getByText("Until then, you get no notices")).toHaveCount(0);
});

test("a forgotten password is reset without script, and the old password and sessions stop working", async ({
  page,
  browser,
}) => {
  const email = newEmail();
  await signUp(page, product, email);
  await mailTo(email);
  const other = await newPage(browser, false);
  await other.goto(`${product.url}/sign-in`);
  await other.getByRole("link", { name: "Forgot your password?" }).click();
  await other.getByLabel("Email").fill(email);
  await other.getByRole("button", { name: "Send the link" }).click();
  await expect(other.getByRole("heading", { name: "Check your inbox" })).toBeVisible();
  const link = linkIn(await mailTo(email, 2));

  for (const address of [`${product.url}/forgot-password`, link]) {
    await page.goto(address); // in the page with script, because axe is a script
    await look(page);
  }
  await other.goto(link);
  await other.getByLabel("New password").fill("short");
  await other.getByRole("button", { name: "Set the password" }).click();
  await expect(other.getByText("Password must have at least 8 characters")).toBeVisible();
  await other.getByLabel("New password").fill("quite another password");
  await other.getByRole("button", { name: "Set the password" }).click();
  await expect(other.getByText("Your new password is set")).toBeVisible();

  await page.goto(`${product.url}/accounts`);
  await expect(page).toHaveURL(/\/sign-in/);
  await signIn(other, email, "a long password");
  await expect(other.getByText("Email or password doesn't match")).toBeVisible();
  await signIn(page, email, "quite another password");
  await expect(page).toHaveURL(`${product.url}/`);
  await other.goto(link);
  await expect(other.getByRole("heading", { name: "This link has expired" })).toBeVisible();
});

test("the settings page has its choices from the start, so that nothing below them moves; notification settings and quiet hours are saved, and report a missing value next to its field", async ({
  page,
}) => {
  await signUp(page, product, newEmail());
  await page.route("**/v1/me/notifications", (route) => route.abort());
  await page.goto(`${product.url}/settings`);
  const published = page.getByLabel("A post was published");
  await expect(published).toBeChecked();
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();
  await page.unroute("**/v1/me/notifications");

  await page.goto(`${product.url}/settings`);
  await expect(published).toBeEnabled();
  await expect(published).toBeChecked();
  // Checked in the same tick, so that the box does not flicker.
  expect(await published.evaluate((box: HTMLInputElement) => [box.click(), box.checked].at(-1))).toBe(false);
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByLabel("Daily digest").check();
  await page.getByLabel("Send it at").fill("07:30");
  await page.getByLabel("Time zone of the digest").selectOption("Asia/Tokyo");
  const digest = async () => (await (await page.request.get(`${product.url}/v1/me/notifications`)).json()).digest;
  await expect.poll(digest).toEqual({ time: "07:30", timeZone: "Asia/Tokyo" });
  await page.getByLabel("From").fill("21:30");
  await page.getByRole("combobox", { name: "Time zone", exact: true }).selectOption("Asia/Tokyo");
  await page.getByRole("button", { name: "Turn on quiet hours" }).click();
  await expect(page.getByText("Quiet from 21:30 to 07:00, Asia/Tokyo.")).toBeVisible();
  await look(page);
  await page.reload();
  await expect(published).not.toBeChecked();
  await page.getByRole("button", { name: "End quiet hours" }).click();
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();

  const wanted: unknown[] = [];
  page.on("request", (request) => {
    if (request.method() === "PUT") wanted.push(request.postDataJSON().quietHours);
  });
  const [from, to] = [page.getByLabel("From"), page.getByLabel("To", { exact: true })];
  await from.fill("");
  await page.getByRole("button", { name: "Turn on quiet hours" }).click();
  await expect(from).toBeFocused();
  await expect(from).toHaveAccessibleDescription("Enter a time");
  await from.fill("07:00");
  await from.press("Enter");
  await expect(to).toBeFocused();
  await expect(to).toHaveAccessibleDescription("They begin and end at the same time.");
  await look(page);
  expect(wanted).toEqual([]);

  await from.fill("21:30");
  await from.press("Enter");
  await expect(page.getByText("Quiet from 21:30 to 07:00")).toBeVisible();
  // Quiet hours are not started again while they are being ended.
  const end = page.getByRole("button", { name: "End quiet hours" });
  await end.evaluate((button: HTMLButtonElement) => [button.click(), button.form?.requestSubmit(), button.click()]);
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No quiet hours yet.")).toBeVisible();
  expect(wanted).toEqual([expect.objectContaining({ from: "21:30", to: "07:00" }), null]);
});

test("while publishing is paused, every page shows a notice with the reason", async ({ page }) => {
  await signUp(page, product);
  await page.goto(product.url);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const notice = page.getByRole("status").filter({ hasText: "Publishing is paused" });
  await expect(notice).toHaveCount(0);

  await product.carillon("publishing", "pause", "--reason", "The networks have trouble");
  await expect(notice).toContainText("Reason: The networks have trouble", { timeout: 25_000 });
  await page.goto(`${product.url}/compose`); // the frame of every page shows it
  await expect(notice).toBeVisible({ timeout: 25_000 });
  await expectUsable(page, { only: '[role="status"]' });

  await product.carillon("publishing", "resume");
  await expect(notice).toHaveCount(0, { timeout: 25_000 });
});
