import { expect, test } from "@playwright/test";
import { kills } from "../chaos/kills";
import { rolling } from "../chaos/rolling";
import { type OwnProduct, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

// The short forms of `npm run chaos` in which workers, the web process and the database are killed or replaced.
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startProduct({ env: { WORKER: "off" } });
});
test.afterAll(() => product?.stop());

for (const trial of [rolling, kills]) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    expect((await runTrial(trial, { size: "short", seed: 20_261_121, product })).failures).toEqual([]);
  });
}
