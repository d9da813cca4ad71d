import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

/** The body of a webhook request. */
export type WebhookEvent = { type: string; timestamp: string; data: { [field: string]: unknown } };

/**
 * A webhook endpoint as a partner's engineer would write it with the Standard Webhooks library: it refuses invalid
 * signatures, ignores a `webhook-id` that it has seen, answers once the ID is recorded, and processes the event afterwards. A
 * real endpoint stores the IDs and its jobs in one transaction.
 */
export function receiver(secret: string, work: (event: WebhookEvent, id: string) => void): RequestListener {
  const webhook = new Webhook(secret);
  const known = new Set<string>();

  /** @returns the status to answer */
  async function take(request: IncomingMessage): Promise<number> {
    const headers = request.headers as { [name: string]: string }; // The library reports missing headers.
    const event = verified(webhook, await text(request), headers);
    if (!event) return 401;
    const id = headers["webhook-id"] ?? "";
    if (!known.has(id)) {
      known.add(id);
      setImmediate(() => work(event, id));
    }
    return 204;
  }

  return (request, response) => {
    take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(), // The request was cut off.
    );
  };
}

/** The signature covers the raw bytes, so the body is parsed only after the check. */
function verified(webhook: Webhook, body: string, headers: { [name: string]: string }): WebhookEvent | undefined {
  try {
    return webhook.verify(body, headers) as WebhookEvent; // Only Carillon knows the secret.
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
}
