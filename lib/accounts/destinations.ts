import { and, asc, eq, inArray, isNotNull, notInArray, sql } from "drizzle-orm";
import { db, destinations, type Tx } from "../db";
import { BadRequest, NotFound } from "../errors";
import { type Destination, type DestinationPart, type DestinationProblem, networkOf } from "../networks";
import type { Platform } from "../platforms";
import type { Account } from "./accounts";
import { callNetwork } from "./network-calls";

/**
 * The destinations of an account, from the network or our own table.
 * @throws BadRequest if the platform is not the account's or its network has no destinations
 */
export async function listDestinations(account: Account, platform: string): Promise<Destination[]> {
  const network = networkOf(account.platform);
  if (platform !== account.platform)
    throw new BadRequest(`platform must be this account's platform, ${account.platform}`);
  if (!network.destinations) throw new BadRequest(`platform has no destinations: ${platform}`);
  if (network.destinations.list) return refreshDestinations(account);
  return (await storedDestinations([account.id])).get(account.id) ?? [];
}

/**
 * Reads an account's destinations from the network and stores them, so that a schedule with a `chatId` need not read them.
 * @throws PlatformError; `reconnect` is stored as the account's state
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
 * Reads the parts of a destination (such as board sections) from the network.
 * @throws PlatformError; `reconnect` is stored as the account's state
 */
export function fetchDestinationParts({ id }: Pick<Account, "id">, chatId: string): Promise<DestinationPart[]> {
  return callNetwork(id, async (session, { destinations }) => (await destinations?.parts?.list(session, chatId)) ?? []);
}

/**
 * The parts of a destination, read from the network; empty if its network has none.
 * @throws NotFound if the account has no such destination; PlatformError, `reconnect` is stored as the account's state
 */
export async function listDestinationParts(account: Account, chatId: string): Promise<DestinationPart[]> {
  const { destinations } = networkOf(account.platform);
  const isRequested = ({ id }: Destination) => id === chatId;
  const isKnown = ((await storedDestinations([account.id])).get(account.id) ?? []).some(isRequested);
  const isListed =
    isKnown || (destinations?.list !== undefined && (await refreshDestinations(account)).some(isRequested));
  if (!isListed) throw new NotFound("Chat", chatId);
  return destinations?.parts ? fetchDestinationParts(account, chatId) : [];
}

/** A destination that is no longer listed is kept as unusable, because a post may refer to it. */
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

/** Stores a destination as the network reported it. */
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

/** Marks a destination as usable or unusable for every account that lists it. */
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

/** Destinations to which the network currently refuses posts, with the reason. */
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

/** Replaces a destination's id for all accounts; accounts that have the new id already keep it. */
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
