import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { Product } from "./product";

/** A name that no other test uses: an account belongs to one user. */
export function newName(letter: string): string {
  return `${letter}${Date.now().toString(36)}`;
}

/** Usable by everybody, as far as a machine can check, and nothing sticks out on a phone. */
export async function look(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }))).toEqual([]);
  const [content, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(room ?? 0);
}

/** Makes an account in the product's own words, and comes out at `path`. */
export async function signUp(page: Page, { url }: Product, email: string, path = "/accounts"): Promise<void> {
  await page.goto(`${url}/sign-up?${new URLSearchParams({ callbackUrl: path })}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: /Sign up|Create/ }).click();
  await expect(page).toHaveURL(`${url}${path}`);
}

/** Signs in somebody whom the command line has made. */
export async function signIn(page: Page, { url }: Product, email: string, path: string): Promise<void> {
  await page.goto(`${url}/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${url}${path}`);
}

/** Presses a network's button; answers where connecting goes on: a window of its own, or on phones the page itself. */
export async function openConnect(page: Page, network: string): Promise<Page> {
  const button = page.getByRole("button", { name: new RegExp(`^(Connect )?${network}`) });
  if (test.info().project.name === "phone") {
    await button.click();
    return page;
  }
  const [popup] = await Promise.all([page.waitForEvent("popup"), button.click()]);
  return popup;
}

/** Says yes on a simulated network's page, as this person. */
export async function allow(page: Page, person: string): Promise<void> {
  await page.getByLabel("or anybody else").fill(person);
  await page.getByRole("button", { name: "Allow" }).click();
}

/** Has a simulated network go wrong at the next call of this kind. */
export async function arm({ sandboxUrl }: Product, network: string, operation: string, fault: string): Promise<void> {
  const answer = await fetch(`${sandboxUrl}/_control/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ network, operation, fault, times: 1 }),
  });
  expect(answer.status).toBe(204);
}
