import { eq } from "drizzle-orm";
import { db, partners } from "../db";
import { type Actor, audit } from "../db/audit";
import { NotFound } from "../errors";

/** How careful a partner's connects are; both are off unless the partner wants them. */
export type PartnerSettings = {
  /** A link shows a page that names partner and user, and goes on at a person's press only. */
  interstitial: boolean;
  /** A newly connected account is not used before the partner's backend has confirmed it. */
  hold: boolean;
};

const columns = { interstitial: partners.interstitial, hold: partners.hold };

/** @throws NotFound */
export async function partnerSettings(partnerId: string): Promise<PartnerSettings> {
  const [settings] = await db.select(columns).from(partners).where(eq(partners.id, partnerId));
  if (!settings) throw new NotFound("Partner", partnerId);
  return settings;
}

/**
 * Changes what is given, for links that are opened and accounts that are connected from now on: an account that is held
 * stays so until it is confirmed.
 * @throws NotFound
 */
export async function savePartnerSettings(
  partnerId: string,
  change: Partial<PartnerSettings>,
  actor: Actor,
): Promise<PartnerSettings> {
  if (Object.keys(change).length === 0) return partnerSettings(partnerId);
  return db.transaction(async (tx) => {
    const [row] = await tx.update(partners).set(change).where(eq(partners.id, partnerId)).returning();
    if (!row) throw new NotFound("Partner", partnerId);
    await audit(tx, { action: "partner.changed", actor, subject: row.clientId, partnerId, details: { ...change } });
    return { interstitial: row.interstitial, hold: row.hold };
  });
}
