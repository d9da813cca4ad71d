import { expect } from "@playwright/test";
import type { Product } from "./setup/product";
import { test } from "./setup/test";
import { expectUsable } from "./setup/usable";
import { signUp } from "./setup/visitor";

let product: Product;

test.beforeAll(async ({ product: shared }) => {
  product = shared;
});

test("while publishing is paused, every page shows a notice with the reason", async ({ page }) => {
  await signUp(page, product);
  await page.goto(product.url);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const notice = page.getByRole("status").filter({ hasText: "Publishing is paused" });
  await expect(notice).toHaveCount(0);

  await product.carillon("publishing", "pause", "--reason", "The networks have trouble");
  await expect(notice).toContainText("Reason: The networks have trouble", { timeout: 25_000 });
  for (const path of ["/posts", "/accounts", "/compose"]) {
    await page.goto(`${product.url}${path}`);
    await expect(notice).toBeVisible({ timeout: 25_000 });
  }
  await expectUsable(page, { only: '[role="status"]' });

  await product.carillon("publishing", "resume");
  await expect(notice).toHaveCount(0, { timeout: 25_000 });
});
