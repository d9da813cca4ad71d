import { expect, test } from "@playwright/test";
import { hostileInput } from "../chaos/hostile-input/trial";
import { runTrial } from "../trials/trial";

// The short form of `npm run chaos -- t32`. It measures the web process, so nothing else may use its product.
test(`${hostileInput.id}: ${hostileInput.guarantee}`, async () => {
  test.setTimeout(900_000); // its requests follow one another, which takes minutes on a slow machine
  expect((await runTrial(hostileInput, { size: "short", seed: 20_261_124 })).failures).toEqual([]);
});
