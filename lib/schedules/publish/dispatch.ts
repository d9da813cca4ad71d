import { listenOn } from "../../db/listen";
import type { Duty, Worker } from "../../jobs";
import { log } from "../../log";
import { type Claim, keepClaims } from "./claim";
import { readHealth } from "./health";
import { outlook, restAfter, takeDue, untilNextLook } from "./pick";
import { publish } from "./publish";

const RENEW_MS = 10_000;
/** Between two looks, so that a burst is taken in batches. */
const LEAST_MS = 10;
const MORE_MS = 20;
const HEALTH_MS = 1_000;
const STUMBLED_MS = 1_000;

/**
 * Takes what is due, in batches, and publishes it: at its very time by a timer for the next due one, at once when something
 * new is announced. Every worker process has one.
 */
export const dispatch: Duty = {
  name: "dispatch",
  start(worker) {
    const running = new Map<number, { claim: Claim; end: Promise<void> }>();
    const claims = () => [...running.values()].map(({ claim }) => claim);
    const looks = looking(async () => {
      const begun = performance.now();
      const taken = await takeDue(worker, claims());
      for (const claim of taken) begin(claim);
      if (taken.length > 0) return MORE_MS; // where there was something there is often more
      return untilNextLook(await outlook(), performance.now() - begun);
    });

    function begin(claim: Claim): void {
      const id = claim.publicationId;
      const end = publish(claim)
        .catch((error: unknown) => {
          log.error(
            { publication: id, error: error instanceof Error ? error.stack : String(error) },
            "publishing stumbled",
          );
        })
        .then(() => {
          if (running.get(id)?.claim === claim) running.delete(id);
          looks.soon();
        });
      running.set(id, { claim, end });
    }

    const renewing = setInterval(() => {
      // One that fails is noticed at the publication's next step, which asks again.
      keepClaims(claims().filter((claim) => isSure(claim.worker))).catch(() => {});
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

function isSure(worker: Worker): boolean {
  try {
    worker.assertAlive();
    return true;
  } catch {
    return false;
  }
}

/** Looks again and again, one look at a time, after as long as the last one said; `soon` is at once, or right after it. */
function looking(look: () => Promise<number>) {
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;

  async function once(): Promise<void> {
    const begun = performance.now();
    isWanted = false;
    const idleMs = await look().catch((error: unknown) => {
      log.warn({ error: String(error) }, "looking for what is due failed");
      return STUMBLED_MS;
    });
    current = undefined;
    after(isWanted ? Math.max(LEAST_MS, restAfter(performance.now() - begun)) : idleMs);
  }

  function after(ms: number): void {
    clearTimeout(timer);
    if (isStopped) return;
    const at = performance.now() + ms;
    // A timer counts whole milliseconds from the last turn of the event loop, so it may come early: that look would be in vain.
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
