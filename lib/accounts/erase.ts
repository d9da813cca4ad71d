import { eq } from "drizzle-orm";
import { accounts, db } from "../db";
import { log } from "../log";
import { appOf, isOffered, networkOf } from "../networks";
import { type Account, disconnectAccount, getAccount, tokensOf } from "./accounts";

/** Removes all accounts of a user who is being deleted; before its token is erased, the network is told that it is void. */
export async function eraseAccounts(ownerId: string): Promise<undefined> {
  const mine = await db.select().from(accounts).where(eq(accounts.ownerId, ownerId));
  for (const account of mine) {
    await revoke(account);
    await db.delete(accounts).where(eq(accounts.id, account.id));
  }
}

/**
 * Disconnects an account at its owner's wish, and then tells the network that its token is void; nobody waits for that.
 * @throws NotFound; Conflict while it is publishing
 */
export async function disconnect(ownerId: string, id: number): Promise<void> {
  const account = await getAccount(ownerId, id);
  await db.transaction((tx) => disconnectAccount(tx, ownerId, id));
  void revoke(account);
}

/** Best effort: a network that is down must not keep somebody's data here. */
async function revoke(account: Account): Promise<void> {
  const network = networkOf(account.platform);
  if (!account.tokensSealed || !network.revoke || !isOffered(account.platform)) return;
  try {
    await network.revoke(appOf(network), tokensOf(account));
  } catch (error) {
    log.warn({ account: account.id, error: String(error) }, "a token could not be revoked at its network");
  }
}
