import { and, eq, lt, sql } from "drizzle-orm";
import { db, passkeys } from "../../db";
import { auditForUser } from "../../db/audit";
import { toBase64Url } from "../../secrets";
import { newTicket, redeemTicket } from "../sign-in/tickets";
import { type PasskeySetup, userHandleOf } from "./add-passkey";
import { relyingParty } from "./passkeys";
import { assertionIn } from "./web-authn-json";

/** Returns options for `navigator.credentials.get()`. @param ownerId limits them to a person's own passkeys */
export async function askForPasskey(ownerId?: string): Promise<PasskeySetup> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const own = ownerId ? await db.select().from(passkeys).where(eq(passkeys.ownerId, ownerId)) : [];
  const options = await generateAuthenticationOptions({
    rpID: relyingParty.id,
    userVerification: "required",
    allowCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  return { options: JSON.stringify(options), ticket: await newTicket("passkey", { challenge: options.challenge }) };
}

/** `needsPassword`: the passkey is right, but since a password reset it works only after the password. */
export type PasskeyCheck = { ownerId: string; needsPassword: boolean };

/**
 * Verifies the answer of a passkey (Web Authentication, section 7.2), once per ticket.
 * @param ownerId the person who entered the password; undefined if the passkey signs in by itself
 * @returns undefined if the passkey is unknown, belongs to someone else, or the answer is not valid
 */
export async function checkPasskey(
  ticket: string,
  credential: string,
  ownerId?: string,
): Promise<PasskeyCheck | undefined> {
  const response = assertionIn(credential);
  const asked = response && (await redeemTicket("passkey", ticket));
  if (!asked) return undefined;
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!row || (ownerId && row.ownerId !== ownerId)) return undefined;
  const handle = response.response.userHandle;
  if (handle ? handle !== toBase64Url(userHandleOf(row.ownerId)) : !ownerId) return undefined;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: asked.challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
    // The counter is checked below, together with storing it.
    credential: { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: 0 },
  }).catch(() => undefined); // the library throws for every part that is wrong
  if (!result?.verified) return undefined;
  const { newCounter, credentialDeviceType, credentialBackedUp } = result.authenticationInfo;
  if (row.backupEligible !== (credentialDeviceType === "multiDevice")) return undefined; // step 20: BE never changes
  if (row.needsPassword && !ownerId) return { ownerId: row.ownerId, needsPassword: true };
  const isNewer = newCounter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, newCounter);
  const accepted = await db
    .update(passkeys)
    .set({ counter: newCounter, backedUp: credentialBackedUp, usedAt: sql`now()`, needsPassword: false })
    .where(and(eq(passkeys.id, row.id), isNewer))
    .returning();
  if (accepted.length > 0) return { ownerId: row.ownerId, needsPassword: false };
  // Step 22: a counter that does not grow is a sign that the passkey was copied.
  await auditForUser(db, row.ownerId, { action: "factor.refused", subject: row.ownerId, details: { kind: "passkey" } });
  return undefined;
}
