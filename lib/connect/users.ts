import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { db, partners, users } from "../db";
import { BadRequest, NotFound } from "../errors";
import { BeingDeleted } from "../users";

/** A partner's end-user, as SPEC's "Connect user" shows it, with what the service knows of it besides. */
export type ConnectUser = {
  id: string;
  partnerId: string;
  name: string;
  email?: string;
  suspended: boolean;
  deleting: boolean;
};

type Row = typeof users.$inferSelect;

/** Whom a partner provisioned, and nobody of its rehearsals. */
const isReal = isNull(users.rehearses);

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

/** @throws NotFound where no partner has this client id */
export async function getPartner(clientId: string): Promise<{ id: string; name: string }> {
  const [row] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  if (!row) throw new NotFound("Partner", clientId);
  return { id: row.id, name: row.name };
}

/**
 * Provisions an end-user under the partner's own identifier; repeating it answers the same user, with `name` and `email`
 * updated when given.
 * @throws BadRequest where `name` is missing the first time; BeingDeleted until a deletion is done
 */
export async function provisionConnectUser(
  partnerId: string,
  input: { externalUserId: string; name?: string; email?: string },
): Promise<ConnectUser> {
  const { externalUserId, name, email } = input;
  const given = { ...(name ? { name } : {}), ...(email ? { email } : {}) };
  const where = and(eq(users.partnerId, partnerId), eq(users.externalUserId, externalUserId));
  const [known] = await db.select().from(users).where(where);
  if (known?.deletingAt) throw new BeingDeleted();
  if (known && Object.keys(given).length === 0) return fromRow(known);
  if (!known && !name) throw new BadRequest("name cannot be null when a user is provisioned for the first time");
  const [row] = await db
    .insert(users)
    .values({ partnerId, externalUserId, name: name ?? "", email })
    .onConflictDoUpdate({ target: [users.partnerId, users.externalUserId], set: given })
    .returning();
  if (!row) throw new Error("the connect user was not stored");
  if (row.deletingAt) throw new BeingDeleted();
  return fromRow(row);
}

/** @throws NotFound, the same for another partner's user and for one that never was */
export async function getConnectUser(
  partnerId: string,
  by: { uuid: string } | { externalUserId: string },
): Promise<ConnectUser> {
  const value = "uuid" in by ? by.uuid : by.externalUserId;
  const isKey = "uuid" in by ? z.uuid().safeParse(value).success : value.length > 0;
  const [row] = isKey
    ? await db
        .select()
        .from(users)
        .where(
          and(
            isReal,
            eq(users.partnerId, partnerId),
            "uuid" in by ? eq(users.id, value) : eq(users.externalUserId, value),
          ),
        )
    : [];
  if (!row) throw new NotFound("Connect user", value);
  return fromRow(row);
}

/** The partner's users, newest first, those being deleted left out; `next` is the place to go on after. */
export async function listConnectUsers(
  partnerId: string,
  { limit, after }: { limit: number; after?: [createdAt: string, id: string] },
): Promise<{ items: ConnectUser[]; next?: [createdAt: string, id: string] }> {
  const beyond = after && sql`(${users.createdAt}, ${users.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const rows = await db
    .select()
    .from(users)
    .where(and(isReal, eq(users.partnerId, partnerId), isNull(users.deletingAt), beyond))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items: items.map(fromRow), next: rows.length > limit && last ? [last.createdAt, last.id] : undefined };
}
