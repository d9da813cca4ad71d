import { eq } from "drizzle-orm";
import { db, passkeys, type Tx } from "../../db";
import { BadRequest } from "../../errors";
import type { Session } from "../sessions";
import { newTicket, redeemTicket } from "../sign-in/tickets";
import { factorAdded, lockFactors } from "./changes";
import { PasskeyName, relyingParty } from "./passkeys";
import { registrationIn } from "./web-authn-json";

/** More than a person has devices. */
const MAX_PASSKEYS = 20;

/** Options for `navigator.credentials.create()`, as JSON, and a ticket that comes back with its result. */
export type PasskeySetup = { options: string; ticket: string };

/** @throws BadRequest if the person has the maximum number of passkeys */
export async function beginPasskey({
  id,
  email,
  name,
}: {
  id: string;
  email: string;
  name: string;
}): Promise<PasskeySetup> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const own = await assertBelowLimit(db, id);
  const options = await generateRegistrationOptions({
    rpName: relyingParty.name,
    rpID: relyingParty.id,
    userName: email,
    userDisplayName: name,
    userID: userHandleOf(id),
    attestationType: "none",
    excludeCredentials: own.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    // A passkey signs in without a name and a password, so the device must store it and verify its user.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const ticket = await newTicket("newPasskey", { userId: id, challenge: options.challenge });
  return { options: JSON.stringify(options), ticket };
}

/** Returns the person's passkeys. @throws BadRequest if they have the maximum number */
async function assertBelowLimit(tx: Tx, ownerId: string) {
  const own = await tx.select().from(passkeys).where(eq(passkeys.ownerId, ownerId));
  if (own.length >= MAX_PASSKEYS)
    throw new BadRequest(`You have ${own.length} passkeys, the maximum. Remove one first`);
  return own;
}

type NewPasskey = { ticket: string; name: string; credential: string };

/**
 * Stores a passkey that the browser created (Web Authentication, section 7.1).
 * @returns recovery codes if this is the person's first factor; undefined if the result is not valid or too old
 * @throws BadRequest for an invalid name, or if the person has the maximum number of passkeys; Unauthorized if the password was
 * reset in the meantime
 */
export async function addPasskey(
  session: Session,
  { ticket, name, credential }: NewPasskey,
): Promise<{ recoveryCodes?: string[] } | undefined> {
  const named = PasskeyName.safeParse(name);
  if (!named.success) throw new BadRequest(...named.error.issues.map(({ message }) => message));
  const response = registrationIn(credential);
  const setup = response && (await redeemTicket("newPasskey", ticket));
  const userId = session.user.id;
  if (!response || setup?.userId !== userId) return undefined;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const result = await verifyRegistrationResponse({
    response,
    expectedChallenge: setup.challenge,
    expectedOrigin: relyingParty.origin,
    expectedRPID: relyingParty.id,
    requireUserVerification: true,
  }).catch(() => undefined); // the library throws for every part that is wrong
  if (!result?.verified) return undefined;
  const { credential: made, credentialDeviceType, credentialBackedUp } = result.registrationInfo;
  return db.transaction(async (tx) => {
    await lockFactors(tx, userId, session.user.sessionEpoch);
    await assertBelowLimit(tx, userId);
    const [added] = await tx
      .insert(passkeys)
      .values({
        ownerId: userId,
        name: named.data,
        credentialId: made.id,
        publicKey: Buffer.from(made.publicKey),
        counter: made.counter,
        transports: made.transports ?? [],
        backupEligible: credentialDeviceType === "multiDevice",
        backedUp: credentialBackedUp,
      })
      .onConflictDoNothing() // the credential ID is known: section 7.1, step 26, refuses it
      .returning();
    return added && factorAdded(tx, session, "passkey", named.data);
  });
}

/** The user handle is the user's ID as 16 bytes; it contains nothing personal (Web Authentication, section 14.6.1). */
export function userHandleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId.replaceAll("-", ""), "hex"));
}
