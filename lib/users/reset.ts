import { randomUUID } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { dbOrTransaction, users } from "../db";
import { accessChanged } from "../db/access";
import { BadRequest } from "../errors";
import { defineJob, enqueue, type JobKind } from "../jobs";
import { findToken, queueMail, useToken } from "../mail";
import { isMailLimitReached } from "./confirm";
import { hashPassword, NewPassword } from "./users";

const KIND = "resetPassword";

const passwordResetDue = {
  name: "user.forgot-password",
  payload: z.object({ email: z.string() }),
} satisfies JobKind;

/**
 * Handles "I forgot my password". A job looks the address up, so that neither the answer nor its timing reveals whether it
 * is registered.
 */
export async function requestPasswordReset(email: string): Promise<void> {
  const given = z.email().max(254).safeParse(email);
  if (!given.success) return;
  await enqueue(
    dbOrTransaction,
    passwordResetDue,
    { email: given.data },
    { key: `forgot:${given.data.toLowerCase()}`, keep: true },
  );
}

/** The job: sends a link to choose a new password to people who sign in, a few times an hour at most. */
export const passwordResetJob = defineJob({
  ...passwordResetDue,
  async run({ email }) {
    await dbOrTransaction.transaction(async (tx) => {
      const byAddress = and(isNull(users.partnerId), eq(sql`lower(${users.email})`, email.toLowerCase()));
      const [row] = await tx.select({ id: users.id }).from(users).where(byAddress).for("update");
      if (!row || (await isMailLimitReached(tx, row.id, KIND))) return;
      await queueMail(tx, { kind: KIND, ownerId: row.id, about: `${row.id}:${randomUUID()}`, facts: {} });
    });
  },
});

/** Returns whether a password reset link still works, without using it up. */
export async function isResetToken(token: string): Promise<boolean> {
  return (await findToken(dbOrTransaction, KIND, token)) !== undefined;
}

/**
 * Sets a new password with a mailed token, once, and ends all sessions. It also confirms the address, because the mail was
 * read.
 * @returns false if the token is unknown, used or expired
 * @throws BadRequest for an invalid password; the token can still be used
 */
export async function resetPassword(token: string, password: string): Promise<boolean> {
  const parsed = NewPassword.safeParse(password);
  if (!parsed.success) throw new BadRequest(...parsed.error.issues.map(({ message }) => message));
  if (!(await isResetToken(token))) return false; // checked before hashing, which costs as much as a sign-in
  const passwordHash = await hashPassword(parsed.data);
  const userId = await dbOrTransaction.transaction(async (tx) => {
    const sent = await useToken(tx, KIND, token);
    if (!sent) return undefined;
    const [row] = await tx
      .update(users)
      .set({
        passwordHash,
        sessionEpoch: sql`${users.sessionEpoch} + 1`,
        emailConfirmedAt: sql`coalesce(${users.emailConfirmedAt}, now())`,
      })
      .where(and(eq(users.id, sent.ownerId), eq(users.email, sent.email)))
      .returning({ id: users.id });
    return row?.id;
  });
  if (userId) accessChanged(userId);
  return userId !== undefined;
}
