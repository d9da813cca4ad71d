import type { Tx } from "../db";
import { queueMail } from "../mail";

/** An endpoint that has just been switched off. `ownerId` is null where it is a partner's. */
export type DisabledEndpoint = { id: number; url: string; ownerId: string | null; reason: string };

/** Tells the person whose endpoint it is, in the transaction that switches it off. */
export async function tellOfDisabledEndpoint(tx: Tx, { id, url, ownerId, reason }: DisabledEndpoint): Promise<void> {
  if (ownerId === null) return;
  const about = `endpoint ${id} ${crypto.randomUUID()}`; // it is switched off once each time that it was on
  await queueMail(tx, { kind: "webhookDisabled", ownerId, about, facts: { url, reason } });
}
