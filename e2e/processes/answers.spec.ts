import { expect, test } from "@playwright/test";
import { database } from "../chaos/database";
import { fair } from "../chaos/fair";
import { lossy } from "../chaos/lossy";
import { storm } from "../chaos/storm";
import { type OwnProduct, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

// The short forms of `npm run chaos` that need no process to die. They share one product.
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product?.stop());

for (const trial of [lossy, storm, database, fair]) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    expect((await runTrial(trial, { size: "short", seed: 20_261_124, product })).failures).toEqual([]);
  });
}
