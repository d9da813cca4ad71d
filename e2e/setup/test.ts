import { test as base } from "@playwright/test";
import { type Product, startProduct } from "./product";

/**
 * One product for all files of a Playwright worker. Journeys create their own people and accounts and use up the faults
 * that they arm. A journey that needs other settings or stops the product starts its own.
 */
export const test = base.extend<object, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the needed fixtures from this pattern
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
});
