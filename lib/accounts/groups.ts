import { and, eq, getTableColumns, inArray, isNull, sql } from "drizzle-orm";
import { accountGroupMembers, accountGroups, accounts, dbOrTransaction, type GroupColour, type Tx } from "../db";
import { accountGroupsLockText } from "../db/locks";
import { BadRequest, Conflict, NotFound } from "../errors";
import { withSixDigits } from "../time/instant";

export type AccountGroup = Omit<typeof accountGroups.$inferSelect, "ownerId"> & {
  /** In the order in which the accounts were connected. */
  accountIds: number[];
};

/** The fields of a group that its owner chooses. */
export type GroupInput = { name: string; colour: GroupColour; accountIds: number[] };

const MAX_GROUPS = 100;

/** Returns the owner's groups, oldest first. */
export async function listAccountGroups(ownerId: string, tx: Tx = dbOrTransaction): Promise<AccountGroup[]> {
  const { ownerId: _, ...fields } = getTableColumns(accountGroups);
  return tx
    .select({
      ...fields,
      accountIds: sql<number[]>`coalesce(array_agg(${accountGroupMembers.accountId}::float8
        order by ${accountGroupMembers.accountId}) filter (where ${accountGroupMembers.accountId} is not null), '{}')`,
    })
    .from(accountGroups)
    .leftJoin(accountGroupMembers, eq(accountGroupMembers.groupId, accountGroups.id))
    .where(eq(accountGroups.ownerId, ownerId))
    .groupBy(accountGroups.id)
    .orderBy(accountGroups.id);
}

/**
 * @throws BadRequest if an account is not the owner's; Conflict if the name is taken, ignoring case, or if there are 100 groups
 * already
 */
export async function createAccountGroup(ownerId: string, input: GroupInput): Promise<AccountGroup> {
  return dbOrTransaction.transaction(async (tx) => {
    const groups = await lockGroups(tx, ownerId);
    if (groups.length >= MAX_GROUPS) {
      throw new Conflict(`There are ${MAX_GROUPS} account groups already; remove one first`);
    }
    assertNameIsFree(groups, input.name);
    const { name, colour } = input;
    const [row] = await tx.insert(accountGroups).values({ ownerId, name, colour }).returning({ id: accountGroups.id });
    if (!row) throw new Error("the group was not stored");
    await setMembers(tx, ownerId, row.id, input.accountIds);
    return getGroup(tx, ownerId, row.id);
  });
}

/**
 * Changes the given fields of a group.
 * @throws NotFound, also for another owner's group; otherwise like `createAccountGroup`
 */
export async function updateAccountGroup(
  ownerId: string,
  id: number,
  { accountIds, ...fields }: Partial<GroupInput>,
): Promise<AccountGroup> {
  return dbOrTransaction.transaction(async (tx) => {
    const groups = await lockGroups(tx, ownerId);
    if (!groups.some((group) => group.id === id)) throw new NotFound("Account group", id);
    if (fields.name !== undefined) assertNameIsFree(groups, fields.name, id);
    await tx
      .update(accountGroups)
      .set({ ...fields, updatedAt: sql`now()` })
      .where(eq(accountGroups.id, id));
    if (accountIds) await setMembers(tx, ownerId, id, accountIds);
    return getGroup(tx, ownerId, id);
  });
}

/** Deletes a group. Its accounts stay connected. @throws NotFound, also for another owner's group */
export async function deleteAccountGroup(ownerId: string, id: number): Promise<void> {
  const [row] = await dbOrTransaction
    .delete(accountGroups)
    .where(and(eq(accountGroups.id, id), eq(accountGroups.ownerId, ownerId)))
    .returning({ id: accountGroups.id });
  if (!row) throw new NotFound("Account group", id);
}

/** Removes accounts from all groups, because they were disconnected. */
export async function removeFromGroups(tx: Tx, accountIds: number[]): Promise<void> {
  await tx.delete(accountGroupMembers).where(inArray(accountGroupMembers.accountId, accountIds));
}

export function presentAccountGroup({ id, name, colour, accountIds, createdAt, updatedAt }: AccountGroup) {
  return {
    ...{ id, name, colour, accountIds },
    createdTime: withSixDigits(createdAt),
    updatedTime: withSixDigits(updatedAt),
  };
}

/** Returns the owner's groups and makes other changes to them wait, so that the limit and the names hold. */
async function lockGroups(tx: Tx, ownerId: string): Promise<AccountGroup[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${accountGroupsLockText(ownerId)}, 0))`);
  return listAccountGroups(ownerId, tx);
}

async function getGroup(tx: Tx, ownerId: string, id: number): Promise<AccountGroup> {
  const group = (await listAccountGroups(ownerId, tx)).find((one) => one.id === id);
  if (!group) throw new NotFound("Account group", id);
  return group;
}

function assertNameIsFree(groups: AccountGroup[], name: string, id?: number): void {
  const other = groups.find((group) => group.id !== id && group.name.toLowerCase() === name.toLowerCase());
  if (other) throw new Conflict("There is already an account group with this name");
}

/** Replaces the accounts of a group. The rows of the accounts are locked, so that none of them is disconnected meanwhile. */
async function setMembers(tx: Tx, ownerId: string, groupId: number, accountIds: number[]): Promise<void> {
  const ids = [...new Set(accountIds)];
  const found = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.ownerId, ownerId), inArray(accounts.id, ids), isNull(accounts.disconnectedAt)))
    .orderBy(accounts.id)
    .for("share");
  const missing = ids.filter((id) => !found.some((account) => account.id === id));
  if (missing.length > 0) {
    throw new BadRequest(`accountIds contains ids that are not accounts of this user: ${missing.join(", ")}`);
  }
  await tx.delete(accountGroupMembers).where(eq(accountGroupMembers.groupId, groupId));
  if (ids.length > 0) await tx.insert(accountGroupMembers).values(ids.map((accountId) => ({ groupId, accountId })));
}
