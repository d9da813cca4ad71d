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
  rotateWebhookSecret,
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
  when: "Nothing can ever be sent to the URL",
  error: "url does not lead to a public address",
};
const isDisabled = { status: 409, when: "The webhook is disabled", error: "Webhook 12 is disabled; enable it first" };

export const createWebhookRoute = route({
  method: "post",
  path: "/v1/webhooks",
  summary: "Create a webhook",
  description:
    "Sends each event of these types to the URL as a POST, signed as Standard Webhooks defines. `secret` is shown only here. The introduction describes retries and order. A partner that names no user gets the events of all its users, with `externalUserId` in `data`.",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
  body: WebhookBody,
  isSecret: true,
  needsFreshSession: true,
  answers: { 201: WebhookWithSecret },
  errorResponses: [
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
  summary: "List webhooks, newest first",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
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
  summary: "Get a webhook",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
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
  summary: "Replace a webhook and keep its secret",
  description:
    "Enables a disabled webhook, unless `enabled` is `false`. Events that were not delivered when it was disabled are sent only with a redelivery.",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
  params: IdParam,
  body: WebhookBody,
  answers: { 200: WebhookView },
  errorResponses: [notCallable],
  examples: [{ params: ID, body: newWebhookExample, answer: webhookExample }],
  async handle({ subscriber, params, body }) {
    return Response.json(presentEndpoint(await updateEndpoint(subscriber, endpointId(params), body)));
  },
});

export const deleteWebhookRoute = route({
  method: "delete",
  path: "/v1/webhooks/{id}",
  summary: "Delete a webhook and its deliveries",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
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
  summary: "Rotate a webhook's secret",
  description:
    "The new secret is shown only here. Every earlier secret also signs for 24 hours after its rotation: `webhook-signature` then holds one signature per secret, and each secret verifies one of them.",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
  params: IdParam,
  isSecret: true,
  needsFreshSession: true,
  answers: { 200: WebhookWithSecret },
  errorResponses: [
    {
      status: 409,
      when: "Ten earlier secrets still sign",
      error:
        "Webhook 12 has 10 earlier secrets that still sign, and the limit is 10. Rotate it again when the oldest one has expired, 24 hours after its rotation",
    },
  ],
  examples: [{ params: ID, answer: { ...webhookExample, secret: webhookSecretExample } }],
  async handle({ subscriber, params }) {
    const endpoint = await rotateWebhookSecret(subscriber, endpointId(params));
    return Response.json({ ...presentEndpoint(endpoint), secret: endpoint.secret });
  },
});

export const testWebhookRoute = route({
  method: "post",
  path: "/v1/webhooks/{id}/test",
  summary: "Send a test event to a webhook",
  description:
    "An event of the type `webhook.test`, signed like any other and sent once, whatever types the webhook subscribes to. The result is listed with the webhook's deliveries.",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
  params: IdParam,
  answers: { 200: DeliveryView },
  errorResponses: [isDisabled],
  examples: [{ params: ID, answer: testDeliveryExample }],
  async handle({ subscriber, params }) {
    return Response.json(presentDelivery(await sendTestDelivery(subscriber, endpointId(params))));
  },
});

export const listDeliveriesRoute = route({
  method: "get",
  path: "/v1/webhooks/{id}/deliveries",
  summary: "List a webhook's deliveries, newest first",
  description: "Kept for 30 days after the event.",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
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
  summary: "Send a delivery again with the same ID",
  description: "Sends the delivery now, whatever its state. If that fails, it is tried again after the usual pauses.",
  scope: "webhooks.write",
  orPartner: true,
  orFrame: true,
  params: IdParam.extend({ deliveryId: z.string().meta({ description: "The `webhook-id` of the delivery" }) }),
  answers: { 200: DeliveryView },
  errorResponses: [
    {
      status: 404,
      when: "The webhook or the delivery does not exist, or belongs to someone else",
      error: "Webhook not found: 12",
    },
    isDisabled,
  ],
  examples: [{ params: { ...ID, deliveryId: deliveryExample.id }, answer: deliveryExample }],
  async handle({ subscriber, params }) {
    return Response.json(presentDelivery(await redeliver(subscriber, endpointId(params), params.deliveryId)));
  },
});
