import { expect, test } from "@playwright/test";
import { database } from "../chaos/database";
import { fair } from "../chaos/fair";
import { outage } from "../chaos/outage";
import { runTrial } from "../trials/trial";

// Short versions with a seed of their own, as in chaos.spec.ts: what no test of a single process can show.
for (const trial of [outage, database, fair]) {
  test(`${trial.id}: ${trial.promise}`, async () => {
    test.setTimeout(300_000);
    const { breaches } = await runTrial(trial, { size: "short", seed: 20_261_122 });
    expect(breaches).toEqual([]);
  });
}
