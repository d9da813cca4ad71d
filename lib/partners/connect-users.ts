import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { dbOrTransaction, users } from "../db";
import { BadRequest, NotFound } from "../errors";
import { BeingDeleted } from "../users";

/** A partner's end user: SPEC's "Connect user" plus internal state. */
export type ConnectUser = {
  id: string;
  partnerId: string;
  name: string;
  email?: string;
  suspended: boolean;
  deleting: boolean;
};

/** Where a list continues: creation time and id of the last user returned. */
type UserCursor = [createdAt: string, id: string];
type Row = typeof users.$inferSelect;

function fromRow(row: Row): ConnectUser {
  return {
    id: row.id,
    partnerId: row.partnerId ?? "",
    name: row.name,
    email: row.email ?? undefined,
    suspended: row.suspendedAt !== null,
    deleting: row.deletingAt !== null,
  };
}

export function presentConnectUser(user: ConnectUser) {
  return { uuid: user.id, name: user.name, ...(user.email ? { email: user.email } : {}) };
}

/**
 * Provisions an end user under the partner's own identifier. Repeating the call returns the same user and updates `name`
 * and `email` if they are given.
 * @throws BadRequest if `name` is missing the first time; BeingDeleted while a deletion is in progress
 */
export async function provisionConnectUser(
  partnerId: string,
  input: { externalUserId: string; name?: string; email?: string },
): Promise<ConnectUser> {
  const { externalUserId, name, email } = input;
  const given = { ...(name ? { name } : {}), ...(email ? { email } : {}) };
  const where = and(eq(users.partnerId, partnerId), eq(users.externalUserId, externalUserId));
  const [known] = await dbOrTransaction.select().from(users).where(where);
  if (known?.deletingAt) throw new BeingDeleted();
  if (known && Object.keys(given).length === 0) return fromRow(known);
  if (!known && !name) throw new BadRequest("name cannot be null when a user is provisioned for the first time");
  const [row] = await dbOrTransaction
    .insert(users)
    .values({ partnerId, externalUserId, name: name ?? "", email })
    .onConflictDoUpdate({ target: [users.partnerId, users.externalUserId], set: given })
    .returning();
  if (!row) throw new Error("the connect user was not stored");
  if (row.deletingAt) throw new BeingDeleted();
  return fromRow(row);
}

/** @throws NotFound, with the same message whether the user is missing or belongs to another partner */
export async function getConnectUser(
  partnerId: string,
  by: { uuid: string } | { externalUserId: string },
): Promise<ConnectUser> {
  const value = "uuid" in by ? by.uuid : by.externalUserId;
  const isKey = "uuid" in by ? z.uuid().safeParse(value).success : value.length > 0;
  const [row] = isKey
    ? await dbOrTransaction
        .select()
        .from(users)
        .where(
          and(eq(users.partnerId, partnerId), "uuid" in by ? eq(users.id, value) : eq(users.externalUserId, value)),
        )
    : [];
  if (!row) throw new NotFound("Connect user", value);
  return fromRow(row);
}

/** The partner's users, newest first, without those being deleted. `next` is the cursor of the next page. */
export async function listConnectUsers(
  partnerId: string,
  { limit, after }: { limit: number; after?: UserCursor },
): Promise<{ items: ConnectUser[]; next?: UserCursor }> {
  const rows = await dbOrTransaction
    .select()
    .from(users)
    .where(and(eq(users.partnerId, partnerId), isNull(users.deletingAt), isAfter(after)))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(fromRow), next: rows.length > limit && last ? [last.createdAt, last.id] : undefined };
}

function isAfter(cursor: UserCursor | undefined) {
  return cursor && sql`(${users.createdAt}, ${users.id}) < (${cursor[0]}::timestamptz, ${cursor[1]}::uuid)`;
}

/** A partner's end user as its console lists it. */
export type ConsoleUser = Omit<ConnectUser, "partnerId"> & {
  externalUserId: string;
  createdAt: string;
  accounts: number;
  /** How many of the accounts must be connected again. */
  accountsToReconnect: number;
};

const liveAccounts = (where = sql``) => sql<number>`(select count(*)::int from accounts a
  where a.owner_id = users.id and a.disconnected_at is null ${where})`;

function selectConsoleUsers() {
  return dbOrTransaction
    .select({
      row: users,
      accounts: liveAccounts(),
      accountsToReconnect: liveAccounts(sql`and a.state <> 'ACTIVE'`),
    })
    .from(users);
}

/** A partner's users, newest first. `next` is the cursor of the next page; `search` matches the whole externalUserId. */
export async function listConsoleUsers(
  partnerId: string,
  { limit, after, search }: { limit: number; after?: UserCursor; search?: string },
): Promise<{ items: ConsoleUser[]; next?: UserCursor }> {
  const rows = await selectConsoleUsers()
    .where(and(eq(users.partnerId, partnerId), isAfter(after), search ? eq(users.externalUserId, search) : undefined))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit + 1);
  const last = rows[limit - 1]?.row;
  return {
    items: rows.slice(0, limit).map(toConsoleUser),
    next: rows.length > limit && last ? [last.createdAt, last.id] : undefined,
  };
}

/** The user with this id, or undefined if it is missing or belongs to another partner. */
export async function findConsoleUser(partnerId: string, id: string): Promise<ConsoleUser | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const [row] = await selectConsoleUsers().where(and(eq(users.partnerId, partnerId), eq(users.id, id)));
  return row && toConsoleUser(row);
}

type ConsoleRow = Awaited<ReturnType<typeof selectConsoleUsers>>[number];

function toConsoleUser({ row, accounts, accountsToReconnect }: ConsoleRow): ConsoleUser {
  const { partnerId: _, ...user } = fromRow(row);
  const { externalUserId, createdAt } = row;
  return { ...user, externalUserId: externalUserId ?? "", createdAt, accounts, accountsToReconnect };
}
