import { listenOn } from "../../db/listen";
import { type BackgroundTask, pollingLoop, type Worker } from "../../jobs";
import { log } from "../../log";
import { recordLateness } from "../../metrics";
import { type Claim, renewClaims } from "./claim";
import { claimDueComments } from "./comment";
import { readHealth } from "./health";
import { claimDue, newMemory } from "./pick";
import { publish } from "./publish";

const RENEW_MS = 10_000;
const BATCH_PAUSE_MS = 20;
const HEALTH_MS = 1_000;
/** Comments that run at once, and the pause between two looks for due ones. */
const MAX_COMMENTS = 16;
const COMMENTS_MS = 1_000;

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
    const looks = pollingLoop("looking for due publications", async () => {
      const { claims: taken, idleMs = BATCH_PAUSE_MS } = await claimDue(worker, claims(), memory);
      for (const claim of taken) begin(claim);
      return idleMs;
    });

    const comments = pollingLoop("looking for due comments", async () => {
      const room = MAX_COMMENTS - claims().filter(({ comment }) => comment !== null).length;
      const taken = room > 0 ? await claimDueComments(worker, { room }) : [];
      for (const claim of taken) begin(claim);
      return taken.length > 0 ? BATCH_PAUSE_MS : COMMENTS_MS;
    });

    const askHealth = () => void readHealth().catch(() => {});

    function begin(claim: Claim): void {
      if (running.size === 0) askHealth();
      const id = claim.publicationId;
      const isFirst = !claim.comment && claim.claims === 1 && claim.attempts === 0 && claim.steps.length === 0;
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
          if (claim.settings.firstComment) comments.soon();
        });
      running.set(id, { claim, end });
    }

    const renewing = setInterval(() => {
      // A failed renewal needs no handling: the publication's next step checks the claim.
      renewClaims(claims().filter((claim) => isAlive(claim.worker))).catch(() => {});
    }, RENEW_MS);
    const asking = setInterval(() => {
      if (running.size > 0) askHealth();
    }, HEALTH_MS);
    listenOn("publications_due", { notice: looks.soon, lost: looks.soon });
    looks.soon();
    comments.soon();
    return {
      async stop() {
        await Promise.all([looks.stop(), comments.stop()]);
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
