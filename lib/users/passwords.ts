import { randomUUID } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { z } from "zod";
import { dbOrTransaction, mails, sessions, type Tx, users } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { BadRequest, Unauthorized } from "../errors";
import { defineJob, enqueue, type JobKind } from "../jobs";
import { findToken, queueMail, useToken } from "../mail";
import { confirming } from "./confirm";
import { resetFactors } from "./factors/changes";
import type { Session } from "./sessions";
import { countMail } from "./sign-in/attempts";
import { accountOf, knownBrowserCookies } from "./sign-in/cookies";
import { signInWithPassword } from "./sign-in/steps";
import { hasAddress, hashPassword, parsePassword } from "./users";

const KIND = "resetPassword";

const passwordResetDue = {
  name: "user.forgot-password",
  payload: z.object({ email: z.string() }),
} satisfies JobKind;

/**
 * Handles "I forgot my password". A job looks the address up, so that neither the answer nor its timing reveals whether it
 * is registered.
 * @param headers of the request: mails to one address are limited by network
 * @returns undefined, or the seconds to wait if too many were requested and nothing is done
 */
export async function requestPasswordReset(headers: Headers, email: string): Promise<number | undefined> {
  const given = z.email().max(254).safeParse(email);
  if (!given.success) return undefined;
  const seconds = await countMail(headers, "reset", accountOf(given.data));
  if (seconds !== undefined) return seconds;
  await enqueue(
    dbOrTransaction,
    passwordResetDue,
    { email: given.data },
    { key: `forgot:${given.data.toLowerCase()}`, keep: true },
  );
  return undefined;
}

/** How many links to choose a new password an address gets per hour. Until the first is used, all of them work for an hour. */
const MAX_PER_HOUR = 5;

/**
 * The job: sends a link to choose a new password to the person to whom the address belongs. If nobody has confirmed it, each
 * person who signed up with it gets a mail of their own, because only the owner of the mailbox knows which account is theirs.
 * They take turns: whoever has waited longest for such a mail comes first, so that accounts that a stranger created with the
 * address do not take the mails of the owner's account. An address gets a few such mails an hour at most.
 */
export const passwordResetJob = defineJob({
  ...passwordResetDue,
  async run({ email }) {
    await dbOrTransaction.transaction(async (tx) => {
      const { id, emailConfirmedAt, createdAt } = users;
      const lastReset = sql`select max(m.created_at) from mails m where m.owner_id = ${id} and m.kind = ${KIND}`;
      const found = await tx
        .select({ id, isConfirmed: sql<boolean>`${emailConfirmedAt} is not null`, createdAt })
        .from(users)
        .where(hasAddress(email))
        .orderBy(sql`(${lastReset}) nulls first`, createdAt, id)
        .for("update");
      const owner = found.find(({ isConfirmed }) => isConfirmed);
      const addressed = owner ? [owner] : found;
      const recent = await tx
        .select({ id: mails.id })
        .from(mails)
        .innerJoin(users, eq(users.id, mails.ownerId))
        .where(and(hasAddress(email), eq(mails.kind, KIND), gt(mails.createdAt, sql`now() - interval '1 hour'`)))
        .limit(MAX_PER_HOUR);
      for (const user of addressed.slice(0, MAX_PER_HOUR - recent.length)) {
        const facts = addressed.length > 1 ? { accountCreatedTime: new Date(user.createdAt).toISOString() } : {};
        await queueMail(tx, { kind: KIND, ownerId: user.id, about: `${user.id}:${randomUUID()}`, facts });
      }
    });
  },
});

/** Returns whether a password reset link still works, without using it up. */
export async function isResetToken(token: string): Promise<boolean> {
  return (await findToken(dbOrTransaction, KIND, token)) !== undefined;
}

/**
 * Takes away what someone who knew the old password may have created: one function per noun, in the transaction of the
 * reset. `isFirstConfirmation`: the address was never confirmed before, so someone else may have signed up with it.
 * Returns sentences that tell the person what was done.
 */
export type Lockout = (tx: Tx, userId: string, reset: { isFirstConfirmation: boolean }) => Promise<string[]>;

/**
 * Sets a new password with a mailed token, once, and ends everything that gives access without it. It also confirms the
 * address, because the mail was read. Second factors of a confirmed address stay: mail alone does not sign in (ADR 25).
 *
 * The browser counts as known from now on: whoever reads the mail must not have to wait because strangers guess passwords.
 * @returns sentences that tell what else was done, and cookies; undefined if the token is unknown, used or expired
 * @throws BadRequest for an invalid password; the token can still be used. AddressTaken if it confirmed the address of another
 * person
 */
export async function resetPassword(
  token: string,
  password: string,
  lockouts: Lockout[],
  headers: Headers,
): Promise<{ done: string[]; cookies: string[] } | undefined> {
  const valid = parsePassword(password);
  const asked = await findToken(dbOrTransaction, KIND, token);
  if (!asked) return undefined; // checked before hashing, which costs as much as a sign-in
  const passwordHash = await hashPassword(valid, asked.email);
  const reset = await confirming(async (tx) => {
    const sent = await useToken(tx, KIND, token);
    if (!sent) return undefined;
    const isTheirs = and(eq(users.id, sent.ownerId), eq(users.email, sent.email));
    const [user] = await tx.select().from(users).where(isTheirs).for("update");
    if (!user) return undefined;
    const sessionEpoch = user.sessionEpoch + 1;
    const emailConfirmedAt = sql`coalesce(${users.emailConfirmedAt}, now())`;
    await tx.update(users).set({ passwordHash, sessionEpoch, emailConfirmedAt }).where(eq(users.id, user.id));
    const isFirstConfirmation = user.emailConfirmedAt === null;
    await resetFactors(tx, user.id, !isFirstConfirmation);
    const done: string[] = [];
    for (const lockout of lockouts) done.push(...(await lockout(tx, user.id, { isFirstConfirmation })));
    await queuePasswordChanged(tx, user.id, done);
    await audit(tx, { action: "password.reset", actor: user, subject: user.id });
    return { user, done };
  });
  if (!reset) return undefined;
  const { user, done } = reset;
  accessChanged(user.id);
  // One ID for all resets of a person, so that many resets do not give more attempts at a code.
  return { done, cookies: await knownBrowserCookies(headers, accountOf(user.email ?? ""), user.id) };
}

/** @param done sentences that tell what else was done */
export async function queuePasswordChanged(tx: Tx, userId: string, done: string[]): Promise<void> {
  await queueMail(tx, {
    kind: "passwordChanged",
    ownerId: userId,
    about: `${userId}:${randomUUID()}`,
    facts: { done },
  });
}

/**
 * Changes the password of a signed-in person. All of their other sessions end. This one counts as fresh only if the password
 * alone signs the person in, so that nobody changes a password to get around the second factor.
 * @param headers of the request: guessing the current password is slowed down like signing in
 * @throws BadRequest if the current password is wrong or the new one is invalid; Unauthorized if the session has ended
 */
export async function changePassword(
  { id: sessionId, user }: Session,
  { current, password }: { current: string; password: string },
  headers: Headers,
): Promise<void> {
  const valid = parsePassword(password);
  const checked = await signInWithPassword(headers, user.email, current, user.id);
  if (checked.kind === "wait") {
    throw new BadRequest(`current password was entered wrongly too often. Try again in ${checked.seconds} s`);
  }
  if (checked.kind === "wrong") throw new BadRequest("current password is wrong");
  const passwordHash = await hashPassword(valid, user.email);
  await dbOrTransaction.transaction(async (tx) => {
    const [changed] = await tx
      .update(users)
      .set({ passwordHash, sessionEpoch: sql`${users.sessionEpoch} + 1` })
      .where(and(eq(users.id, user.id), eq(users.sessionEpoch, user.sessionEpoch)))
      .returning({ epoch: users.sessionEpoch });
    if (!changed) throw new Unauthorized();
    const isProven = checked.kind === "done";
    const kept = { epoch: changed.epoch, ...(isProven ? { authenticatedAt: sql`now()` } : {}) };
    await tx.update(sessions).set(kept).where(eq(sessions.id, sessionId));
    await audit(tx, { action: "password.changed", actor: user, subject: user.id });
    await queuePasswordChanged(tx, user.id, ["Your other sessions were signed out."]);
  });
  accessChanged(user.id);
}
