import type { webhookAttempts, webhookDeliveries } from "../db";
import { withSixDigits, withZulu } from "../time/instant";
import type { Endpoint } from "./endpoints";
import type { EventType, WrittenEvent } from "./types";

/** A delivery with its content and every attempt so far. */
export type WebhookDelivery = typeof webhookDeliveries.$inferSelect & {
  type: string;
  body: string;
  attempts: (typeof webhookAttempts.$inferSelect)[];
};

/** The body that an endpoint receives for an event. The log shows the same, plus the event's ID. */
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

/** The body of a test event. */
export function presentTest(endpointId: number, createdAt: string) {
  return { type: "webhook.test", timestamp: withZulu(createdAt), data: { webhookId: endpointId } };
}

/** An endpoint without its secret, which is shown only when it is created. */
export function presentEndpoint(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    events: endpoint.events as EventType[], // the API accepts no others
    ...(endpoint.description ? { description: endpoint.description } : {}),
    enabled: endpoint.disabledAt === null,
    ...(endpoint.disabledReason ? { disabledReason: endpoint.disabledReason } : {}),
    createdTime: withSixDigits(endpoint.createdAt),
    updatedTime: withSixDigits(endpoint.updatedAt),
  };
}

/** The `webhook-id` of a delivery, which also identifies it in the API. */
export const messageIdOf = (deliveryId: string) => `msg_${deliveryId.replaceAll("-", "")}`;

/** A delivery with every attempt: the request and the response. */
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
