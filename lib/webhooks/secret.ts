import { createHmac, randomBytes } from "node:crypto";
import { seal, unseal } from "../secrets";

/**
 * Webhook secrets and signatures as defined by Standard Webhooks (github.com/standard-webhooks/standard-webhooks,
 * "Signature scheme").
 */
const PREFIX = "whsec_";
const SECRET_BYTES = 32;

export function createWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

const sealedFor = (endpointId: number) => `webhook_endpoints.secret ${endpointId}`;

export function sealSecret(endpointId: number, secret: string): Buffer {
  return seal("webhook secret", sealedFor(endpointId), secret);
}

export function unsealSecret(endpointId: number, sealed: Buffer): string {
  return unseal("webhook secret", sealedFor(endpointId), sealed);
}

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
