import { and, asc, eq, inArray, isNotNull, notInArray, sql } from "drizzle-orm";
import { db, destinations, type Tx } from "../db";
import { BadRequest, NotFound } from "../errors";
import { type Destination, type DestinationPart, type DestinationProblem, networkOf } from "../networks";
import type { Platform } from "../platforms";
import type { Account } from "./accounts";
import { callNetwork } from "./network-calls";

/**
 * Where an account can publish to, as the network or our own table lists it.
 * @throws BadRequest where the platform is not the account's, or its network has no destinations
 */
export async function listDestinations(account: Account, platform: string): Promise<Destination[]> {
  const network = networkOf(account.platform);
  if (!network.destinations) throw new BadRequest(`platform has no destinations: ${platform}`);
  if (platform !== account.platform) throw new BadRequest(`platform is not this account's: it is ${account.platform}`);
  if (network.destinations.list) return refreshDestinations(account);
  return (await storedDestinations([account.id])).get(account.id) ?? [];
}

/**
 * Asks the network where an account can publish to, and keeps what it says, so that a schedule which names one of them need
 * not ask again.
 * @throws PlatformError; `reconnect` is recorded as the account's state
 */
export async function refreshDestinations({ id }: Pick<Account, "id">): Promise<Destination[]> {
  const listed = await callNetwork(
    id,
    async (session, { destinations }) => (await destinations?.list?.(session)) ?? [],
  );
  await storeDestinations(id, listed);
  return listed;
}

/**
 * Asks the network which parts a destination has, where a setting can name one.
 * @throws PlatformError; `reconnect` is recorded as the account's state
 */
export function fetchDestinationParts({ id }: Pick<Account, "id">, chatId: string): Promise<DestinationPart[]> {
  return callNetwork(id, async (session, { destinations }) => (await destinations?.parts?.list(session, chatId)) ?? []);
}

/**
 * The parts of a destination that a post can go to, asked of the network now; none where it has no such parts.
 * @throws NotFound where the account has no such destination; PlatformError, `reconnect` is recorded as the account's state
 */
export async function listDestinationParts(account: Account, chatId: string): Promise<DestinationPart[]> {
  const { destinations } = networkOf(account.platform);
  const isIt = ({ id }: Destination) => id === chatId;
  const isKnown = ((await storedDestinations([account.id])).get(account.id) ?? []).some(isIt);
  const isListed = isKnown || (destinations?.list !== undefined && (await refreshDestinations(account)).some(isIt));
  if (!isListed) throw new NotFound("Chat", chatId);
  return destinations?.parts ? fetchDestinationParts(account, chatId) : [];
}

/** What is not on the list any more is kept as unusable: a post may still name it. */
async function storeDestinations(accountId: number, listed: Destination[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const destination of listed) await recordDestination(tx, accountId, destination);
    const ids = listed.map(({ id }) => id);
    await tx
      .update(destinations)
      .set({ usable: false, updatedAt: sql`now()` })
      .where(and(eq(destinations.accountId, accountId), notInArray(destinations.chatId, ids)));
  });
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
  problem?: DestinationProblem,
): Promise<void> {
  const { id: chatId, title, type } = destination;
  const values = { accountId, chatId, title, type, usable: problem === undefined, problem: problem ?? null };
  await tx
    .insert(destinations)
    .values(values)
    .onConflictDoUpdate({
      target: [destinations.accountId, destinations.chatId],
      set: { ...values, updatedAt: sql`now()` },
    });
}

/** What can be done at a destination has changed for every account that lists it. */
export async function updateDestinationEverywhere(
  tx: Tx,
  platform: Platform,
  chatId: string,
  problem: DestinationProblem | undefined,
): Promise<void> {
  await tx.execute(sql`
    update destinations set usable = ${problem === undefined}, problem = ${problem ?? null}, updated_at = now()
    where chat_id = ${chatId} and account_id in (select id from accounts where platform = ${platform})`);
}

/** Destinations that the network says cannot be posted to at present, and why. */
export async function listUnusableDestinations(
  accountId: number,
): Promise<(Destination & { problem: DestinationProblem })[]> {
  const rows = await db
    .select()
    .from(destinations)
    .where(and(eq(destinations.accountId, accountId), isNotNull(destinations.problem)))
    .orderBy(asc(destinations.title), asc(destinations.chatId));
  return rows.flatMap(({ chatId: id, title, type, problem }) => (problem ? [{ id, title, type, problem }] : []));
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
