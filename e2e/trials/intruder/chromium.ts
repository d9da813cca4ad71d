import { chromium, expect } from "@playwright/test";
import type { MailServer } from "../../../lib/mail/testing/smtp";
import { newPerson } from "../people";
import type { TrialContext } from "../trial";
import { reset } from "./person";

const PASSWORD = "a long password";

/** A real browser that is signed in with the old password must be asked to sign in again after a reset. */
export async function chromiumSession({ product, seed, log }: TrialContext, mails: MailServer): Promise<void> {
  const { email } = await newPerson(product, `browser-${seed}@example.com`);
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const browser = await chromium.launch({ executablePath: process.env.CHROME_PATH, args }).catch(() => undefined);
  if (!browser) return log("no browser was found; set CHROME_PATH to play this part");
  try {
    const page = await browser.newPage();
    await page.goto(`${product.url}/sign-in`);
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(`${product.url}/`);
    await reset(product, mails, email, "another long password");
    await page.goto(`${product.url}/settings`);
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  } finally {
    await browser.close();
  }
}
