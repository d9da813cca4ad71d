import { eq } from "drizzle-orm";
import { type AuditAction, auditLog, partners, type Tx, users } from ".";

/** Who did something: a user or partner by ID, or the operator at the command line. */
export type Actor = { id: string } | "operator";

type Entry = {
  action: AuditAction;
  actor: Actor;
  /** A client ID, user ID or account ID. */
  subject: string | number;
  partnerId?: string;
  details?: { [name: string]: string | number | boolean };
};

/** Adds an entry to the audit log in the transaction of the change. Entries cannot be changed or deleted. */
export async function audit(tx: Tx, { action, actor, subject, partnerId, details = {} }: Entry): Promise<void> {
  const actorId = actor === "operator" ? null : actor.id;
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
