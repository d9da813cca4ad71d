import { existsSync } from "node:fs";
import { chromium, expect, type Page } from "playwright/test";
import type { MailServer } from "../../../lib/mail/testing/smtp";
import type { OwnProduct } from "../../setup/product";
import { sendForm } from "../http";
import { newPerson } from "../people";
import type { TrialContext } from "../trial";
import { enter, reset, signUp } from "./person";

const PASSWORD = "a long password";
const NEW_PASSWORD = "another long password";

/** A real browser that is signed in with the old password must be asked to sign in again after a reset. */
export async function chromiumSession({ product, seed }: TrialContext, mails: MailServer): Promise<void> {
  const { email } = await newPerson(product, `browser-${seed}@example.com`);
  await inChromium(async (page) => {
    await typePassword(page, product, email);
    await expect(page).toHaveURL(`${product.url}/`);
    await reset(product, mails, email, NEW_PASSWORD);
    // In a new tab: as soon as a request of the open page is refused, that page leaves for the sign-in page by itself.
    const tab = await page.context().newPage();
    await tab.goto(`${product.url}/settings`);
    await expect(tab.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  });
}

/** The password must not sign in without the passkey, and the passkey must sign in where it is. */
export async function chromiumPasskey({ product, seed }: TrialContext): Promise<void> {
  const { email } = await newPerson(product, `passkey-${seed}@example.com`);
  await inChromium(async (page) => {
    await typePassword(page, product, email);
    await expect(page).toHaveURL(`${product.url}/`);
    await addPasskey(page, product);
    await usePasskey(page, product);
    await expect(page).toHaveURL(`${product.url}/`);
  });
  await inChromium(async (page) => {
    await typePassword(page, product, email);
    await expect(page).toHaveURL(/\/sign-in\/code/);
    await page.goto(`${product.url}/settings`);
    await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
  });
}

/**
 * An intruder's passkey must not sign in after a reset. If the address was confirmed, it stays as a second step, which is worthless
 * without the new password; otherwise the reset removes it (ADR 25).
 */
export async function passkeyOfIntruder({ product, seed }: TrialContext, mails: MailServer): Promise<void> {
  const confirmed = `passkey-kept-${seed}@example.com`;
  await newPerson(product, confirmed);
  const unconfirmed = `passkey-removed-${seed}@example.com`;
  await signUp(product, unconfirmed, PASSWORD);
  for (const [email, says] of [
    [confirmed, "Your password was reset after this passkey was added"],
    [unconfirmed, "This passkey does not sign in here"],
  ] as const) {
    await inChromium(async (page) => {
      await typePassword(page, product, email);
      await expect(page).toHaveURL(`${product.url}/`);
      await addPasskey(page, product);
      await reset(product, mails, email, NEW_PASSWORD);
      await usePasskey(page, product);
      await expect(page.getByText(says)).toBeVisible();
      await page.goto(`${product.url}/settings`);
      await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
    });
  }
  const second = await sendForm(product.url, "/sign-in", { email: confirmed, password: NEW_PASSWORD });
  expect(second.headers.location, "the passkey stays as a second step").toContain("/sign-in/code");
  expect(await (await enter(product, unconfirmed, NEW_PASSWORD)).status(), "no second step is left").toBe(200);
}

/** Adds a passkey of a new authenticator to the person who is signed in. */
async function addPasskey(page: Page, { url }: OwnProduct): Promise<void> {
  await plugInAuthenticator(page);
  await page.goto(`${url}/settings/passkeys`);
  await page.getByLabel("Name").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Your recovery codes" })).toBeVisible();
}

/** Tries to sign in with the page's passkey alone. */
async function usePasskey(page: Page, { url }: OwnProduct): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`${url}/sign-in`);
  await page.getByRole("link", { name: "Sign in with a passkey" }).click();
}

/** This machine has no browser. The trial names the parts that it leaves out. */
export class NoBrowser extends Error {
  constructor() {
    super("no browser was found; set CHROME_PATH to play it");
  }
}

/**
 * Runs a part in a browser of its own.
 * @throws NoBrowser if CHROME_PATH is not set and Playwright has not installed a browser. A browser that does not start fails the part
 */
async function inChromium(play: (page: Page) => Promise<void>): Promise<void> {
  const executablePath = process.env.CHROME_PATH || chromium.executablePath();
  if (!process.env.CHROME_PATH && !existsSync(executablePath)) throw new NoBrowser();
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const context = await browser.newContext();
    await play(await context.newPage());
  } finally {
    await browser.close();
  }
}

async function typePassword(page: Page, { url }: OwnProduct, email: string): Promise<void> {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Gives the page an authenticator that verifies its user and answers at once (WebDriver's virtual authenticators, over CDP). */
async function plugInAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}
