import { and, eq } from "drizzle-orm";
import { db, partnerMembers, type Tx } from "../db";
import { queueMail } from "../mail";
import { type Credentials, endPartnerCredentials, rotatePartnerSecret } from "../oauth";
import { randomToken } from "../secrets";
import type { User } from "../users";
import type { Partner } from "./partners";

/** Gives a partner a new secret, which is returned only here, and tells the partner's owners. */
export async function createPartnerSecret({ id, clientId, name }: Partner, user: User): Promise<Credentials> {
  return db.transaction(async (tx) => {
    const credentials = await rotatePartnerSecret(clientId, user, tx);
    const facts = { name, clientId, by: user.email };
    await mailOwners(tx, id, (to) => queueMail(tx, { kind: "secretRotated", ...to, facts }));
    return credentials;
  });
}

/**
 * Ends every secret and token of a partner, because they may be in the wrong hands, and asks the partner's owners by email to
 * create a new secret. Staff can do this without ever seeing a secret (ADR 27).
 */
export async function endAllSecrets({ id, clientId, name }: Partner, user: User): Promise<void> {
  const announce = await db.transaction(async (tx) => {
    const ended = await endPartnerCredentials(clientId, user, tx);
    await mailOwners(tx, id, (to) => queueMail(tx, { kind: "secretsEnded", ...to, facts: { name, clientId } }));
    return ended;
  });
  announce();
}

type Recipient = { ownerId: string; about: string };

async function mailOwners(tx: Tx, partnerId: string, queue: (to: Recipient) => Promise<unknown>): Promise<void> {
  const isOwner = and(eq(partnerMembers.partnerId, partnerId), eq(partnerMembers.role, "owner"));
  const owners = await tx.select({ userId: partnerMembers.userId }).from(partnerMembers).where(isOwner);
  for (const { userId } of owners) await queue({ ownerId: userId, about: `${userId} ${randomToken()}` });
}
