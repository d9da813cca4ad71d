import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { onEveryWorker } from "../jobs";
import { allNetworks, isOffered, type Network } from "../networks";
import type { Account } from "./accounts";
import { BATCH, workInBatches } from "./batches";
import "./figures";
import { openSession } from "./session";

const EVERY_MS = 600_000;
/** How long no worker tries an account again, whether its token was renewed or not. */
const CLAIM_MINUTES = 10;
const DAY_SECONDS = 86_400;
/** Refresh tokens expire if unused; the shortest limit is two weeks (Bluesky). */
const IDLE_DAYS = 7;

/**
 * Refreshes the tokens of accounts that are not publishing. Some networks must be asked days ahead, because an expired token
 * cannot be refreshed; on the others, the refresh token expires some weeks after its last use.
 */
export const tokenRefresh = onEveryWorker("tokens that end soon", async (signal) => {
  await refreshEndingTokens(signal);
  await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
});

/** All networks at the same time, so that one network's long list does not delay the others. */
export async function refreshEndingTokens(signal?: AbortSignal): Promise<void> {
  const works = allNetworks().map(async ({ platform, refresh }) => {
    if (!refresh || !isOffered(platform)) return;
    await workInBatches(() => claimEndingAccounts(platform, refresh.beforeSeconds), openSession, signal);
  });
  await Promise.all(works);
}

/**
 * Accounts whose token must be renewed. They are claimed before the call, so that an account that cannot be renewed does not
 * come first again. `openSession` makes sure that a token is renewed only once.
 */
async function claimEndingAccounts(platform: Network["platform"], beforeSeconds: number): Promise<Account[]> {
  const isIdle = lt(accounts.tokensRefreshedAt, sql`now() - make_interval(days => ${IDLE_DAYS})`);
  const ending = db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.platform, platform),
        eq(accounts.state, "ACTIVE"),
        isNull(accounts.disconnectedAt),
        isNull(accounts.heldSince),
        or(isNull(accounts.renewalClaimUntil), lt(accounts.renewalClaimUntil, sql`now()`)),
        lt(accounts.tokensExpireAt, sql`now() + make_interval(secs => ${beforeSeconds})`),
        beforeSeconds >= DAY_SECONDS ? undefined : isIdle,
      ),
    )
    .orderBy(asc(accounts.tokensExpireAt))
    .limit(BATCH)
    .for("update", { skipLocked: true });
  return db
    .update(accounts)
    .set({ renewalClaimUntil: sql`now() + make_interval(mins => ${CLAIM_MINUTES})` })
    .where(inArray(accounts.id, ending))
    .returning();
}
