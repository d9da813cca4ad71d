import { and, eq, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import { accounts, dbOrTransaction, partners, type Tx, users } from "../db";
import { auditForUser } from "../db/audit";
import { type SealedColumn, sealFor, unsealFrom } from "../db/sealed";
import { statement, value } from "../db/statement";
import { AccountInUse, Conflict, NotFound } from "../errors";
import type { Network, Profile, Tokens } from "../networks";
import type { Platform } from "../platforms";
import type { Lockout } from "../users";
import { emitAccountEvent } from "./events";
import { removeFromGroups } from "./groups";
import type { ListedAccount } from "./present";

export type Account = typeof accounts.$inferSelect;

const live = isNull(accounts.disconnectedAt);

/** Selects one JSON value, because the driver's cost grows with the number of columns. */
const list = statement<{ ownerId: string }, { accounts: ListedAccount[] | null }>(
  "accounts.list",
  sql`
  select json_agg(json_build_object('id', id, 'platform', platform, 'networkAccountId', network_account_id,
    'username', username, 'displayName', display_name, 'avatarUrl', avatar_url, 'textMax', text_max, 'state', state,
    'stateReason', state_reason, 'stateSince', state_since::text, 'heldSince', held_since::text, 'tokensExpireAt', tokens_expire_at::text,
    'permissionEndsAt', permission_ends_at::text,
    'ownerSignsIn', case when state <> 'ACTIVE' then (select partner_id is null from users where users.id = owner_id) end,
    'createdAt', created_at::text, 'updatedAt', updated_at::text) order by id) as accounts
  from accounts where owner_id = ${value("ownerId", "uuid")} and disconnected_at is null`,
);

/** The owner's connected accounts, oldest first. */
export async function listAccounts(ownerId: string): Promise<ListedAccount[]> {
  const [row] = await list(dbOrTransaction, { ownerId });
  return row?.accounts ?? [];
}

/** The owner's accounts with these ids, by id. Another owner's account is missing, like an unknown one. */
export async function findAccounts(ownerId: string, ids: number[]): Promise<Map<number, Account>> {
  if (ids.length === 0) return new Map();
  const rows = await dbOrTransaction
    .select()
    .from(accounts)
    .where(and(eq(accounts.ownerId, ownerId), inArray(accounts.id, ids), live));
  return new Map(rows.map((row) => [row.id, row]));
}

/** @throws NotFound, the same whether the account is missing or belongs to someone else */
export async function getAccount(ownerId: string, id: number): Promise<Account> {
  const account = (await findAccounts(ownerId, [id])).get(id);
  if (!account) throw new NotFound("Account", id);
  return account;
}

/**
 * The same, for calls to the network on behalf of the account.
 * @throws NotFound; Conflict while it is held
 */
export async function getUsableAccount(ownerId: string, id: number): Promise<Account> {
  const account = await getAccount(ownerId, id);
  if (account.heldSince) throw new Conflict(`Account ${id} must be confirmed first`);
  return account;
}

/** The live account with the id that a network's callback contains, for any owner. */
export async function findAccountByCallbackId(platform: Platform, noticeId: string): Promise<Account | undefined> {
  const named = or(eq(accounts.callbackAccountId, noticeId), eq(accounts.networkAccountId, noticeId));
  const [row] = await dbOrTransaction
    .select()
    .from(accounts)
    .where(and(eq(accounts.platform, platform), named, live));
  return row;
}

/** The live account with this network account id, for any owner. */
export async function findAccountOnNetwork(
  tx: Tx,
  platform: Platform,
  networkAccountId: string,
): Promise<Account | undefined> {
  const [row] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.platform, platform), eq(accounts.networkAccountId, networkAccountId), live));
  return row;
}

const tokensColumn: SealedColumn = {
  ...{ table: "accounts", column: "tokens_sealed", purpose: "account tokens" },
  // One live row has an account of a network; the rows of disconnected accounts have no tokens.
  row: "platform || ' ' || network_account_id",
};
const previousTokensColumn: SealedColumn = { ...tokensColumn, column: "previous_tokens_sealed" };
export const sealedAccountColumns = [tokensColumn, previousTokensColumn];

type NetworkAccount = Pick<Account, "platform" | "networkAccountId">;
const rowOf = ({ platform, networkAccountId }: NetworkAccount) => `${platform} ${networkAccountId}`;

export function sealTokens(account: NetworkAccount, tokens: Tokens): Buffer {
  return sealFor(tokensColumn, rowOf(account), JSON.stringify(tokens));
}

/** Seals tokens that were replaced, until the new ones have worked. */
export function sealPreviousTokens(account: NetworkAccount, tokens: Tokens): Buffer {
  return sealFor(previousTokensColumn, rowOf(account), JSON.stringify(tokens));
}

/** @throws Error if the account was disconnected and has no tokens */
export function tokensOf(account: NetworkAccount & Pick<Account, "tokensSealed">): Tokens {
  if (!account.tokensSealed) throw new Error("a disconnected account has no tokens");
  return JSON.parse(unsealFrom(tokensColumn, rowOf(account), account.tokensSealed));
}

/** Returns the tokens from before the last refresh; undefined if the new ones have worked. */
export function previousTokensOf(account: NetworkAccount & Pick<Account, "previousTokensSealed">): Tokens | undefined {
  const { previousTokensSealed: sealed } = account;
  return sealed ? JSON.parse(unsealFrom(previousTokensColumn, rowOf(account), sealed)) : undefined;
}

/** Returns the stored tokens, also if they are no longer valid; undefined if the account is disconnected. */
export function storedTokens(account: Account): Tokens | undefined {
  return account.tokensSealed ? tokensOf(account) : undefined;
}

/** Keeps the stored refresh token if the new tokens have none. */
export function mergeTokens(old: Tokens | undefined, fresh: Tokens): Tokens {
  return { ...fresh, refreshToken: fresh.refreshToken || old?.refreshToken, extra: fresh.extra ?? old?.extra };
}

/** When tokens expire that only the person can renew; null if Carillon renews them or they do not expire. */
export function permissionEnd({ refresh }: Network, tokens: Tokens): string | null {
  const isRenewed = refresh !== undefined && refresh.isPossible?.(tokens) !== false;
  return isRenewed ? null : (tokens.expiresAt ?? null);
}

/**
 * Stores a connected account with its tokens. Connecting again keeps the Account id, also after a disconnect by the same
 * owner.
 * @throws AccountInUse if another owner has connected it
 */
export async function storeAccount(
  tx: Tx,
  network: Network,
  ownerId: string,
  profile: Profile,
  tokens: Tokens,
): Promise<Account> {
  const account = await upsertAccount(tx, network, ownerId, profile, tokens);
  const details = { platform: network.platform };
  await auditForUser(tx, ownerId, { action: "account.connected", subject: account.id, details });
  return account;
}

async function upsertAccount(tx: Tx, network: Network, ownerId: string, profile: Profile, tokens: Tokens) {
  const { platform } = network;
  const mine = and(
    eq(accounts.platform, platform),
    eq(accounts.networkAccountId, profile.accountId),
    eq(accounts.ownerId, ownerId),
  );
  // If the owner has several rows for it, the live one or otherwise the newest is used again.
  const [known] = await tx
    .select()
    .from(accounts)
    .where(mine)
    .orderBy(sql`${accounts.disconnectedAt} desc nulls first`)
    .limit(1)
    .for("update");
  const merged = mergeTokens(known?.tokensSealed ? tokensOf(known) : undefined, tokens);
  const values = {
    heldSince: await heldSinceFor(tx, ownerId, known),
    ownerId,
    platform,
    networkAccountId: profile.accountId,
    callbackAccountId: profile.noticeId ?? null,
    username: profile.username,
    displayName: profile.displayName,
    avatarUrl: profile.avatarUrl ?? null,
    textMax: profile.textMax ?? null,
    profileReadAt: sql`now()`,
    state: "ACTIVE" as const,
    stateReason: null,
    stateSince: sql`now()`,
    tokensSealed: sealTokens({ platform, networkAccountId: profile.accountId }, merged),
    tokensExpireAt: merged.expiresAt ?? null,
    tokensRefreshedAt: sql`now()`,
    permissionEndsAt: permissionEnd(network, merged),
    refreshClaimUntil: null,
    previousTokensSealed: null,
    tokensRefusedAt: null,
    waitUntil: null,
    ...(tokens.refreshToken ? { presentedHash: null } : {}),
    disconnectedAt: null,
    updatedAt: sql`now()`,
  };
  if (known && (known.disconnectedAt === null || !(await findAccountOnNetwork(tx, platform, profile.accountId)))) {
    const [row] = await tx.update(accounts).set(values).where(eq(accounts.id, known.id)).returning();
    if (row) return emitAccountEvent(tx, "account.connected", row);
  }
  const [row] = await tx
    .insert(accounts)
    .values(values)
    .onConflictDoUpdate({
      target: [accounts.platform, accounts.networkAccountId],
      targetWhere: live,
      set: values,
      setWhere: eq(accounts.ownerId, ownerId),
    })
    .returning();
  if (!row) throw new AccountInUse(network.name);
  return emitAccountEvent(tx, "account.connected", row);
}

/**
 * When the hold of a newly connected account starts, or null. A live account without a hold is not held again when it is
 * reconnected.
 */
async function heldSinceFor(tx: Tx, ownerId: string, known: Account | undefined) {
  const isTrusted = known && known.disconnectedAt === null && known.heldSince === null;
  if (isTrusted) return null;
  const [owner] = await tx
    .select({ hold: partners.hold })
    .from(users)
    .innerJoin(partners, eq(partners.id, users.partnerId))
    .where(eq(users.id, ownerId));
  return owner?.hold ? sql`now()` : null;
}

/**
 * Ends the hold of an account, so that it can be used. Does nothing if it is not held.
 * @throws NotFound
 */
export async function confirmAccount(ownerId: string, id: number): Promise<ListedAccount> {
  return dbOrTransaction.transaction(async (tx) => {
    const [row] = await tx
      .update(accounts)
      .set({
        heldSince: null,
        stateSince: sql`case when state = 'ACTIVE' then now() else state_since end`,
        updatedAt: sql`now()`,
      })
      .where(and(eq(accounts.id, id), eq(accounts.ownerId, ownerId), live, isNotNull(accounts.heldSince)))
      .returning();
    if (!row) return getAccount(ownerId, id);
    const details = { platform: row.platform };
    await auditForUser(tx, ownerId, { action: "account.confirmed", subject: id, details });
    return row;
  });
}

/**
 * Disconnects an account. Its tokens are erased at once; its id is kept for a later reconnect. A publishing call that has
 * been recorded as being sent finishes first; later calls find the account disconnected (both sides lock its row).
 * @throws NotFound; Conflict while such a call is running
 */
export async function disconnectAccount(tx: Tx, ownerId: string, id: number): Promise<void> {
  const [row] = await tx
    .update(accounts)
    .set({
      disconnectedAt: sql`now()`,
      tokensSealed: null,
      previousTokensSealed: null,
      tokensExpireAt: null,
      updatedAt: sql`now()`,
    })
    .where(and(eq(accounts.id, id), eq(accounts.ownerId, ownerId), live))
    .returning();
  if (!row) throw new NotFound("Account", id);
  const { rows: calls } = await tx.execute(sql`
    select 1 from publish_steps t join posts q on q.id = t.post_id join publications p on p.id = q.publication_id
    where t.state = 'SENDING' and p.account_id = ${id} and p.claim_until > clock_timestamp()
      and p.claim_worker = t.worker_id limit 1`);
  if (calls.length > 0) throw new Conflict(`Account ${id} is publishing right now; try again in a minute`);
  await removeFromGroups(tx, [id]);
  await emitAccountEvent(tx, "account.disconnected", row);
  const { platform } = row;
  await auditForUser(tx, ownerId, { action: "account.disconnected", subject: id, details: { platform } });
}

/**
 * Marks an account as one that the person must connect again. Only the first call changes the state and emits the event,
 * however many publications fail. Connecting again clears it.
 * @param refused the access token that the network refused: nothing is changed if the account has another one by now
 * @returns whether this call changed the state
 */
export async function requireReconnect(id: number, reason: string, refused?: string): Promise<boolean> {
  return dbOrTransaction.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, id)).for("update");
    if (account?.tokensSealed && refused !== undefined && tokensOf(account).accessToken !== refused) return false;
    const [row] = await tx
      .update(accounts)
      .set({ state: "RECONNECT_REQUIRED", stateReason: reason, stateSince: sql`now()`, updatedAt: sql`now()` })
      .where(and(eq(accounts.id, id), eq(accounts.state, "ACTIVE"), live))
      .returning();
    if (row) await emitAccountEvent(tx, "account.reconnect_required", row);
    return row !== undefined;
  });
}

/** After the first reset of an address that was never confirmed, the person proves at each network that the account is theirs. */
export const requireReconnectsOfUser: Lockout = async (tx, userId, { isFirstConfirmation }) => {
  if (!isFirstConfirmation) return [];
  const stopped = await tx
    .update(accounts)
    .set({ state: "RECONNECT_REQUIRED", stateReason: UNPROVEN, stateSince: sql`now()`, updatedAt: sql`now()` })
    .where(and(eq(accounts.ownerId, userId), eq(accounts.state, "ACTIVE"), live))
    .returning();
  for (const account of stopped) await emitAccountEvent(tx, "account.reconnect_required", account);
  return stopped.length > 0
    ? ["Connect your accounts again, because your address had never been confirmed before."]
    : [];
};

const UNPROVEN = "The password was reset before the email address had ever been confirmed";

/** Handles the network's notice that the person revoked our permission: erases the tokens and requires a reconnect. */
export async function deauthorize(id: number, reason: string): Promise<void> {
  await requireReconnect(id, reason);
  await dbOrTransaction
    .update(accounts)
    .set({ tokensSealed: null, previousTokensSealed: null, tokensExpireAt: null, presentedHash: null })
    .where(and(eq(accounts.id, id), eq(accounts.state, "RECONNECT_REQUIRED"), live));
}
