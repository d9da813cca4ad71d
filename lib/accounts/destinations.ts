import { and, asc, eq, inArray, sql } from "drizzle-orm";
import { db, destinations, type Tx } from "../db";
import { BadRequest } from "../errors";
import { type Destination, networkOf } from "../networks";
import type { Platform } from "../platforms";
import type { Account } from "./accounts";
import { openSession } from "./session";

/**
 * Where an account can publish to, as the network or our own table lists it.
 * @throws BadRequest where the platform is not the account's, or its network has no destinations
 */
export async function listDestinations(account: Account, platform: string): Promise<Destination[]> {
  const network = networkOf(account.platform);
  if (!network?.destinations) throw new BadRequest(`platform has no destinations: ${platform}`);
  if (platform !== account.platform) throw new BadRequest(`platform is not this account's: it is ${account.platform}`);
  if (network.destinations.list) return network.destinations.list(await openSession(account));
  return (await storedDestinations([account.id])).get(account.id) ?? [];
}

/** The usable destinations in our own table, by account. */
export async function storedDestinations(accountIds: number[]): Promise<Map<number, Destination[]>> {
  const byAccount = new Map<number, Destination[]>();
  if (accountIds.length === 0) return byAccount;
  const rows = await db
    .select()
    .from(destinations)
    .where(and(inArray(destinations.accountId, accountIds), eq(destinations.usable, true)))
    .orderBy(asc(destinations.title), asc(destinations.chatId));
  for (const { accountId, chatId, title, type } of rows) {
    byAccount.set(accountId, [...(byAccount.get(accountId) ?? []), { id: chatId, title, type }]);
  }
  return byAccount;
}

/** Keeps what a network told us of a destination. */
export async function recordDestination(
  tx: Tx,
  accountId: number,
  destination: Destination,
  usable: boolean,
): Promise<void> {
  const values = { accountId, chatId: destination.id, title: destination.title, type: destination.type, usable };
  await tx
    .insert(destinations)
    .values(values)
    .onConflictDoUpdate({
      target: [destinations.accountId, destinations.chatId],
      set: { ...values, updatedAt: sql`now()` },
    });
}

/** A chat that has another id from now on, in the lists of all accounts; one that knows the new id already keeps that. */
export async function moveDestination(
  tx: Tx,
  platform: Platform,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const ofNetwork = sql`account_id in (select id from accounts where platform = ${platform})`;
  await tx.execute(sql`
    delete from destinations old where chat_id = ${from} and ${ofNetwork}
      and exists (select from destinations new where new.account_id = old.account_id and new.chat_id = ${to})`);
  await tx.execute(
    sql`update destinations set chat_id = ${to}, updated_at = now() where chat_id = ${from} and ${ofNetwork}`,
  );
}
