import { expect, test } from "playwright/test";
import { kills } from "../chaos/kills";
import { rolling } from "../chaos/rolling";
import { stopped } from "../chaos/stopped";
import { type OwnProduct, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

// The short forms of `npm run chaos` in which workers, the web process and the database are killed or replaced. docs/trials.md names
// the unit tests that verify the trials without a short form here.
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startProduct({ env: { WORKER: "off" } });
});
test.afterAll(() => product?.stop());

for (const trial of [stopped, rolling, kills]) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    expect((await runTrial(trial, { size: "short", seed: 20_261_123, product })).failures).toEqual([]);
  });
}
