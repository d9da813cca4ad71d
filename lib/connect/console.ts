import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { type AuditAction, auditLog, db, users } from "../db";

/** A partner's end-user as its console lists it. */
export type ConsoleUser = {
  id: string;
  externalUserId: string;
  name: string;
  email?: string;
  suspended: boolean;
  deleting: boolean;
  createdAt: string;
  accounts: number;
  /** Of these, how many have to be connected again. */
  unwell: number;
};

export type UserPlace = [createdAt: string, id: string];

const liveAccounts = (where = sql``) => sql<number>`(select count(*)::int from accounts a
  where a.owner_id = users.id and a.disconnected_at is null ${where})`;

function selectUsers() {
  return db
    .select({
      row: users,
      accounts: liveAccounts(),
      unwell: liveAccounts(sql`and a.state <> 'ACTIVE'`),
    })
    .from(users);
}

const ofPartner = (partnerId: string) => and(eq(users.partnerId, partnerId), isNull(users.rehearses));

/** A partner's users, newest first; `next` is the place to go on after. `search` finds the partner's own id, whole. */
export async function consoleUsers(
  partnerId: string,
  { limit, after, search }: { limit: number; after?: UserPlace; search?: string },
): Promise<{ items: ConsoleUser[]; next?: UserPlace }> {
  const beyond = after && sql`(${users.createdAt}, ${users.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`;
  const found = await selectUsers()
    .where(and(ofPartner(partnerId), beyond, search ? eq(users.externalUserId, search) : undefined))
    .orderBy(desc(users.createdAt), desc(users.id))
    .limit(limit + 1);
  const last = found[limit - 1]?.row;
  return {
    items: found.slice(0, limit).map(fromRow),
    next: found.length > limit && last ? [last.createdAt, last.id] : undefined,
  };
}

/** One of them; undefined for another partner's and for one that never was. */
export async function consoleUser(partnerId: string, id: string): Promise<ConsoleUser | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const [found] = await selectUsers().where(and(ofPartner(partnerId), eq(users.id, id)));
  return found && fromRow(found);
}

function fromRow({ row, accounts, unwell }: Awaited<ReturnType<typeof selectUsers>>[number]): ConsoleUser {
  return {
    id: row.id,
    externalUserId: row.externalUserId ?? "",
    name: row.name,
    email: row.email ?? undefined,
    suspended: row.suspendedAt !== null,
    deleting: row.deletingAt !== null,
    createdAt: row.createdAt,
    accounts,
    unwell,
  };
}

/** A line of the audit log; `actor` is the address of a person, empty for somebody who is gone or no person. */
export type AuditLine = {
  id: number;
  at: string;
  action: AuditAction;
  actor: string;
  isOperator: boolean;
  subject: string;
};

/** What was done lately with a partner's credential, members and users, newest first. */
export async function auditOf(partnerId: string, limit = 20): Promise<AuditLine[]> {
  const rows = await db
    .select({ line: auditLog, email: users.email })
    .from(auditLog)
    .leftJoin(users, and(eq(users.id, auditLog.actorId), isNull(users.partnerId)))
    .where(eq(auditLog.partnerId, partnerId))
    .orderBy(desc(auditLog.id))
    .limit(limit);
  return rows.map(({ line: { id, at, action, actorId, subject }, email }) => ({
    ...{ id, at, action, subject },
    actor: email ?? "",
    isOperator: actorId === null,
  }));
}
