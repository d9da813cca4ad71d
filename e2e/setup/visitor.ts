import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import type { Product } from "./product";

/** Usable by everybody: no violation of the accessibility rules that a machine can check, and nothing sticks out on a phone. */
export async function look(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }))).toEqual([]);
  const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(window ?? 0);
}

/** A new person, signed up and on the first page. */
export async function signUp(page: Page, product: Product, email: string): Promise<void> {
  await page.goto(`${product.url}/sign-up`);
  await look(page);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: /Sign up|Create/ }).click();
  await expect(page).toHaveURL(`${product.url}/`);
}

/** Connects as somebody whom no other test connects: an account belongs to one user. */
export async function connect(page: Page, product: Product, network: string, person: string): Promise<void> {
  await page.goto(`${product.url}/accounts`);
  const button = page.getByRole("button", { name: new RegExp(`Connect ${network}|^${network}`) });
  if (test.info().project.name === "phone") {
    await button.click();
    await consent(page, person);
    await expect(page).toHaveURL(/\/accounts\?connected=\d+/);
    return;
  }
  const [popup] = await Promise.all([page.waitForEvent("popup"), button.click()]); // see connect-window.spec.ts
  await consent(popup, person);
  await expect(page.getByText(`@${person} on ${network} is connected.`)).toBeVisible();
}

/** Allows it on a simulated network's own page. */
export async function consent(page: Page, person: string): Promise<void> {
  await page.getByLabel("or anybody else").fill(person);
  await page.getByRole("button", { name: "Allow" }).click();
}

/** A schedule of the signed-in person's first account. @param at ISO 8601 */
export async function schedule(page: Page, product: Product, content: string, at: string): Promise<number> {
  const accounts = await (await page.request.get(`${product.url}/v1/accounts`)).json();
  const answer = await page.request.post(`${product.url}/v1/posts`, {
    headers: { Origin: product.url },
    data: {
      scheduledTime: at,
      isDraft: false,
      publications: [
        {
          socialMediaAccountId: accounts[0].id,
          platformSettings: { type: "TWITTER" },
          posts: [{ content, attachmentPaths: [] }],
        },
      ],
    },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()).id;
}
