import type { webhookAttempts } from "../db";
import { withSixDigits, withZulu } from "../time/instant";
import type { WebhookDelivery } from "./deliveries";
import type { Endpoint } from "./endpoints";
import type { WrittenEvent } from "./types";

/** What an endpoint is sent of an event, and what the log shows beside the event's id. */
export function presentEvent(event: Pick<WrittenEvent, "type" | "createdAt" | "data" | "externalUserId">) {
  const { type, createdAt, data, externalUserId } = event;
  return {
    type,
    timestamp: withZulu(createdAt),
    data: externalUserId === null ? data : { ...data, externalUserId },
  };
}

/** An event as the log shows it. */
export function presentLogEntry(event: WrittenEvent) {
  return { id: `evt_${event.id}`, ...presentEvent(event) };
}

/** What a test sends: it reports nothing. */
export function presentTest(endpointId: number, createdAt: string) {
  return { type: "webhook.test", timestamp: withZulu(createdAt), data: { webhookId: endpointId } };
}

/** Everything of an endpoint but its secret, which is shown where it is made and nowhere else. */
export function presentEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    enabled: endpoint.disabledAt === null,
    ...(endpoint.disabledReason ? { disabledReason: endpoint.disabledReason } : {}),
    createdTime: withSixDigits(endpoint.createdAt),
    updatedTime: withSixDigits(endpoint.updatedAt),
  };
}

/** The `webhook-id` of a delivery, by which the API knows it too. */
export const messageIdOf = (deliveryId: string) => `msg_${deliveryId.replaceAll("-", "")}`;

/** A delivery with every attempt: what was sent, and what was answered. */
export function presentDelivery({ attempts, body, ...delivery }: WebhookDelivery) {
  return {
    id: messageIdOf(delivery.id),
    type: delivery.type,
    state: delivery.state,
    body,
    attempts: attempts.map(presentAttempt),
    ...(delivery.dueAt && !delivery.claimWorker ? { nextAttemptTime: withZulu(delivery.dueAt) } : {}),
    createdTime: withSixDigits(delivery.createdAt),
    ...(delivery.endedAt ? { endedTime: withSixDigits(delivery.endedAt) } : {}),
  };
}

function presentAttempt(attempt: typeof webhookAttempts.$inferSelect) {
  return {
    startTime: withZulu(attempt.startedAt),
    durationMs: attempt.durationMs,
    url: attempt.url,
    headers: attempt.headers,
    ...(attempt.status === null ? {} : { status: attempt.status }),
    ...(attempt.answer === null ? {} : { answer: attempt.answer }),
    ...(attempt.error === null ? {} : { error: attempt.error }),
  };
}
