import { and, asc, eq } from "drizzle-orm";
import { applications, db, partnerMembers, partners } from "../db";
import { audit } from "../db/audit";
import { NotFound } from "../errors";
import { getUserByEmail, type User } from "../users";

/** A partner as its console shows it. */
export type Partner = { id: string; clientId: string; name: string; suspendedAt?: string; createdAt: string };

const columns = {
  id: partners.id,
  clientId: partners.clientId,
  name: partners.name,
  suspendedAt: applications.suspendedAt,
  createdAt: partners.createdAt,
};

/**
 * Lets a person into a partner's console; again for one who is in already does nothing.
 * @throws NotFound
 */
export async function addMember(clientId: string, email: string): Promise<{ partner: string; user: string }> {
  const [partner] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  if (!partner) throw new NotFound("Partner", clientId);
  const user = await getUserByEmail(email);
  await db.transaction(async (tx) => {
    const [added] = await tx
      .insert(partnerMembers)
      .values({ partnerId: partner.id, userId: user.id })
      .onConflictDoNothing()
      .returning();
    const entry = { action: "member.added", actor: "operator", subject: user.id, partnerId: partner.id } as const;
    if (added) await audit(tx, entry);
  });
  return { partner: clientId, user: user.email };
}

/** The partners whose console a person may see, by name: staff all of them, anybody else those they are a member of. */
export async function partnersOf(user: User): Promise<Partner[]> {
  const rows = await visibleTo(user).orderBy(asc(partners.name), asc(partners.id));
  return rows.map(fromRow);
}

/** One of them; undefined for another's and for one that never was. */
export async function partnerFor(user: User, clientId: string): Promise<Partner | undefined> {
  if (user.suspended || user.deleting || clientId.includes("\0")) return undefined;
  const [row] = await visibleTo(user, eq(partners.clientId, clientId));
  return row && fromRow(row);
}

function visibleTo(user: User, where = undefined as ReturnType<typeof eq> | undefined) {
  const isMember = and(eq(partnerMembers.partnerId, partners.id), eq(partnerMembers.userId, user.id));
  const all = db.select(columns).from(partners).innerJoin(applications, eq(applications.clientId, partners.clientId));
  if (user.role === "staff") return all.where(where).$dynamic();
  return all.innerJoin(partnerMembers, isMember).where(where).$dynamic();
}

function fromRow({ suspendedAt, ...row }: Omit<Partner, "suspendedAt"> & { suspendedAt: string | null }): Partner {
  return { ...row, ...(suspendedAt ? { suspendedAt } : {}) };
}
