import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { log } from "../log";
import { allNetworks, networkOf, networkSession, PlatformError } from "../networks";
import { type Account, requireReconnect, tokensOf } from "./accounts";
import { openSession } from "./session";

const RENEWED =
  "The permission of this account was renewed after the backup from which Carillon was restored, and the renewal is lost. Connect the account again";

/**
 * Checks the accounts whose tokens may have been renewed after the backup was taken: those whose renewal is due by now. The
 * access token of the backup is tried first. Only if the network refuses it, the refresh token is presented, once: if it was
 * used after the backup, the network refuses it, and the account must be connected again.
 */
export async function verifyRestoredTokens(): Promise<void> {
  for (const { platform, refresh } of allNetworks()) {
    if (!refresh) continue;
    const due = await db
      .select()
      .from(accounts)
      .where(
        and(
          eq(accounts.platform, platform),
          eq(accounts.state, "ACTIVE"),
          isNull(accounts.disconnectedAt),
          isNull(accounts.heldSince),
          lt(accounts.tokensExpireAt, sql`now() + make_interval(secs => ${refresh.beforeSeconds})`),
        ),
      );
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
