import type { Tx } from "../db";
import { queueMail } from "../mail";
import type { Endpoint } from "../webhooks";

type Disabled = Pick<Endpoint, "id" | "url" | "ownerId" | "disabledAt" | "disabledReason">;

/** Tells the person whose endpoint has just been switched off, in the same transaction; a partner looks for itself. */
export async function tellOfDisabledEndpoint(tx: Tx, endpoint: Disabled): Promise<void> {
  const { id, url, ownerId, disabledAt, disabledReason } = endpoint;
  if (ownerId === null) return;
  const facts = { url, reason: disabledReason ?? "It failed for too long" };
  await queueMail(tx, { kind: "webhookDisabled", ownerId, about: `endpoint ${id} ${disabledAt}`, facts });
}
