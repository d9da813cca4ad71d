import { expect, type Page } from "playwright/test";
import type { Product } from "./product";
import { connect, newName, schedule, signUp } from "./visitor";

/** All posts are in a future year, so that none is due while the test runs. */
export const nextYear = new Date().getFullYear() + 1;
export const postText = "Ring the noon bell";

/** Signs up a person with one account and a post on 12 March at 12:30 in the browser's time zone. Returns the schedule's ID. */
export async function plannedPost(page: Page, product: Product, enter = signUp): Promise<number> {
  await enter(page, product);
  await connect(page, product, "X", newName("k"));
  const at = await page.evaluate((year) => new Date(year, 2, 12, 12, 30).toISOString(), nextYear);
  return schedule(page, product, postText, at);
}

/** The scheduled time from the API in the browser's time zone, for example `3-12 12:30`. */
export async function timeOf(page: Page, product: Product, id: number): Promise<string> {
  const { scheduledTime } = await (await page.request.get(`${product.url}/v1/posts/${id}`)).json();
  return page.evaluate((time) => {
    const at = new Date(time);
    return `${at.getMonth() + 1}-${at.getDate()} ${at.getHours()}:${String(at.getMinutes()).padStart(2, "0")}`;
  }, scheduledTime);
}

export async function openCalendar(page: Page, product: Product, view: string): Promise<void> {
  await page.goto(`${product.url}/calendar?view=${view}&day=${nextYear}-03-12`);
  await expect(page.getByText(postText).first()).toBeVisible();
}

export async function middleOf(page: Page, button: string): Promise<{ x: number; y: number }> {
  const box = await page
    .getByRole("cell")
    .filter({ has: page.getByRole("button", { name: button }) })
    .boundingBox();
  if (!box) throw new Error(`${button} is not on the page`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
