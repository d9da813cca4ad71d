import { expect, test } from "@playwright/test";
import { database } from "../chaos/database";
import { fair } from "../chaos/fair";
import { lossy } from "../chaos/lossy";
import { restored } from "../chaos/restored";
import { storm } from "../chaos/storm";
import { type OwnProduct, startProduct } from "../setup/product";
import { runTrial } from "../trials/trial";

// The short forms of `npm run chaos` with one process that publishes. They share one product. Of the accidents of T26 only the one
// in which everything is lost and comes from a backup is tried.
let product: OwnProduct;
test.beforeAll(async () => {
  product = await startProduct();
});
test.afterAll(() => product?.stop());

for (const [trial, only] of [[restored, ["everything lost"]], [lossy], [storm], [database], [fair]] as const) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    const options = { size: "short", seed: 20_261_124, only: only && [...only], product } as const;
    expect((await runTrial(trial, options)).failures).toEqual([]);
  });
}
