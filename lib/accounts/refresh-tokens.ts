import { setTimeout as sleep } from "node:timers/promises";
import { and, asc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { onEveryWorker } from "../jobs";
import { log } from "../log";
import { defineGauges, perNetwork } from "../metrics";
import { allNetworks, isOffered, type Network, networkOf, networkSession, PlatformError } from "../networks";
import { queueEndingPermissionMails } from "../notices";
import type { Platform } from "../platforms";
import { type Account, requireReconnect, tokensOf } from "./accounts";
import { BATCH, workInBatches } from "./batches";
import { listOperatorProblems } from "./operator-problems";
import { openSession } from "./session";

const EVERY_MS = 600_000;
/** How long no worker tries an account again, whether its token was renewed or not. */
const CLAIM_MINUTES = 10;
const DAY_SECONDS = 86_400;
/** Refresh tokens expire if unused; the shortest limit is two weeks (Bluesky). */
const IDLE_DAYS = 7;

/**
 * Refreshes the tokens of accounts that are not publishing. Some networks must be asked days ahead, because an expired token
 * cannot be refreshed; on the others, the refresh token expires some weeks after its last use. Owners get a mail about permissions
 * that end soon and that only they can renew.
 */
export const tokenRefresh = onEveryWorker("tokens that end soon", async (signal) => {
  await refreshEndingTokens(signal);
  await queueEndingPermissionMails(EXPIRING_DAYS);
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
        isRenewalDue(platform, beforeSeconds),
        or(isNull(accounts.renewalClaimUntil), lt(accounts.renewalClaimUntil, sql`now()`)),
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

/** Accounts in use whose tokens end within this time. */
function isRenewalDue(platform: Network["platform"], beforeSeconds: number) {
  return and(
    eq(accounts.platform, platform),
    eq(accounts.state, "ACTIVE"),
    isNull(accounts.disconnectedAt),
    isNull(accounts.heldSince),
    lt(accounts.tokensExpireAt, sql`now() + make_interval(secs => ${beforeSeconds})`),
  );
}

const RENEWED =
  "The permission of this account was renewed after the backup from which Carillon was restored, and the renewal is lost. Reconnect the account";

/**
 * Checks the accounts whose tokens may have been renewed after the backup was taken: those whose renewal is due by now. The
 * access token of the backup is tried first. Only if the network refuses it, the refresh token is presented, once: if it was
 * used after the backup, the network refuses it, and the account must be connected again.
 */
export async function verifyRestoredTokens(): Promise<void> {
  for (const { platform, refresh } of allNetworks()) {
    if (!refresh) continue;
    const due = await db.select().from(accounts).where(isRenewalDue(platform, refresh.beforeSeconds));
    for (const account of due) await verify(account);
  }
}

async function verify(account: Account): Promise<void> {
  if (!account.tokensSealed || (await isAccessTokenAccepted(account))) return;
  try {
    await openSession(account); // renews the tokens, because they end soon
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    if (error.kind === "reconnect") {
      await requireReconnect(account.id, RENEWED);
      const isLost = and(eq(accounts.id, account.id), eq(accounts.state, "RECONNECT_REQUIRED"));
      await db.update(accounts).set({ stateReason: RENEWED }).where(isLost);
    }
    log.warn({ account: account.id, kind: error.kind }, "the tokens of a restored account could not be renewed");
  }
}

/** A network that cannot be reached now refuses nothing: its tokens are used as they are. */
async function isAccessTokenAccepted(account: Account): Promise<boolean> {
  const network = networkOf(account.platform);
  const { networkAccountId: accountId, username } = account;
  try {
    await network.profile(networkSession(network, { accountId, username, tokens: tokensOf(account) }));
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.kind !== "reconnect";
  }
}

/** How long before its end a permission that only the owner can renew counts as ending, and is mailed. */
export const EXPIRING_DAYS = 7;

/** The figures of accounts for `/metrics`. Both counts read a partial index that holds only these accounts. */
defineGauges(
  {
    carillon_accounts_reconnect_required: {
      help: "Connected accounts that their owner must connect again.",
      labelNames: ["network"],
    },
    carillon_accounts_expiring: {
      help: `Accounts that still work, and whose owner must reconnect them within ${EXPIRING_DAYS} days.`,
      labelNames: ["network"],
    },
    carillon_operator_problems: {
      help: "Refusals of the service's own application that the operator must end, by network. doctor says what to do.",
      labelNames: ["network"],
    },
  },
  async () => ({
    carillon_operator_problems: perNetwork(await countOperatorProblems()),
    carillon_accounts_reconnect_required: perNetwork(
      await countAccounts(sql`state = 'RECONNECT_REQUIRED' and disconnected_at is null`),
    ),
    carillon_accounts_expiring: perNetwork(
      await countAccounts(sql`permission_ends_at between now() and now() + make_interval(days => ${EXPIRING_DAYS})
        and permission_ends_at is not null and disconnected_at is null`),
    ),
  }),
);

async function countOperatorProblems() {
  const counts = new Map<Platform, number>();
  for (const { platform } of await listOperatorProblems()) counts.set(platform, (counts.get(platform) ?? 0) + 1);
  return [...counts].map(([platform, value]) => ({ platform, value }));
}

async function countAccounts(which: ReturnType<typeof sql>) {
  const { rows } = await db.execute<{ platform: Platform; value: number }>(
    sql`select platform, count(*)::int as value from accounts where ${which} group by 1`,
  );
  return rows;
}
