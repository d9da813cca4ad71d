import { and, eq, inArray, or, sql } from "drizzle-orm";
import { accounts, dataDeletions, db, destinations, posts, publications, type Tx } from "../db";
import { log } from "../log";
import { appOf, isOffered, type Network, networkOf } from "../networks";
import { macOf } from "../secrets";
import { eraseEventsOf } from "../webhooks";
import { type Account, disconnectAccount, getAccount, tokensOf } from "./accounts";
import { emitAccountEvent } from "./events";
import { removeFromGroups } from "./groups";

const CODE_CHARACTERS = 24;

/** A network's data deletion request: whose data, and when it was requested. */
type DeletionRequest = { accountId: string; at: Date };

/**
 * Handles a network's data deletion request: removes the person's tokens, names, pictures, Pages and the ids and addresses
 * of posts, for every account that the person had at the time of the request. What our own users wrote is kept. A repeated
 * request does nothing; accounts connected since are not affected.
 * @returns the code to look up the request's state; the same request has the same code
 */
export async function deletePersonData({ platform }: Network, { accountId, at }: DeletionRequest): Promise<string> {
  const code = deletionCode(`${platform} ${accountId} ${at.toISOString()}`);
  await db.transaction(async (tx) => {
    const [first] = await tx
      .insert(dataDeletions)
      .values({ code, platform, accounts: 0 })
      .onConflictDoNothing()
      .returning({ code: dataDeletions.code });
    if (!first) return;
    const theirs = await tx
      .select({ id: accounts.id, disconnectedAt: accounts.disconnectedAt })
      .from(accounts)
      .where(
        and(
          eq(accounts.platform, platform),
          or(eq(accounts.networkAccountId, accountId), eq(accounts.callbackAccountId, accountId)),
          // Requests have whole seconds.
          sql`${accounts.stateSince} < ${at.toISOString()}::timestamptz + interval '1 second'`,
        ),
      )
      .for("update");
    const ids = theirs.map(({ id }) => id);
    const live = theirs.filter(({ disconnectedAt }) => disconnectedAt === null);
    if (ids.length > 0) await erasePersonData(tx, ids);
    const gone = await tx
      .select()
      .from(accounts)
      .where(
        inArray(
          accounts.id,
          live.map(({ id }) => id),
        ),
      );
    for (const account of gone) await emitAccountEvent(tx, "account.disconnected", account);
    await tx.update(dataDeletions).set({ accounts: ids.length }).where(eq(dataDeletions.code, code));
  });
  return code;
}

/** Unguessable, and only letters and digits, as Meta requires for its `confirmation_code`. */
function deletionCode(request: string): string {
  return macOf("data deletion", request)
    .mac.replace(/[^A-Za-z0-9]/g, "")
    .slice(0, CODE_CHARACTERS);
}

async function erasePersonData(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(accounts)
    .set({
      networkAccountId: sql`'removed ' || ${accounts.id}`,
      callbackAccountId: null,
      username: "",
      displayName: "Removed at the person's request",
      avatarUrl: null,
      state: "RECONNECT_REQUIRED",
      stateReason: "The person requested the deletion of their data",
      stateSince: sql`now()`,
      tokensSealed: null,
      previousTokensSealed: null,
      tokensExpireAt: null,
      presentedHash: null,
      disconnectedAt: sql`coalesce(${accounts.disconnectedAt}, now())`,
      updatedAt: sql`now()`,
    })
    .where(inArray(accounts.id, ids));
  await tx.delete(destinations).where(inArray(destinations.accountId, ids));
  await removeFromGroups(tx, ids);
  const theirs = tx.select({ id: publications.id }).from(publications).where(inArray(publications.accountId, ids));
  await eraseEventsOf(tx, ids);
  const erased = { networkPlace: null, networkPostId: null, permalink: null };
  await tx.update(posts).set(erased).where(inArray(posts.publicationId, theirs));
}

/** When the data of a request were removed, by its code; undefined if the code is unknown. */
export async function findDataDeletion(code: string): Promise<{ at: string; accounts: number } | undefined> {
  const [row] = await db.select().from(dataDeletions).where(eq(dataDeletions.code, code));
  return row && { at: row.createdAt, accounts: row.accounts };
}

/** Removes all accounts of a user who is being deleted. Each token is revoked at its network before it is erased. */
export async function deleteAccountsOfUser(ownerId: string): Promise<undefined> {
  const mine = await db.select().from(accounts).where(eq(accounts.ownerId, ownerId));
  for (const account of mine) {
    await revoke(account);
    await db.delete(accounts).where(eq(accounts.id, account.id));
  }
}

/**
 * Disconnects an account for its owner and then revokes its token at the network without waiting for the answer.
 * @throws NotFound; Conflict while it is publishing
 */
export async function disconnectAndRevoke(ownerId: string, id: number): Promise<void> {
  const account = await getAccount(ownerId, id);
  await db.transaction((tx) => disconnectAccount(tx, ownerId, id));
  void revoke(account);
}

/** Best effort: a network that is down must not prevent the deletion. */
async function revoke(account: Account): Promise<void> {
  const network = networkOf(account.platform);
  if (!account.tokensSealed || !network.revoke || !isOffered(account.platform)) return;
  try {
    await network.revoke(appOf(network), tokensOf(account));
  } catch (error) {
    log.warn({ account: account.id, error: String(error) }, "could not revoke a token at its network");
  }
}
