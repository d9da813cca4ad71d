import { expect, test } from "playwright/test";
import { canaries } from "../trials/canaries/trial";
import { runTrial } from "../trials/trial";

// The short form of `npm run trials -- t23`, on a product of its own, because it stops the product and reads its files.
test(`T23: ${canaries().guarantee}`, async () => {
  test.setTimeout(300_000);
  expect((await runTrial(canaries(), { size: "short", seed: 20_260 })).failures).toEqual([]);
});
