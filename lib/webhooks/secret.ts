import { createHmac, randomBytes } from "node:crypto";
import { type SealedColumn, sealFor, unsealFrom } from "../db/sealed";

/**
 * Webhook secrets and signatures as defined by Standard Webhooks (github.com/standard-webhooks/standard-webhooks,
 * "Signature scheme").
 */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

const secretColumn: SealedColumn = {
  ...{ table: "webhook_endpoints", column: "secret_sealed", purpose: "webhook secret" },
  row: "id",
};
const earlierSecretColumn: SealedColumn = { ...secretColumn, table: "webhook_earlier_secrets" };

export const sealedWebhookColumns = [secretColumn, earlierSecretColumn];

export function sealSecret(endpointId: number, secret: string): Buffer {
  return sealFor(secretColumn, endpointId, secret);
}

export function unsealSecret(endpointId: number, sealed: Buffer): string {
  return unsealFrom(secretColumn, endpointId, sealed);
}

/** Seals a secret for its row among the earlier secrets, which may still sign for some hours. */
export function sealEarlierSecret(id: number, secret: string): Buffer {
  return sealFor(earlierSecretColumn, id, secret);
}

export function unsealEarlierSecret({ id, sealed }: EarlierSecret): string {
  return unsealFrom(earlierSecretColumn, id, Buffer.from(sealed, "base64"));
}

/** A row of the earlier secrets; `sealed` is base64. */
export type EarlierSecret = { id: number; sealed: string };

export type WebhookMessage = {
  /** The same for every attempt. */
  id: string;
  /** The time of sending, in whole seconds since 1970. */
  seconds: number;
  /** The exact bytes of the request body. */
  body: string;
};

/** Returns the headers that authenticate a message. `webhook-signature` holds one signature per secret, separated by spaces. */
export function signedHeaders({ id, seconds, body }: WebhookMessage, secrets: string[]): { [name: string]: string } {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
}
