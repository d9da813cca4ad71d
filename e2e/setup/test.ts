import { test as base } from "playwright/test";
import { joinProduct, type Product } from "./product";
import { SHARED_PRODUCT, type SharedProduct } from "./shared-product";

/**
 * The product of all browser journeys, which run at once. Journeys create their own people and accounts, and set nothing that
 * others notice. A journey that arms faults, pauses publishing, needs other settings or stops the product starts its own. It uses
 * this `test` too: Playwright runs files with the same fixtures in turn, and a file with others after all of them, in one worker.
 */
export const test = base.extend<
  object,
  { product: Product; receiverPort: number; feedPort: number; partnerPort: number }
>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the needed fixtures from this pattern
    async ({}, use) => {
      const { settings, outputFile } = sharedProduct();
      const product = joinProduct(settings, outputFile);
      await use(product);
      product.close();
    },
    { scope: "worker" },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  receiverPort: [async ({}, use) => use(sharedProduct().receiverPort), { scope: "worker" }],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  feedPort: [async ({}, use) => use(sharedProduct().feedPort), { scope: "worker" }],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  partnerPort: [async ({}, use) => use(sharedProduct().partnerPort), { scope: "worker" }],
});

function sharedProduct(): SharedProduct {
  return JSON.parse(process.env[SHARED_PRODUCT] ?? "");
}
