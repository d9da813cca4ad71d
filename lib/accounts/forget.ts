import { and, eq, inArray, or, sql } from "drizzle-orm";
import { accounts, dataDeletions, db, destinations, posts, publications, type Tx } from "../db";
import type { Network } from "../networks";
import { macOf } from "../secrets";
import { eraseEventsOf } from "../webhooks";
import { tellOfAccount } from "./events";

const CODE_CHARACTERS = 24;

/** What a network asked to have removed: whose, and when it was asked. */
type Wish = { accountId: string; at: Date };

/**
 * Removes all that we hold of a person of a network, because the network says that they want it gone: tokens, names, pictures,
 * Pages and the ids and addresses of posts, of every account that was theirs when they asked. What our own users wrote stays
 * theirs. Told again it does nothing again: an account that was connected since is not what was meant.
 * @returns the code under which its state can be looked up; the same request has the same code
 */
export async function forgetPerson({ platform }: Network, { accountId, at }: Wish): Promise<string> {
  const code = codeOf(`${platform} ${accountId} ${at.toISOString()}`);
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
          or(eq(accounts.networkAccountId, accountId), eq(accounts.noticeAccountId, accountId)),
          // Asked in whole seconds.
          sql`${accounts.stateSince} < ${at.toISOString()}::timestamptz + interval '1 second'`,
        ),
      )
      .for("update");
    const ids = theirs.map(({ id }) => id);
    const live = theirs.filter(({ disconnectedAt }) => disconnectedAt === null);
    if (ids.length > 0) await forget(tx, ids);
    const gone = await tx
      .select()
      .from(accounts)
      .where(
        inArray(
          accounts.id,
          live.map(({ id }) => id),
        ),
      );
    for (const account of gone) await tellOfAccount(tx, "account.disconnected", account);
    await tx.update(dataDeletions).set({ accounts: ids.length }).where(eq(dataDeletions.code, code));
  });
  return code;
}

/** Letters and digits only, as Meta wants its `confirmation_code`; nobody can guess one. */
function codeOf(wish: string): string {
  return macOf("data deletion", wish)
    .mac.replace(/[^A-Za-z0-9]/g, "")
    .slice(0, CODE_CHARACTERS);
}

async function forget(tx: Tx, ids: number[]): Promise<void> {
  await tx
    .update(accounts)
    .set({
      networkAccountId: sql`'removed ' || ${accounts.id}`,
      noticeAccountId: null,
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
export async function deletionOf(code: string): Promise<{ at: string; accounts: number } | undefined> {
  const [row] = await db.select().from(dataDeletions).where(eq(dataDeletions.code, code));
  return row && { at: row.createdAt, accounts: row.accounts };
}
