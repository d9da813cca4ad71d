import { once } from "../../db/per-process";
import { defineJob, type Worker, WorkerLost } from "../../jobs";
import { log } from "../../log";
import { claimImport, wakeAgain } from "./claim";
import { importDue } from "./job";
import { runImport } from "./run";

/** Imports that one process works on at a time. */
const PLACES = 6;

const places = once("media.imports", () => ({ taken: 0 }));

/**
 * The job only wakes: an import may take ten minutes, and a slow server must not hold up posts that are due. The work goes
 * on beside the job engine, under a claim that ends with its worker; until it is finished another wake-up waits.
 */
export const importMedia = defineJob({
  ...importDue,
  async run({ importId }, worker) {
    if (await wakeAgain(importId)) void takePlace(worker);
  },
});

/** Works on whatever imports are due, one after the other, until there are none. Those that find no place are picked up so. */
async function takePlace(worker: Worker): Promise<void> {
  if (places.taken >= PLACES) return;
  places.taken += 1;
  try {
    for (let claim = await claimImport(worker); claim; claim = await claimImport(worker)) await runImport(claim);
  } catch (error) {
    if (!(error instanceof WorkerLost)) log.warn({ error: String(error) }, "an import stumbled and is taken up again");
  } finally {
    places.taken -= 1;
  }
}
