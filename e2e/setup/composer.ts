import { expect, type Page } from "playwright/test";
import { picture } from "./files";
import type { Product } from "./product";

export const textField = (page: Page) => page.getByLabel("Text", { exact: true });
export const accountBoxes = (page: Page) => page.getByRole("group", { name: "Post to" }).getByRole("checkbox");
export const versionTab = (page: Page, name: string) =>
  page.getByRole("tablist", { name: "Versions of this post" }).getByRole("tab", { name });

export async function chooseAllAccounts(page: Page): Promise<void> {
  await accountBoxes(page).first().waitFor();
  for (const box of await accountBoxes(page).all()) await box.check();
}

export async function scheduledPosts(page: Page, product: Product) {
  return (await (await page.request.get(`${product.url}/v1/posts?status=SCHEDULED`)).json()).items;
}

/** Puts pictures into the library. */
export async function storePictures(page: Page, product: Product, ...names: string[]): Promise<void> {
  for (const name of names) {
    const { mimeType, buffer } = await picture(name, { width: 600, height: 600 });
    const multipart = { file: { name, mimeType, buffer } };
    const answer = await page.request.post(`${product.url}/v1/media/upload`, {
      headers: { Origin: product.url },
      multipart,
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
}
