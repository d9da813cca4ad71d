import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { type Product, startProduct } from "./setup/product";

let product: Product;

test.beforeAll(async () => {
  product = await startProduct();
});

test.afterAll(() => product?.stop());

test("while publishing is paused, everybody who is signed in is told on every page, and why, until it goes on", async ({
  page,
}, info) => {
  await page.goto(`${product.url}/sign-up`);
  await page.getByLabel("E-mail").fill(`${info.project.name}@example.com`);
  await page.getByLabel("Password").fill("a long password");
  await page.getByRole("button", { name: /Sign up|Create/ }).click();
  await expect(page).toHaveURL(`${product.url}/`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const notice = page.getByRole("status").filter({ hasText: "Publishing is paused" });
  await expect(notice).toHaveCount(0);

  await product.carillon("publishing", "pause", "--reason", "The networks have trouble");
  await expect(notice).toContainText("Reason: The networks have trouble", { timeout: 25_000 });
  for (const path of ["/posts", "/accounts", "/compose"]) {
    await page.goto(`${product.url}${path}`);
    await expect(notice).toBeVisible({ timeout: 25_000 });
  }
  const { violations } = await new AxeBuilder({ page }).include('[role="status"]').analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  await product.carillon("publishing", "resume");
  await expect(notice).toHaveCount(0, { timeout: 25_000 });
});
