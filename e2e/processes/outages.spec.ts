import { expect, test } from "@playwright/test";
import { outage } from "../chaos/outage";
import { webhooks } from "../chaos/webhooks";
import { runTrial } from "../trials/trial";

// The short forms of `npm run chaos` that run on their own settings, each with its own product.
for (const trial of [outage, webhooks]) {
  test(`${trial.id}: ${trial.guarantee}`, async () => {
    expect((await runTrial(trial, { size: "short", seed: 20_261_122 })).failures).toEqual([]);
  });
}
