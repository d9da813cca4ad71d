import { test as base } from "@playwright/test";
import { type Product, startProduct } from "./product";

/**
 * One product for all files that a worker runs, for journeys that leave it as they found it: people and accounts of
 * their own, faults that are used up. Whoever needs other settings or stops it starts one of their own.
 */
export const test = base.extend<object, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner reads the fixtures that are needed from this pattern
    async ({}, use) => {
      const product = await startProduct();
      await use(product);
      await product.stop();
    },
    { scope: "worker", timeout: 240_000 },
  ],
});
