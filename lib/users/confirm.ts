import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { dbOrTransaction, mails, type Tx, users } from "../db";
import { AccessDenied, Unauthorized } from "../errors";
import { queueMail, useToken } from "../mail";

/** How many mails of one kind a person can request per hour. */
const MAX_PER_HOUR = 5;

/** Queues a mail that asks the person to confirm their address. */
export async function queueConfirmation(tx: Tx, userId: string): Promise<void> {
  await queueMail(tx, { kind: "confirmAddress", ownerId: userId, about: `${userId}:${randomUUID()}`, facts: {} });
}

/**
 * Sends the confirmation mail again if the address is not confirmed yet.
 * @returns false if the hourly limit is reached and nothing was sent
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

/** A person who acts, and the session epoch with which the request was authenticated, if it is known. */
type Actor = { id: string; sessionEpoch?: number };

/**
 * Prevents a password reset until the transaction ends, so that nothing is created for a caller whom the reset locks out.
 * @throws Unauthorized if the password was reset after the request was authenticated
 */
export async function assertNotReset(tx: Tx, { id, sessionEpoch }: Actor): Promise<void> {
  await holdUser(tx, { id, sessionEpoch });
}

/**
 * For tokens, applications and webhooks, which outlast a session. Otherwise, anyone could sign up with another person's
 * address, create one and wait. Users of a partner have no address to confirm.
 * @throws AccessDenied if the address is not confirmed; Unauthorized like `assertNotReset`
 */
export async function assertConfirmedAddress(tx: Tx, actor: Actor, what: string): Promise<void> {
  const user = await holdUser(tx, actor);
  if (user && user.partnerId === null && user.emailConfirmedAt === null) {
    throw new AccessDenied(`Confirm your email address before you create ${what}: Settings sends you the link again`);
  }
}

async function holdUser(tx: Tx, { id, sessionEpoch }: Actor) {
  const { emailConfirmedAt, partnerId } = users;
  const [user] = await tx
    .select({ emailConfirmedAt, partnerId, sessionEpoch: users.sessionEpoch })
    .from(users)
    .where(eq(users.id, id))
    .for("share");
  if (user && sessionEpoch !== undefined && user.sessionEpoch !== sessionEpoch) throw new Unauthorized();
  return user;
}

/** Returns whether a person has reached the hourly limit for a kind of mail. */
export async function isMailLimitReached(
  tx: Tx,
  userId: string,
  kind: "confirmAddress" | "alreadyRegistered" | "resetPassword",
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
 * Confirms the address that a token was sent to.
 * @returns the address, or undefined if the token is unknown, used or expired, or was sent to another address
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
