import { expect, test } from "@playwright/test";
import { kills } from "../chaos/kills";
import { rolling } from "../chaos/rolling";
import { webhooks } from "../chaos/webhooks";
import { runTrial } from "../trials/trial";

// Short versions with a seed of their own; `npm run chaos` runs the whole ones, and the others.
for (const trial of [kills, rolling, webhooks]) {
  test(`${trial.id}: ${trial.promise}`, async () => {
    const { breaches } = await runTrial(trial, { size: "short", seed: 20_261_121 });
    expect(breaches).toEqual([]);
  });
}
