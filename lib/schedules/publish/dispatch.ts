import { listenOn } from "../../db/listen";
import type { BackgroundTask, Worker } from "../../jobs";
import { log } from "../../log";
import { recordLateness } from "../../metrics";
import { type Claim, renewClaims } from "./claim";
import { readHealth } from "./health";
import { claimDue, newMemory, pauseAfter } from "./pick";
import { publish } from "./publish";

const RENEW_MS = 10_000;
/** The shortest pause between two looks, so that a burst is claimed in batches. */
const MIN_PAUSE_MS = 10;
const BATCH_PAUSE_MS = 20;
const HEALTH_MS = 1_000;
const ERROR_PAUSE_MS = 1_000;

/**
 * The publishing loop of every worker process. It claims due publications in batches and publishes them concurrently. A timer
 * wakes it when the next publication is due, and a notification wakes it when another one becomes due earlier.
 */
export const dispatch: BackgroundTask = {
  name: "dispatch",
  start(worker) {
    const running = new Map<number, { claim: Claim; end: Promise<void> }>();
    const claims = () => [...running.values()].map(({ claim }) => claim);
    const memory = newMemory();
    const looks = pollingLoop(async () => {
      const { claims: taken, idleMs = BATCH_PAUSE_MS } = await claimDue(worker, claims(), memory);
      for (const claim of taken) begin(claim);
      return idleMs;
    });

    function begin(claim: Claim): void {
      const id = claim.publicationId;
      const isFirst = claim.claims === 1 && claim.attempts === 0 && claim.steps.length === 0;
      if (isFirst) recordLateness(claim.account.platform, claim.lateSeconds);
      const end = publish(claim)
        .catch((error: unknown) => {
          log.error(
            { publication: id, error: error instanceof Error ? error.stack : String(error) },
            "publishing failed unexpectedly",
          );
        })
        .then(() => {
          if (running.get(id)?.claim === claim) running.delete(id);
          looks.soon();
        });
      running.set(id, { claim, end });
    }

    const renewing = setInterval(() => {
      // A failed renewal needs no handling: the publication's next step checks the claim.
      renewClaims(claims().filter((claim) => isAlive(claim.worker))).catch(() => {});
    }, RENEW_MS);
    const asking = setInterval(() => void readHealth().catch(() => {}), HEALTH_MS);
    listenOn("publications_due", { notice: looks.soon, lost: looks.soon });
    looks.soon();
    return {
      async stop() {
        await looks.stop();
        while (running.size > 0) await Promise.all([...running.values()].map(({ end }) => end));
        clearInterval(renewing);
        clearInterval(asking);
      },
    };
  },
};

function isAlive(worker: Worker): boolean {
  try {
    worker.assertAlive();
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls `look` repeatedly, one call at a time. Each call returns the milliseconds until the next one. `soon` starts the next
 * call at once, or right after the current one.
 */
function pollingLoop(look: () => Promise<number>) {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;

  async function once(): Promise<void> {
    const begun = performance.now();
    isWanted = false;
    const idleMs = await look().catch((error: unknown) => {
      log.warn({ error: String(error) }, "looking for due publications failed");
      return ERROR_PAUSE_MS;
    });
    current = undefined;
    after(isWanted ? Math.max(MIN_PAUSE_MS, pauseAfter(performance.now() - begun)) : idleMs);
  }

  function after(ms: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    const at = performance.now() + ms;
    // Timers count from the last turn of the event loop, so they may fire early. Looking early would find nothing.
    const due = () => {
      const left = at - performance.now();
      if (left > 0) timer = setTimeout(due, Math.ceil(left));
      else current = once();
    };
    timer = setTimeout(due, Math.ceil(ms));
  }

  return {
    soon() {
      if (current) isWanted = true;
      else if (!isWanted) {
        isWanted = true;
        after(0);
      }
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
