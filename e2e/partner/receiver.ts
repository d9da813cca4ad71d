import type { IncomingMessage, RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

/** What has happened, as Carillon tells it. */
export type Told = { type: string; timestamp: string; data: { [field: string]: unknown } };

/**
 * An endpoint for webhooks as a partner's engineer would write it, with the public library of Standard Webhooks alone: it
 * refuses what was not signed with its secret, knows by `webhook-id` what it has had before, answers as soon as it has
 * noted that down, and works afterwards. A real one keeps the ids where it keeps what it has to do, in one transaction.
 */
export function receiver(secret: string, work: (event: Told, id: string) => void): RequestListener {
  const webhook = new Webhook(secret);
  const known = new Set<string>();

  /** @returns the status to answer */
  async function take(request: IncomingMessage): Promise<number> {
    const headers = request.headers as { [name: string]: string }; // the library names those that it needs, and misses them
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
      () => response.destroy(), // the request broke off
    );
  };
}

/** The signature is over the very bytes, so they are read as JSON only once it is right. */
function verified(webhook: Webhook, body: string, headers: { [name: string]: string }): Told | undefined {
  try {
    return webhook.verify(body, headers) as Told; // nobody else knows the secret
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
}
