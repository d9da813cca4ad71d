import { and, eq, lt, sql } from "drizzle-orm";
import { db, passkeys, type Tx, users } from "../../db";
import { auditForUser } from "../../db/audit";
import { toBase64Url } from "../../secrets";
import { newTicket, redeemTicket } from "../sign-in/tickets";
import { present, signInUser, type User } from "../users";
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
export type PasskeyCheck = { user: User; needsPassword: boolean };

/**
 * Verifies the answer of a passkey (Web Authentication, section 7.2), once per ticket.
 * @param half the person who entered the password; undefined if the passkey signs in by itself
 * @returns the person as they were when the answer was accepted, so that a password reset at the same time ends this sign-in;
 * undefined if the passkey is unknown, belongs to someone else, or the answer is not valid
 */
export async function checkPasskey(ticket: string, credential: string, half?: User): Promise<PasskeyCheck | undefined> {
  const response = assertionIn(credential);
  const asked = response && (await redeemTicket("passkey", ticket));
  if (!asked) return undefined;
  const [row] = await db.select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!row || (half && row.ownerId !== half.id)) return undefined;
  const handle = response.response.userHandle;
  if (handle ? handle !== toBase64Url(userHandleOf(row.ownerId)) : !half) return undefined;
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
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, row.ownerId);
    const [current] = await tx.select().from(passkeys).where(eq(passkeys.id, row.id));
    if (!user || !current || (half && half.sessionEpoch !== user.sessionEpoch)) return undefined;
    if (current.needsPassword && !half) return { user, needsPassword: true };
    const isNewer = newCounter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, newCounter);
    const accepted = await tx
      .update(passkeys)
      .set({ counter: newCounter, backedUp: credentialBackedUp, usedAt: sql`now()`, needsPassword: false })
      .where(and(eq(passkeys.id, row.id), isNewer))
      .returning();
    if (accepted.length > 0) return { user, needsPassword: false };
    // Step 22: a counter that does not grow is a sign that the passkey was copied.
    await auditForUser(tx, row.ownerId, {
      action: "factor.refused",
      subject: row.ownerId,
      details: { kind: "passkey" },
    });
    return undefined;
  });
}

/** The person, whose password is not reset until the transaction ends. */
async function lockUser(tx: Tx, id: string): Promise<User | undefined> {
  const [row] = await tx
    .select()
    .from(users)
    .where(and(signInUser, eq(users.id, id)))
    .for("share");
  return row && present(row);
}
