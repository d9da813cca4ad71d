import { randomBytes, timingSafeEqual } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { authenticators, db, type Tx } from "../../db";
import { type SealedColumn, sealFor, unsealFrom } from "../../db/sealed";
import { authenticatorAddress, oneTimeCode, toBase32 } from "../../secrets";
import type { Session } from "../sessions";
import { newTicket, readTicket } from "../sign-in/tickets";
import { factorAdded, factorRemoved, lockFactors } from "./changes";
import { listPasskeys, type Passkey } from "./passkeys";
import { countRecoveryCodes } from "./recovery";

/** RFC 6238 with the values that every authenticator app supports: SHA-1, six digits, steps of 30 seconds. */
const STEP_MS = 30_000;
/** RFC 4226, section 4, recommends 160 bits. */
const SECRET_BYTES = 20;
/** Clocks of phones differ: the code before and the code after the current one are accepted too. */
const STEPS_BESIDE = 1;

/** The column with the apps' secrets. */
const secretColumn: SealedColumn = {
  ...{ table: "authenticators", column: "secret_sealed", purpose: "second factor" },
  row: "owner_id",
};
export const sealedFactorColumns = [secretColumn];

export type AuthenticatorSetup = {
  /** Base32, for people who type it. */
  secret: string;
  /** For the QR code. */
  address: string;
  /** Goes into the form and comes back with the first code. Nothing is stored until then. */
  ticket: string;
};

/** Returns a new secret for an authenticator app. @param ticket of an earlier form, to show the same secret again */
export async function beginAuthenticator(
  { id, email }: { id: string; email: string },
  ticket?: string,
): Promise<AuthenticatorSetup> {
  const known = ticket && (await readTicket("authenticator", ticket));
  if (ticket && known && known.userId === id) return setupOf(email, Buffer.from(known.secret, "hex"), ticket);
  const secret = randomBytes(SECRET_BYTES);
  return setupOf(email, secret, await newTicket("authenticator", { userId: id, secret: secret.toString("hex") }));
}

function setupOf(email: string, secret: Buffer, ticket: string): AuthenticatorSetup {
  return { secret: toBase32(secret), address: authenticatorAddress("Carillon", email, secret), ticket };
}

/**
 * Adds the authenticator app if the code is right.
 * @param now milliseconds since 1970, the clock that codes are made from
 * @returns recovery codes if this is the person's first factor; undefined if the code or the form is not valid
 * @throws Unauthorized if the password was reset in the meantime
 */
export async function addAuthenticator(
  session: Session,
  ticket: string,
  code: string,
  now = Date.now(),
): Promise<{ recoveryCodes?: string[] } | undefined> {
  const setup = await readTicket("authenticator", ticket);
  const userId = session.user.id;
  if (setup?.userId !== userId) return undefined;
  const step = await stepOf(Buffer.from(setup.secret, "hex"), code, now);
  if (step === undefined) return undefined;
  return db.transaction(async (tx) => {
    await lockFactors(tx, userId, session.user.sessionEpoch);
    const secretSealed = sealFor(secretColumn, userId, setup.secret);
    const [added] = await tx
      .insert(authenticators)
      .values({ ownerId: userId, secretSealed, lastStep: step })
      .onConflictDoNothing()
      .returning();
    return added ? factorAdded(tx, session, "authenticator") : {};
  });
}

/** Accepts a code once (RFC 6238, section 5.2). @returns false if it is wrong, was used, or there is no authenticator app */
export async function isAuthenticatorCode(userId: string, code: string, now = Date.now()): Promise<boolean> {
  const [row] = await db.select().from(authenticators).where(eq(authenticators.ownerId, userId));
  if (!row) return false;
  const secret = unsealFrom(secretColumn, userId, row.secretSealed);
  const step = await stepOf(Buffer.from(secret, "hex"), code, now);
  if (step === undefined) return false;
  const isUnused = and(eq(authenticators.ownerId, userId), lt(authenticators.lastStep, step));
  const accepted = await db.update(authenticators).set({ lastStep: step }).where(isUnused).returning();
  return accepted.length > 0;
}

export async function removeAuthenticator(userId: string): Promise<void> {
  await db.transaction(async (tx: Tx) => {
    await lockFactors(tx, userId);
    const removed = await tx.delete(authenticators).where(eq(authenticators.ownerId, userId)).returning();
    if (removed.length > 0) await factorRemoved(tx, userId, { kind: "authenticator" });
  });
}

/** Returns the time step whose code was given; undefined if there is none near `now`. */
async function stepOf(secret: Uint8Array, code: string, now: number): Promise<number | undefined> {
  const digits = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(digits)) return undefined;
  const current = Math.floor(now / STEP_MS);
  let found: number | undefined;
  for (let step = current - STEPS_BESIDE; step <= current + STEPS_BESIDE; step++) {
    const wanted = Buffer.from(await oneTimeCode(secret, step));
    if (timingSafeEqual(wanted, Buffer.from(digits))) found = step;
  }
  return found;
}

/** A person's second factors, for the settings. */
export type Factors = { authenticatorSince?: string; passkeys: Passkey[]; recoveryCodesLeft: number };

export async function factorsOf(ownerId: string): Promise<Factors> {
  const [[app], passkeys, recoveryCodesLeft] = await Promise.all([
    db.select({ since: authenticators.createdAt }).from(authenticators).where(eq(authenticators.ownerId, ownerId)),
    listPasskeys(ownerId),
    countRecoveryCodes(ownerId),
  ]);
  return { authenticatorSince: app?.since, passkeys, recoveryCodesLeft };
}
