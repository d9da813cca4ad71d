import { eq } from "drizzle-orm";
import { type AuditAction, auditLog, partners, type Tx, users } from ".";

/** Who did something: a user or partner by ID, or the operator at the command line. */
export type Actor = { id: string } | "operator";

/** The actor ID of a visitor without an account. No user has this ID (the nil UUID of RFC 9562); the operator's is null. */
export const UNKNOWN_ACTOR_ID = "00000000-0000-0000-0000-000000000000";

type Entry = {
  action: AuditAction;
  actor: Actor | "unknown";
  /** A client ID, user ID or account ID; for `session.refused` without an account, a keyed hash of the address or network. */
  subject: string | number;
  partnerId?: string;
  details?: { [name: string]: string | number | boolean };
};

/** Adds an entry to the audit log in the transaction of the change. Entries cannot be changed or deleted. */
export async function audit(tx: Tx, { action, actor, subject, partnerId, details = {} }: Entry): Promise<void> {
  const actorId = typeof actor === "object" ? actor.id : actor === "unknown" ? UNKNOWN_ACTOR_ID : null;
  await tx.insert(auditLog).values({ action, actorId, partnerId, subject: String(subject), details });
}

/** Adds an entry for an action of a user on their own data, under the user's partner if there is one. */
export async function auditForUser(tx: Tx, userId: string, entry: Omit<Entry, "actor" | "partnerId">): Promise<void> {
  const [user] = await tx.select({ partnerId: users.partnerId }).from(users).where(eq(users.id, userId));
  await audit(tx, { ...entry, actor: { id: userId }, partnerId: user?.partnerId ?? undefined });
}

/** Adds an entry for an action on a client ID, under the partner that owns it if there is one. */
export async function auditForClient(tx: Tx, clientId: string, entry: Omit<Entry, "subject" | "partnerId">) {
  const [partner] = await tx.select({ id: partners.id }).from(partners).where(eq(partners.clientId, clientId));
  await audit(tx, { ...entry, subject: clientId, partnerId: partner?.id });
}
