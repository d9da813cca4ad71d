import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { dbOrTransaction, mails, type Tx, users } from "../db";
import { queueMail, useToken } from "../mail";

/** Mails of one kind that a person can ask for in an hour. */
const MAX_PER_HOUR = 5;

/** Asks the person by mail whether the address is theirs. */
export async function queueConfirmation(tx: Tx, userId: string): Promise<void> {
  await queueMail(tx, { kind: "confirmAddress", ownerId: userId, about: `${userId}:${randomUUID()}`, facts: {} });
}

/**
 * Asks again, where the address is not confirmed yet.
 * @returns false where they were asked so often in the last hour that nothing was sent
 */
export async function requestConfirmation(userId: string): Promise<boolean> {
  return dbOrTransaction.transaction(async (tx) => {
    const unconfirmed = and(eq(users.id, userId), isNull(users.emailConfirmedAt));
    const [open] = await tx.select({ id: users.id }).from(users).where(unconfirmed).for("update");
    if (!open) return true;
    if (await isMailLimitReached(tx, userId, "confirmAddress")) return false;
    await queueConfirmation(tx, userId);
    return true;
  });
}

/** Whether this person had as many mails of a kind in the last hour as anybody can ask for. */
export async function isMailLimitReached(
  tx: Tx,
  userId: string,
  kind: "confirmAddress" | "resetPassword",
): Promise<boolean> {
  const recent = sql`${mails.createdAt} > now() - interval '1 hour'`;
  const asked = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.ownerId, userId), eq(mails.kind, kind), recent))
    .limit(MAX_PER_HOUR);
  return asked.length === MAX_PER_HOUR;
}

/**
 * The address is confirmed by whoever has the token that was sent there.
 * @returns the address; undefined where the token is none, was used, has expired, or was sent to another address
 */
export async function confirmEmail(token: string): Promise<string | undefined> {
  return dbOrTransaction.transaction(async (tx) => {
    const sent = await useToken(tx, "confirmAddress", token);
    if (!sent) return undefined;
    const [row] = await tx
      .update(users)
      .set({ emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, now())` })
      .where(and(eq(users.id, sent.ownerId), eq(users.email, sent.email)))
      .returning({ email: users.email });
    return row?.email ?? undefined;
  });
}
