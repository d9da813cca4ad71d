import { log } from "../log";
import { PlatformError } from "../networks";

/** How many accounts a worker claims at once. */
export const BATCH = 100;
/** Calls of one worker at a time to one network. */
const CONCURRENT = 4;

/**
 * Works on claimed accounts of one network, batch after batch, until no full batch is left. Every worker does this, so more
 * workers do more. After a network asked to wait, no further batch is claimed in this turn.
 * @param claim claims up to `BATCH` accounts that no other worker has claimed
 */
export async function workInBatches<T extends { id: number }>(
  claim: () => Promise<T[]>,
  work: (account: T) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  let [claimed, mustWait] = [0, false];
  const attempt = async (account: T) => {
    try {
      await work(account);
    } catch (error) {
      if (!(error instanceof PlatformError)) {
        log.warn(
          { account: account.id, error: String(error) },
          "the tokens or the profile of an account could not be refreshed",
        );
        return;
      }
      mustWait ||= error.answer?.status === 429;
      log.info({ account: account.id, kind: error.kind }, error.message); // the account's row has its new state
    }
  };
  do {
    const batch = await claim();
    claimed = batch.length;
    const queue = batch.values();
    const workers = Array.from({ length: CONCURRENT }, async () => {
      for (const account of queue) if (!signal?.aborted) await attempt(account);
    });
    await Promise.all(workers);
  } while (claimed === BATCH && !mustWait && !signal?.aborted);
}
