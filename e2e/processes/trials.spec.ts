import { expect, test } from "playwright/test";
import { hostileInput } from "../chaos/hostile-input/trial";
import { type OwnProduct, startProduct } from "../setup/product";
import { authorization } from "../trials/authorization";
import { fuzz } from "../trials/fuzz/trial";
import { idempotency } from "../trials/idempotency";
import { runTrial } from "../trials/trial";
import { uploads } from "../trials/uploads";

// The short forms of `npm run trials`, and of `npm run chaos -- t32`, always with the same seed. Add a seed that failed elsewhere as
// another case. Their worker is a process of its own, because several measure the web process.
const SEED = 20_260;
const SLOW_MS = 900_000; // their requests follow one another, which takes minutes on a slow machine

let product: OwnProduct;
test.beforeAll(async () => {
  product = await startProduct({ env: await hostileInput.settings?.() });
  await product.startWorker();
});
test.afterAll(() => product?.stop());

for (const [trial, seed] of [
  [fuzz, SEED],
  [hostileInput, 20_261_124], // another one, because it creates the same people
  [idempotency, SEED],
  [authorization, SEED],
  [uploads, SEED],
] as const) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    test.setTimeout(SLOW_MS);
    expect((await runTrial(trial, { size: "short", seed, product })).failures).toEqual([]);
  });
}
