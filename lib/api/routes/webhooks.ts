import { z } from "zod";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listDeliveries,
  listEndpoints,
  presentDelivery,
  presentEndpoint,
  redeliver,
  rotateSecret,
  sendTestDelivery,
  updateEndpoint,
} from "../../webhooks";
import { WebhookBody } from "../bodies/webhook";
import { cursorParam, limitParam, presentPage, TimeCursor } from "../page";
import { route } from "../route";
import { DeliveryList, DeliveryView, IdParam, idOf, WebhookList, WebhookView, WebhookWithSecret } from "../shapes";
import {
  deliveryExample,
  newWebhookExample,
  testDeliveryExample,
  webhookExample,
  webhookSecretExample,
} from "./examples";

const ID = { id: String(webhookExample.id) };
const endpointId = (params: { id: string }) => idOf("Webhook", params.id);

const notCallable = {
  status: 400,
  when: "Nothing could ever be sent to the URL",
  error: "url does not lead to a public address",
};
const isDisabled = { status: 409, when: "The webhook is disabled", error: "Webhook 12 is disabled; enable it first" };

export const createWebhookRoute = route({
  method: "post",
  path: "/v1/webhooks",
  summary: "Adds a webhook",
  description:
    "Each event of these types is sent to the URL as a POST, signed as Standard Webhooks says: any of its libraries verifies it with `secret`, which is shown only here. Any 2xx answer within 15 seconds counts as delivered; anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, or later where `Retry-After` asks for it. The same event may come twice: `webhook-id` tells. Order is not promised; `timestamp` is when it happened. 410, or five days without any success, disables the webhook. A partner that names no user is told of all its users, with `externalUserId` in `data`.",
  scope: "webhooks.write",
  orPartner: true,
  body: WebhookBody,
  isSecret: true,
  answers: { 201: WebhookWithSecret },
  refusals: [
    notCallable,
    {
      status: 409,
      when: "There are 50 webhooks already",
      error: "There are 50 webhooks already; remove one first",
    },
  ],
  examples: [{ body: newWebhookExample, answer: { ...webhookExample, secret: webhookSecretExample } }],
  async handle({ subscriber, body }) {
    const endpoint = await createEndpoint(subscriber, body);
    return Response.json({ ...presentEndpoint(endpoint), secret: endpoint.secret }, { status: 201 });
  },
});

export const listWebhooksRoute = route({
  method: "get",
  path: "/v1/webhooks",
  summary: "The webhooks, newest first",
  scope: "webhooks.write",
  orPartner: true,
  query: z.object({ limit: limitParam, cursor: cursorParam(z.number().int().min(0)) }),
  answers: { 200: WebhookList },
  examples: [{ query: { limit: "20" }, answer: { items: [webhookExample], nextCursor: null } }],
  async handle({ subscriber, query: { limit, cursor } }) {
    return Response.json(presentPage(await listEndpoints(subscriber, { limit, before: cursor }), presentEndpoint));
  },
});

export const getWebhookRoute = route({
  method: "get",
  path: "/v1/webhooks/{id}",
  summary: "One webhook",
  scope: "webhooks.write",
  orPartner: true,
  params: IdParam,
  answers: { 200: WebhookView },
  examples: [{ params: ID, answer: webhookExample }],
  async handle({ subscriber, params }) {
    return Response.json(presentEndpoint(await getEndpoint(subscriber, endpointId(params))));
  },
});

export const updateWebhookRoute = route({
  method: "put",
  path: "/v1/webhooks/{id}",
  summary: "Replaces a webhook; its secret stays",
  description:
    "One that was disabled is enabled again, unless `enabled` is `false`. What had not been delivered when it was disabled is sent only where a redelivery asks for it.",
  scope: "webhooks.write",
  orPartner: true,
  params: IdParam,
  body: WebhookBody,
  answers: { 200: WebhookView },
  refusals: [notCallable],
  examples: [{ params: ID, body: newWebhookExample, answer: webhookExample }],
  async handle({ subscriber, params, body }) {
    return Response.json(presentEndpoint(await updateEndpoint(subscriber, endpointId(params), body)));
  },
});

export const deleteWebhookRoute = route({
  method: "delete",
  path: "/v1/webhooks/{id}",
  summary: "Removes a webhook with its deliveries",
  scope: "webhooks.write",
  orPartner: true,
  params: IdParam,
  answers: { 204: "Removed" },
  examples: [{ params: ID }],
  async handle({ subscriber, params }) {
    await deleteEndpoint(subscriber, endpointId(params));
    return new Response(null, { status: 204 });
  },
});

export const rotateWebhookSecretRoute = route({
  method: "post",
  path: "/v1/webhooks/{id}/rotate-secret",
  summary: "Gives a webhook a new secret",
  description:
    "The answer is the only place where it is shown. For 24 hours the one before signs beside it: `webhook-signature` then holds two signatures, and either secret verifies.",
  scope: "webhooks.write",
  orPartner: true,
  params: IdParam,
  isSecret: true,
  answers: { 200: WebhookWithSecret },
  examples: [{ params: ID, answer: { ...webhookExample, secret: webhookSecretExample } }],
  async handle({ subscriber, params }) {
    const endpoint = await rotateSecret(subscriber, endpointId(params));
    return Response.json({ ...presentEndpoint(endpoint), secret: endpoint.secret });
  },
});

export const testWebhookRoute = route({
  method: "post",
  path: "/v1/webhooks/{id}/test",
  summary: "Sends a test to a webhook",
  description:
    "An event of the type `webhook.test`, signed like every other, whatever types the webhook wants. It is sent once; what was answered stands among the webhook's deliveries.",
  scope: "webhooks.write",
  orPartner: true,
  params: IdParam,
  answers: { 202: DeliveryView },
  refusals: [isDisabled],
  examples: [{ params: ID, answer: testDeliveryExample }],
  async handle({ subscriber, params }) {
    return Response.json(presentDelivery(await sendTestDelivery(subscriber, endpointId(params))), { status: 202 });
  },
});

export const listDeliveriesRoute = route({
  method: "get",
  path: "/v1/webhooks/{id}/deliveries",
  summary: "What was sent to a webhook and what it answered, newest first",
  description: "Kept for 30 days after the event.",
  scope: "webhooks.write",
  orPartner: true,
  params: IdParam,
  query: z.object({ limit: limitParam, cursor: cursorParam(TimeCursor) }),
  answers: { 200: DeliveryList },
  examples: [{ params: ID, query: { limit: "20" }, answer: { items: [deliveryExample], nextCursor: null } }],
  async handle({ subscriber, params, query: { limit, cursor } }) {
    const page = await listDeliveries(subscriber, endpointId(params), { limit, after: cursor });
    return Response.json(presentPage(page, presentDelivery));
  },
});

export const redeliverRoute = route({
  method: "post",
  path: "/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver",
  summary: "Sends a delivery again, with the same id",
  description:
    "At once, whatever became of it before, and then on the usual schedule. One that is waiting for its next attempt waits no longer.",
  scope: "webhooks.write",
  orPartner: true,
  params: IdParam.extend({ deliveryId: z.string().meta({ description: "The `webhook-id` that it was sent with" }) }),
  answers: { 202: DeliveryView },
  refusals: [
    {
      status: 404,
      when: "The webhook or the delivery does not exist, or belongs to somebody else",
      error: "Webhook not found: 12",
    },
    isDisabled,
  ],
  examples: [{ params: { ...ID, deliveryId: deliveryExample.id }, answer: deliveryExample }],
  async handle({ subscriber, params }) {
    const sent = await redeliver(subscriber, endpointId(params), params.deliveryId);
    return Response.json(presentDelivery(sent), { status: 202 });
  },
});
