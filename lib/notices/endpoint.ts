import { eq } from "drizzle-orm";
import { partnerMembers, partners, type Tx } from "../db";
import { queueMail } from "../mail";
import type { Endpoint } from "../webhooks";

type Disabled = Pick<Endpoint, "id" | "url" | "ownerId" | "partnerId" | "disabledAt" | "disabledReason">;

/**
 * Tells of an endpoint that has just been switched off, in the same transaction: the person whose it is; of a partner's own,
 * the members of its console. Each gets it only if they want such mail. What a partner registers for one of its users is told
 * to nobody: that user is the partner's to write to, and thousands of them may share one server.
 */
export async function tellOfDisabledEndpoint(tx: Tx, endpoint: Disabled): Promise<void> {
  const { id, url, ownerId, partnerId, disabledAt, disabledReason } = endpoint;
  const facts = { url, reason: disabledReason ?? "It failed for too long" };
  const about = `endpoint ${id} ${disabledAt}`;
  if (ownerId !== null) await queueMail(tx, { kind: "webhookDisabled", ownerId, about, facts });
  if (partnerId === null) return;
  for (const { userId, ...partner } of await membersOf(tx, partnerId)) {
    const theirs = { ...facts, partner: { ...partner, webhookId: id } };
    await queueMail(tx, { kind: "webhookDisabled", ownerId: userId, about: `${about} for ${userId}`, facts: theirs });
  }
}

function membersOf(tx: Tx, partnerId: string) {
  return tx
    .select({ userId: partnerMembers.userId, name: partners.name, clientId: partners.clientId })
    .from(partnerMembers)
    .innerJoin(partners, eq(partners.id, partnerMembers.partnerId))
    .where(eq(partners.id, partnerId));
}
