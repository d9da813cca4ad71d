import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import {
  type AuditAction,
  applications,
  auditLog,
  connectAttempts,
  connectSessions,
  db,
  partnerMembers,
  partners,
  type Tx,
  users,
} from "../db";
import { type Actor, audit } from "../db/audit";
import { NotFound } from "../errors";
import { queueMail } from "../mail";
import { type Credentials, endPartnerCredentials, retirePartnerSecret, rotatePartnerSecret } from "../oauth";
import { randomToken } from "../secrets";
import type { User } from "../users";
import { holdWebhooksOfPartner } from "../webhooks";
import type { ConsoleRole, MemberRole } from "./roles";

/** A partner as its console shows it to a person, with the person's roles there. */
export type Partner = {
  id: string;
  clientId: string;
  name: string;
  suspendedAt?: string;
  createdAt: string;
  roles: ConsoleRole[];
};

const columns = {
  id: partners.id,
  clientId: partners.clientId,
  name: partners.name,
  suspendedAt: applications.suspendedAt,
  createdAt: partners.createdAt,
  role: partnerMembers.role,
};

/** @throws NotFound if no partner has this client id */
export async function getPartner(clientId: string): Promise<{ id: string; name: string }> {
  const [row] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  if (!row) throw new NotFound("Partner", clientId);
  return { id: row.id, name: row.name };
}

/** The partners whose console a user may open, by name: all of them for staff, otherwise those the user is a member of. */
export async function listVisiblePartners(user: User): Promise<Partner[]> {
  const rows = await selectVisible(user).orderBy(asc(partners.name), asc(partners.id));
  return rows.map((row) => fromRow(row, user));
}

/** The partner with this client id, or undefined if it does not exist or the user may not open its console. */
export async function findVisiblePartner(user: User, clientId: string): Promise<Partner | undefined> {
  if (user.suspended || user.deleting || clientId.includes("\0")) return undefined;
  const [row] = await selectVisible(user, eq(partners.clientId, clientId));
  return row && fromRow(row, user);
}

function selectVisible(user: User, where = undefined as ReturnType<typeof eq> | undefined) {
  const isMember = and(eq(partnerMembers.partnerId, partners.id), eq(partnerMembers.userId, user.id));
  return db
    .select(columns)
    .from(partners)
    .innerJoin(applications, eq(applications.clientId, partners.clientId))
    .leftJoin(partnerMembers, isMember)
    .where(and(where, user.role === "staff" ? undefined : isNotNull(partnerMembers.userId)))
    .$dynamic();
}

type Row = Omit<Partner, "suspendedAt" | "roles"> & { suspendedAt: string | null; role: MemberRole | null };

function fromRow({ suspendedAt, role, ...row }: Row, user: User): Partner {
  const roles: ConsoleRole[] = [...(role ? [role] : []), ...(user.role === "staff" ? (["staff"] as const) : [])];
  return { ...row, roles, ...(suspendedAt ? { suspendedAt } : {}) };
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

/** An entry of the audit log; `actor` is the person's email address, empty if the person was deleted or no person acted. */
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

/** Gives a partner a new secret, which is returned only here, and tells the partner's owners. */
export async function createPartnerSecret({ id, clientId, name }: Partner, user: User): Promise<Credentials> {
  return db.transaction(async (tx) => {
    const credentials = await rotatePartnerSecret(clientId, user, tx);
    const facts = { name, clientId, by: user.email };
    await mailOwners(tx, id, (to) => queueMail(tx, { kind: "secretRotated", ...to, facts }));
    return credentials;
  });
}

/**
 * Begins the rotation of a partner's secret: the one in use works for another 24 hours, and the partner's owners are asked by
 * email to create the next one, which staff never see (ADR 49). Does nothing if no secret is in use, or if the partner has no
 * owner, because then all of its calls would be refused in 24 hours.
 */
export async function beginSecretRotation({ id, clientId, name }: Partner, user: User): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await ownersOf(tx, id)).length === 0) return;
    const until = await retirePartnerSecret(clientId, user, tx);
    if (!until) return;
    const facts = { name, clientId, until: new Date(until).toISOString() };
    await mailOwners(tx, id, (to) => queueMail(tx, { kind: "secretRetired", ...to, facts }));
  });
}

/**
 * Ends every secret, token, connect link and embedded session of a partner, because they may be in the wrong hands, and every
 * connect attempt that is not complete. Stops the webhooks until the partner enables them again. Asks the partner's owners by
 * email to create a new secret. Staff can do this without ever seeing a secret (ADR 27).
 */
export async function endAllSecrets({ id, clientId, name }: Partner, user: User): Promise<void> {
  const announce = await db.transaction(async (tx) => {
    const ended = await endPartnerCredentials(clientId, user, tx);
    const theirs = tx.select({ id: users.id }).from(users).where(eq(users.partnerId, id));
    await tx.delete(connectSessions).where(inArray(connectSessions.ownerId, theirs));
    await tx.update(partners).set({ secretsRevokedAt: sql`clock_timestamp()` }).where(eq(partners.id, id));
    const begun = and(inArray(connectAttempts.ownerId, theirs), isNull(connectAttempts.completedAt));
    await tx.delete(connectAttempts).where(begun);
    await holdWebhooksOfPartner(tx, id);
    await mailOwners(tx, id, (to) => queueMail(tx, { kind: "secretsEnded", ...to, facts: { name, clientId } }));
    return ended;
  });
  announce();
}

type Recipient = { ownerId: string; about: string };

async function mailOwners(tx: Tx, partnerId: string, queue: (to: Recipient) => Promise<unknown>): Promise<void> {
  for (const ownerId of await ownersOf(tx, partnerId)) await queue({ ownerId, about: `${ownerId} ${randomToken()}` });
}

async function ownersOf(tx: Tx, partnerId: string): Promise<string[]> {
  const isOwner = and(eq(partnerMembers.partnerId, partnerId), eq(partnerMembers.role, "owner"));
  const owners = await tx.select({ userId: partnerMembers.userId }).from(partnerMembers).where(isOwner);
  return owners.map(({ userId }) => userId);
}
