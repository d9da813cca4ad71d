import { expect, test } from "@playwright/test";
import { everyStep } from "../chaos/every-step";
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

/** The networks that look up a post, or know it, in another way if it has another format. The long form uses all networks. */
const MIXED = ["TikTok", "Instagram", "Telegram", "Pinterest"];

test("T2: workers that die while posts of every format are published, stories and drafts without a text too", async () => {
  const { failures } = await runTrial(everyStep, { size: "short", seed: 20_261_128, only: MIXED, product });
  expect(failures).toEqual([]);
});
