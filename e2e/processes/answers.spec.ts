import { expect, test } from "@playwright/test";
import { lossy } from "../chaos/lossy";
import { storm } from "../chaos/storm";
import { type Product, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

// Short versions with a seed of their own, as in chaos.spec.ts: a network whose answers are lost, late, or "slow down".
let product: Product;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product?.stop());

for (const trial of [lossy, storm]) {
  test(`${trial.id}: ${trial.promise}`, async () => {
    test.setTimeout(300_000);
    expect((await runTrial(trial, { size: "short", seed: 20_261_124, product })).breaches).toEqual([]);
  });
}
