import { expect, test } from "@playwright/test";
import { poison } from "../chaos/poison";
import { killedRefresh, oneRefresh } from "../chaos/refresh";
import { stopped } from "../chaos/stopped";
import { type Product, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

// Short versions with a seed of their own, as in chaos.spec.ts; one product, because each starts and ends workers of its own.
let product: Product;
test.beforeAll(async () => {
  product = await startProduct({ env: { WORKER: "off" } });
});
test.afterAll(() => product?.stop());

for (const trial of [oneRefresh, killedRefresh, poison, stopped]) {
  test(`${trial.id}: ${trial.promise}`, async () => {
    test.setTimeout(300_000);
    expect((await runTrial(trial, { size: "short", seed: 20_261_123, product })).breaches).toEqual([]);
  });
}
