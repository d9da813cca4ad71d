import { and, eq, sql } from "drizzle-orm";
import { dbOrTransaction, sessions, users } from "../db";
import { accessChanged } from "../db/access";
import { audit } from "../db/audit";
import { BadRequest, Unauthorized } from "../errors";
import { queuePasswordChanged } from "./reset";
import type { Session } from "./sessions";
import { signInWithPassword } from "./sign-in/steps";
import { hashPassword, parsePassword } from "./users";

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
  const checked = await signInWithPassword(headers, user.email, current);
  if (checked.kind === "wait") {
    throw new BadRequest(`current password was entered wrongly too often. Try again in ${checked.seconds} s`);
  }
  if (checked.kind === "wrong") throw new BadRequest("current password is wrong");
  const passwordHash = await hashPassword(valid);
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
