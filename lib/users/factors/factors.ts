import { eq } from "drizzle-orm";
import { authenticators, db } from "../../db";
import { listPasskeys, type Passkey } from "./passkeys";
import { countRecoveryCodes } from "./recovery";

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
