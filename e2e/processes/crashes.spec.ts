import { expect, test } from "@playwright/test";
import { poison } from "../chaos/poison";
import { killedRefresh, oneRefresh } from "../chaos/refresh";
import { stopped } from "../chaos/stopped";
import { type OwnProduct, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

// The short forms of `npm run chaos` in which workers die. They share one product, and each starts and stops its own workers.
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startProduct({ env: { WORKER: "off" } });
});
test.afterAll(() => product?.stop());

for (const trial of [oneRefresh, killedRefresh, poison, stopped]) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    expect((await runTrial(trial, { size: "short", seed: 20_261_123, product })).failures).toEqual([]);
  });
}
