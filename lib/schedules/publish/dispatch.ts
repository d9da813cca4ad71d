import { setTimeout as sleep } from "node:timers/promises";
import { isDatabaseUnavailable } from "../../db";
import { listenOn } from "../../db/listen";
import { type BackgroundTask, pollingLoop, type Worker } from "../../jobs";
import { log } from "../../log";
import { recordLateness } from "../../metrics";
import { CLAIMS_RELEASED, type Claim, DUE, giveBackClaim, renewClaims } from "./claim";
import { claimDueComments, commentPauseMs, untilNextComment } from "./comment";
import { readHealth } from "./health";
import { claimDue, newPickState } from "./pick";
import { publish } from "./publish";
import { AWAY_SECONDS } from "./record";

const RENEW_MS = 10_000;
const BATCH_PAUSE_MS = 20;
const HEALTH_MS = 1_000;
const GIVE_BACK_MS = 1_000;
/** Comments that run at once. */
const MAX_COMMENTS = 16;

/**
 * The publishing loops of every worker process. They claim due publications, and publications whose first comment is due, in
 * batches and work on them concurrently. A timer wakes a loop when the next one is due, and a notification wakes it when another one
 * becomes due earlier.
 * @param options `commentRestMs`: how long the loop for comments rests while none is due and no notification arrives
 */
export const dispatch = ({ commentRestMs }: { commentRestMs?: number } = {}): BackgroundTask => ({
  name: "dispatch",
  start(worker) {
    const running = new Map<number, { claim: Claim; end: Promise<void> }>();
    const claims = () => [...running.values()].map(({ claim }) => claim);
    const memory = newPickState();
    const stopping = new AbortController();
    const looks = pollingLoop("looking for due publications", async () => {
      const { claims: taken, idleMs = BATCH_PAUSE_MS } = await claimDue(worker, claims(), memory);
      for (const claim of taken) begin(claim);
      return idleMs;
    });

    const comments = pollingLoop("looking for due comments", async () => {
      const isListening = notices.isListening();
      const room = MAX_COMMENTS - claims().filter(({ comment }) => comment !== null).length;
      const taken = room > 0 ? await claimDueComments(worker, { room }) : [];
      for (const claim of taken) begin(claim);
      if (taken.length > 0) return BATCH_PAUSE_MS;
      return commentPauseMs(isListening, await untilNextComment(), commentRestMs);
    });

    const askHealth = () => void readHealth().catch(() => {});

    function begin(claim: Claim): void {
      if (running.size === 0) askHealth();
      const id = claim.publicationId;
      const isFirst = !claim.comment && claim.claims === 1 && claim.attempts === 0 && claim.steps.length === 0;
      if (isFirst) recordLateness(claim.account.platform, claim.lateSeconds);
      const end = publish(claim)
        .catch(async (error: unknown) => {
          log.error(
            { publication: id, error: error instanceof Error ? error.stack : String(error) },
            "publishing failed unexpectedly",
          );
          if (isDatabaseUnavailable(error)) await giveBack(claim);
        })
        .then(() => {
          if (running.get(id)?.claim === claim) running.delete(id);
          looks.soon();
          if (claim.settings.firstComment) comments.soon();
        });
      running.set(id, { claim, end });
    }

    /** Waits until the database is back. A process that stops gives back all of its claims. */
    async function giveBack(claim: Claim): Promise<void> {
      while (!stopping.signal.aborted) {
        try {
          return await giveBackClaim(claim, AWAY_SECONDS);
        } catch (error) {
          if (!isDatabaseUnavailable(error)) {
            log.error({ publication: claim.publicationId, error: String(error) }, "a claim could not be given back");
            return;
          }
        }
        await sleep(GIVE_BACK_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }

    const renewing = setInterval(() => {
      // A failed renewal needs no handling: the publication's next step checks the claim.
      renewClaims(claims().filter((claim) => isAlive(claim.worker))).catch(() => {});
    }, RENEW_MS);
    const asking = setInterval(() => {
      if (running.size > 0) askHealth();
    }, HEALTH_MS);
    const notices = listenOn(DUE, {
      notice(payload) {
        looks.soon();
        if (payload === CLAIMS_RELEASED) comments.soon();
      },
      lost() {
        looks.soon();
        comments.soon();
      },
    });
    looks.soon();
    comments.soon();
    return {
      async stop() {
        stopping.abort();
        await Promise.all([looks.stop(), comments.stop()]);
        while (running.size > 0) await Promise.all([...running.values()].map(({ end }) => end));
        clearInterval(renewing);
        clearInterval(asking);
      },
    };
  },
});

function isAlive(worker: Worker): boolean {
  try {
    worker.assertAlive();
    return true;
  } catch {
    return false;
  }
}
