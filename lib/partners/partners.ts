import { and, asc, desc, eq, isNull } from "drizzle-orm";
import { type AuditAction, applications, auditLog, db, partnerMembers, partners, users } from "../db";
import { type Actor, audit } from "../db/audit";
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

/** @throws NotFound if no partner has this client id */
export async function getPartner(clientId: string): Promise<{ id: string; name: string }> {
  const [row] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  if (!row) throw new NotFound("Partner", clientId);
  return { id: row.id, name: row.name };
}

/**
 * Gives a user access to a partner's console. Does nothing if the user already has access.
 * @throws NotFound if the partner or the user does not exist
 */
export async function addPartnerMember(clientId: string, email: string): Promise<{ partner: string; user: string }> {
  const partner = await getPartner(clientId);
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

/** The partners whose console a user may open, by name: all of them for staff, otherwise those the user is a member of. */
export async function listVisiblePartners(user: User): Promise<Partner[]> {
  const rows = await selectVisible(user).orderBy(asc(partners.name), asc(partners.id));
  return rows.map(fromRow);
}

/** The partner with this client id, or undefined if it does not exist or the user may not open its console. */
export async function findVisiblePartner(user: User, clientId: string): Promise<Partner | undefined> {
  if (user.suspended || user.deleting || clientId.includes("\0")) return undefined;
  const [row] = await selectVisible(user, eq(partners.clientId, clientId));
  return row && fromRow(row);
}

function selectVisible(user: User, where = undefined as ReturnType<typeof eq> | undefined) {
  const isMember = and(eq(partnerMembers.partnerId, partners.id), eq(partnerMembers.userId, user.id));
  const all = db.select(columns).from(partners).innerJoin(applications, eq(applications.clientId, partners.clientId));
  if (user.role === "staff") return all.where(where).$dynamic();
  return all.innerJoin(partnerMembers, isMember).where(where).$dynamic();
}

function fromRow({ suspendedAt, ...row }: Omit<Partner, "suspendedAt"> & { suspendedAt: string | null }): Partner {
  return { ...row, ...(suspendedAt ? { suspendedAt } : {}) };
}

/** Extra checks around connecting; both are off by default. */
export type PartnerSettings = {
  /** A link first shows a page that names the partner and the user; connecting starts when the person presses Continue. */
  interstitial: boolean;
  /** A newly connected account cannot be used until the partner's backend confirms it. */
  hold: boolean;
};

/** @throws NotFound */
export async function getPartnerSettings(partnerId: string): Promise<PartnerSettings> {
  const settingsColumns = { interstitial: partners.interstitial, hold: partners.hold };
  const [settings] = await db.select(settingsColumns).from(partners).where(eq(partners.id, partnerId));
  if (!settings) throw new NotFound("Partner", partnerId);
  return settings;
}

/**
 * Changes the given settings. The change applies to links opened and accounts connected from now on: an account that is
 * held already stays held until it is confirmed.
 * @throws NotFound
 */
export async function savePartnerSettings(
  partnerId: string,
  change: Partial<PartnerSettings>,
  actor: Actor,
): Promise<PartnerSettings> {
  if (Object.keys(change).length === 0) return getPartnerSettings(partnerId);
  return db.transaction(async (tx) => {
    const [row] = await tx.update(partners).set(change).where(eq(partners.id, partnerId)).returning();
    if (!row) throw new NotFound("Partner", partnerId);
    await audit(tx, { action: "partner.changed", actor, subject: row.clientId, partnerId, details: { ...change } });
    return { interstitial: row.interstitial, hold: row.hold };
  });
}

/** An entry of the audit log; `actor` is the person's e-mail address, empty if the person was deleted or no person acted. */
export type PartnerAuditEntry = {
  id: number;
  at: string;
  action: AuditAction;
  actor: string;
  isOperator: boolean;
  subject: string;
};

/** The latest audit entries about a partner's credentials, members and users, newest first. */
export async function listPartnerAudit(partnerId: string, limit = 20): Promise<PartnerAuditEntry[]> {
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
