import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { authenticators, db, passkeys, recoveryCodes, type Tx, users } from "../../db";
import { type Actor, audit, auditForUser } from "../../db/audit";
import { env } from "../../env";
import { Unauthorized } from "../../errors";
import { queueMail } from "../../mail";
import { revokeOtherSessions, type Session } from "../sessions";
import { replaceRecoveryCodes } from "./recovery";

/** A second factor: an authenticator app (TOTP) or a passkey (WebAuthn). */
export type FactorKind = "authenticator" | "passkey";

/**
 * Records a new factor and sends its owner a mail. `lockFactors` must have been called. The first one ends the person's other
 * sessions, which needed a password only.
 * @returns recovery codes if it is the first one
 */
export async function factorAdded(
  tx: Tx,
  { id: sessionId, user: { id: ownerId } }: Session,
  kind: FactorKind,
  name = "",
): Promise<{ recoveryCodes?: string[] }> {
  await auditForUser(tx, ownerId, { action: "factor.added", subject: ownerId, details: { kind } });
  await queueMail(tx, { kind: "factorAdded", ownerId, about: randomUUID(), facts: { kind, name } });
  if ((await countFactors(tx, ownerId)) !== 1) return {};
  await revokeOtherSessions(ownerId, sessionId, tx);
  return { recoveryCodes: await replaceRecoveryCodes(tx, ownerId) };
}

/**
 * Records who ended a factor and sends its owner a mail. `lockFactors` must have been called. The last one takes the recovery
 * codes with it.
 */
export async function factorRemoved(
  tx: Tx,
  ownerId: string,
  { kind, name = "", actor = { id: ownerId } }: { kind: FactorKind; name?: string; actor?: Actor },
): Promise<void> {
  await audit(tx, { action: "factor.removed", actor, subject: ownerId, details: { kind } });
  await queueMail(tx, { kind: "factorRemoved", ownerId, about: randomUUID(), facts: { kind, name } });
  if ((await countFactors(tx, ownerId)) === 0) await tx.delete(recoveryCodes).where(eq(recoveryCodes.ownerId, ownerId));
}

/**
 * Lets one change of a person's factors run at a time, because two at once would not see each other's factor. Call it first in
 * the transaction: a row of a factor locks the person too, so that a later call could deadlock with another change.
 * @param sessionEpoch the person's when the request was authenticated
 * @throws Unauthorized if the password was reset or changed since then
 */
export async function lockFactors(tx: Tx, ownerId: string, sessionEpoch?: number): Promise<void> {
  const [user] = await tx.select({ epoch: users.sessionEpoch }).from(users).where(eq(users.id, ownerId)).for("update");
  if (sessionEpoch !== undefined && user?.epoch !== sessionEpoch) throw new Unauthorized();
}

async function countFactors(tx: Tx, ownerId: string): Promise<number> {
  const { rows } = await tx.execute<{ factors: number }>(sql`
    select (select count(*) from ${authenticators} where ${authenticators.ownerId} = ${ownerId})::int
      + (select count(*) from ${passkeys} where ${passkeys.ownerId} = ${ownerId})::int as factors`);
  return rows[0]?.factors ?? 0;
}

/** Whether a password alone does not sign this person in. */
export async function hasFactor(ownerId: string, tx: Tx = db): Promise<boolean> {
  return (await countFactors(tx, ownerId)) > 0;
}

/** Whether this person is staff without the second factor that the operator requires of staff. */
export async function lacksStaffFactor({ id, role }: { id: string; role: string }): Promise<boolean> {
  return env.needsStaffFactor && role === "staff" && !(await hasFactor(id));
}

/**
 * What a password reset does to factors (ADR 25). If the address was never confirmed, whoever signed up may not be the person
 * who reads its mail: every factor goes. Otherwise the second step stays, and a passkey no longer signs in by itself.
 */
export async function resetFactors(tx: Tx, ownerId: string, wasConfirmed: boolean): Promise<void> {
  if (wasConfirmed) {
    await tx.update(passkeys).set({ needsPassword: true }).where(eq(passkeys.ownerId, ownerId));
    return;
  }
  await removeFactors(tx, ownerId, { id: ownerId });
}

/** Removes every factor of a person who lost them, for the operator. @returns how many there were */
export async function removeAllFactors(ownerId: string): Promise<number> {
  return db.transaction((tx) => removeFactors(tx, ownerId, "operator"));
}

async function removeFactors(tx: Tx, ownerId: string, actor: Actor): Promise<number> {
  await lockFactors(tx, ownerId);
  const apps = await tx.delete(authenticators).where(eq(authenticators.ownerId, ownerId)).returning();
  for (const _ of apps) await factorRemoved(tx, ownerId, { kind: "authenticator", actor });
  const keys = await tx.delete(passkeys).where(eq(passkeys.ownerId, ownerId)).returning();
  for (const { name } of keys) await factorRemoved(tx, ownerId, { kind: "passkey", name, actor });
  return apps.length + keys.length;
}
