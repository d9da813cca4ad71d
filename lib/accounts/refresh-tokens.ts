import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { TOKEN_REFRESH_LOOP_LOCK } from "../db/locks";
import type { Loop } from "../jobs";
import { log } from "../log";
import { allNetworks, isOffered, type Network, PlatformError } from "../networks";
import { openSession } from "./session";

const EVERY_MS = 600_000;
/** Per network and turn, so that one network's long list does not delay the others. */
const BATCH = 100;
const DAY_SECONDS = 86_400;
/** Refresh tokens expire if unused; the shortest limit is two weeks (Bluesky). */
const IDLE_DAYS = 7;

/**
 * Refreshes the tokens of accounts that are not publishing. Some networks must be asked days ahead, because an expired token
 * cannot be refreshed; on the others, the refresh token expires some weeks after its last use.
 */
export const tokenRefreshLoop: Loop = {
  name: "tokens that end soon",
  lock: TOKEN_REFRESH_LOOP_LOCK,
  async turn(signal) {
    await refreshEndingTokens(signal);
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  },
};

export async function refreshEndingTokens(signal?: AbortSignal): Promise<void> {
  for (const network of allNetworks()) {
    if (network.refresh && isOffered(network.platform))
      await refreshEndingTokensOn(network, network.refresh.beforeSeconds, signal);
  }
}

async function refreshEndingTokensOn(network: Network, beforeSeconds: number, signal?: AbortSignal): Promise<void> {
  const isIdle = lt(accounts.tokensRefreshedAt, sql`now() - make_interval(days => ${IDLE_DAYS})`);
  const ending = await db
    .select()
    .from(accounts)
    .where(
      and(
        eq(accounts.platform, network.platform),
        eq(accounts.state, "ACTIVE"),
        isNull(accounts.disconnectedAt),
        isNull(accounts.heldSince),
        lt(accounts.tokensExpireAt, sql`now() + make_interval(secs => ${beforeSeconds})`),
        beforeSeconds >= DAY_SECONDS ? undefined : isIdle,
      ),
    )
    .orderBy(asc(accounts.tokensExpireAt))
    .limit(BATCH);
  for (const account of ending) {
    if (signal?.aborted) return;
    try {
      await openSession(account);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      log.info({ account: account.id, kind: error.kind }, error.message); // the account's row has its new state
    }
  }
}
