import { and, eq, inArray, or, sql } from "drizzle-orm";
import { accounts, dataDeletions, db, destinations, posts, publications, type Tx } from "../db";
import { log } from "../log";
import { appOf, isOffered, type Network, networkOf } from "../networks";
import { macOf } from "../secrets";
import { eraseEventsOf } from "../webhooks";
import { type Account, disconnectAccount, getAccount, tokensOf } from "./accounts";
import { emitAccountEvent } from "./events";

const CODE_CHARACTERS = 24;

/** What a network asked to have removed: whose, and when it was asked. */
type Wish = { accountId: string; at: Date };

/**
 * Removes all that we hold of a person of a network, because the network says that they want it gone: tokens, names, pictures,
 * Pages and the ids and addresses of posts, of every account that was theirs when they asked. What our own users wrote stays
 * theirs. Told again it does nothing again: an account that was connected since is not what was meant.
 * @returns the code under which its state can be looked up; the same request has the same code
 */
export async function deletePersonData({ platform }: Network, { accountId, at }: Wish): Promise<string> {
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
          // Asked in whole seconds.
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

/** Letters and digits only, as Meta wants its `confirmation_code`; nobody can guess one. */
function deletionCode(wish: string): string {
  return macOf("data deletion", wish)
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
      stateReason: "The person had their data removed",
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
  const theirs = tx.select({ id: publications.id }).from(publications).where(inArray(publications.accountId, ids));
  await eraseEventsOf(tx, ids);
  await tx.update(posts).set({ networkPostId: null, permalink: null }).where(inArray(posts.publicationId, theirs));
}

/** When the data that a code stands for were removed; undefined where there is no such code. */
export async function findDataDeletion(code: string): Promise<{ at: string; accounts: number } | undefined> {
  const [row] = await db.select().from(dataDeletions).where(eq(dataDeletions.code, code));
  return row && { at: row.createdAt, accounts: row.accounts };
}

/** Removes all accounts of a user who is being deleted; before its token is erased, the network is told that it is void. */
export async function deleteAccountsOfUser(ownerId: string): Promise<undefined> {
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
export async function disconnectAndRevoke(ownerId: string, id: number): Promise<void> {
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
