import { eq } from "drizzle-orm";
import { type AuditAction, auditLog, partners, type Tx, users } from ".";

/** Who does something: a user or a partner by its id, or whoever sits at the operator's command line. */
export type Actor = { id: string } | "operator";

type Entry = {
  action: AuditAction;
  actor: Actor;
  /** A client id, a user's id or an account's. */
  subject: string | number;
  partnerId?: string;
  details?: { [name: string]: string | number | boolean };
};

/** Writes down what is done, in the transaction that does it; the database keeps it for good. */
export async function audit(tx: Tx, { action, actor, subject, partnerId, details = {} }: Entry): Promise<void> {
  const actorId = actor === "operator" ? null : actor.id;
  await tx.insert(auditLog).values({ action, actorId, partnerId, subject: String(subject), details });
}

/** The same for what is done with a user's own things, under the partner that the user belongs to, if any. */
export async function auditForUser(tx: Tx, userId: string, entry: Omit<Entry, "actor" | "partnerId">): Promise<void> {
  const [user] = await tx.select({ partnerId: users.partnerId }).from(users).where(eq(users.id, userId));
  await audit(tx, { ...entry, actor: { id: userId }, partnerId: user?.partnerId ?? undefined });
}

/** The same for what is done with a partner's credential. */
export async function auditForClient(tx: Tx, clientId: string, entry: Omit<Entry, "subject" | "partnerId">) {
  const [partner] = await tx.select({ id: partners.id }).from(partners).where(eq(partners.clientId, clientId));
  await audit(tx, { ...entry, subject: clientId, partnerId: partner?.id });
}
