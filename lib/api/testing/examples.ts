import { randomUUID } from "node:crypto";
import { formOf } from "../../testing/media";
import {
  type CallExample,
  EXAMPLE_TIME,
  type ExampleCall,
  exampleOf,
  feedBody,
  inBodies,
  notFound,
  scheduleBody,
} from "./call-example";

const NO_MAIL = {
  email: { postPublished: false, postFailed: false, accountReconnect: false, webhookDisabled: false },
};

const HEADINGS = "scheduledTime,accounts,text";
const file = (body: string): ExampleCall => ({ body, headers: { "content-type": "text/csv" } });

const notInGroup: [number, unknown] = [
  400,
  { error: "accountIds contains ids that are not accounts of this user: {id}" },
];
const grouping = (accountId: number): ExampleCall => ({
  body: { name: randomUUID(), colour: "CORAL", accountIds: [accountId] },
});

const refused = (path: string, message: string): [number, unknown] => [400, { error: `${path} ${message}` }];
const listed = (path: string, message: string): [number, unknown] => [
  200,
  { valid: false, problems: [{ path, message, rule: expectText, fix: expectText }] },
];
/** Matches any text in an expected answer. */
export const expectText = "{any text}";

const newSchedule = exampleOf(
  "Posting schedule",
  200,
  ({ scheduleId }) => scheduleId,
  (mine) => ({ body: scheduleBody(mine) }),
);

/** By `METHOD path`. The isolation test lists every route that is missing here. */
export const examples: { [route: string]: CallExample } = {
  "GET /v1/me/sessions": { call: () => ({}), answers: 200 },
  "DELETE /v1/me/sessions": { call: () => ({}), answers: 204 },
  "DELETE /v1/me/sessions/{id}": exampleOf("Session", 204, ({ sessionId }) => sessionId),
  "GET /v1/accounts": { call: () => ({}), answers: 200 },
  "GET /v1/accounts/plans": { call: () => ({}), answers: 200 },
  "GET /v1/me/attention": { call: () => ({}), answers: 200 },
  "PUT /v1/me/attention": { call: () => ({ body: { readTime: "2020-01-01T00:00:00Z" } }), answers: 204 },
  "GET /v1/account-groups": { call: () => ({}), answers: 200 },
  "POST /v1/account-groups": {
    call: ({ accountId }) => grouping(accountId),
    answers: 201,
    naming: {
      "an account": {
        call: (_, { accountId }) => grouping(accountId),
        id: ({ accountId }) => accountId,
        answers: notInGroup,
      },
    },
  },
  "PATCH /v1/account-groups/{id}": {
    call: ({ groupId, accountId }) => ({ params: { id: groupId }, body: { accountIds: [accountId] } }),
    answers: 200,
    naming: {
      "an account group": {
        call: (_, { groupId }) => ({ params: { id: groupId }, body: { colour: "GOLD" } }),
        id: ({ groupId }) => groupId,
        answers: notFound("Account group"),
      },
      "an account": {
        call: ({ groupId }, { accountId }) => ({ params: { id: groupId }, body: { accountIds: [accountId] } }),
        id: ({ accountId }) => accountId,
        answers: notInGroup,
      },
    },
  },
  "DELETE /v1/account-groups/{id}": exampleOf("Account group", 204, ({ groupId }) => groupId),
  "GET /v1/feeds": { call: () => ({}), answers: 200 },
  // Nothing can be read from this address. The accounts of the template are checked before.
  "POST /v1/feeds": {
    call: (mine) => ({ body: feedBody(mine) }),
    answers: 400,
    naming: {
      "an account": {
        call: (_, theirs) => ({ body: feedBody(theirs) }),
        id: ({ accountId }) => accountId,
        answers: [400, { error: expectText }],
      },
    },
  },
  "GET /v1/feeds/{id}": exampleOf("Feed", 200, ({ feedId }) => feedId),
  "DELETE /v1/feeds/{id}": exampleOf("Feed", 204, ({ feedId }) => feedId),
  "GET /v1/accounts/{id}/chats": exampleOf(
    "Account",
    200,
    ({ telegramId }) => telegramId,
    () => ({ query: "platform=TELEGRAM" }),
  ),
  "GET /v1/accounts/{id}/chats/{chatId}/sections": {
    call: ({ telegramId, chatId }) => ({ params: { id: telegramId, chatId } }),
    answers: 200,
    naming: {
      Account: {
        call: ({ chatId }, { telegramId }) => ({ params: { id: telegramId, chatId } }),
        id: ({ telegramId }) => telegramId,
        answers: notFound("Account"),
      },
      Chat: {
        call: ({ telegramId }, { chatId }) => ({ params: { id: telegramId, chatId } }),
        id: ({ chatId }) => chatId,
        answers: notFound("Chat"),
      },
    },
  },
  "GET /v1/accounts/{id}/options": exampleOf("Account", 200, ({ telegramId }) => telegramId),
  "GET /v1/accounts/{id}/options/{setting}": {
    call: ({ telegramId }) => ({ params: { id: telegramId, setting: "playlistId" } }),
    answers: 200,
    naming: {
      Account: {
        call: (_, { telegramId }) => ({ params: { id: telegramId, setting: "playlistId" } }),
        id: ({ telegramId }) => telegramId,
        answers: notFound("Account"),
      },
    },
  },
  "GET /v1/accounts/{id}/slots": exampleOf("Account", 200, ({ accountId }) => accountId),
  "PUT /v1/accounts/{id}/slots": exampleOf(
    "Account",
    200,
    ({ accountId }) => accountId,
    () => ({ body: QUEUE }),
  ),
  "POST /v1/accounts/{id}/confirm": { ...exampleOf("Account", 200, ({ accountId }) => accountId), forUser: true },
  "DELETE /v1/accounts/{id}": exampleOf("Account", 204, ({ accountId }) => accountId),
  "POST /v1/media/upload": {
    call: () => ({ body: formOf({ bytes: ONE_PIXEL(), filename: "one.gif" }) }),
    answers: 200,
  },
  "POST /v1/media/upload/urls": { call: () => ({ body: NEW_UPLOAD }), answers: 200 },
  "POST /v1/media/upload/confirm": {
    call: ({ mediaPath }) => ({ body: { key: mediaPath } }),
    answers: 200,
    naming: {
      Media: {
        call: (_, { mediaPath }) => ({ body: { key: mediaPath } }),
        id: ({ mediaPath }) => mediaPath,
        answers: notFound("Media"),
      },
    },
  },
  "POST /v1/media/upload/import": { call: () => ({ body: { url: "https://example.invalid/a.jpg" } }), answers: 202 },
  "GET /v1/media/upload/import/{id}": exampleOf("Import", 200, ({ importId }) => importId),
  "GET /v1/media": { call: () => ({}), answers: 200 },
  "GET /v1/media-labels": { call: () => ({}), answers: 200 },
  "GET /v1/media/counts": { call: () => ({}), answers: 200 },
  "GET /v1/media/{key}": exampleOf(
    "Media",
    200,
    ({ spareName }) => spareName,
    () => ({}),
    "key",
  ),
  "PATCH /v1/media/{key}": exampleOf(
    "Media",
    200,
    ({ spareName }) => spareName,
    () => ({ body: { altText: "A bell" } }),
    "key",
  ),
  "DELETE /v1/media/{key}": exampleOf(
    "Media",
    204,
    ({ spareName }) => spareName,
    () => ({}),
    "key",
  ),
  "GET /v1/me": { call: () => ({}), answers: 200 },
  "GET /v1/me/usage": { call: () => ({}), answers: 200 },
  "GET /v1/me/export": { call: () => ({}), answers: 200 },
  "GET /v1/me/notifications": { call: () => ({}), answers: 200 },
  "PUT /v1/me/notifications": { call: () => ({ body: NO_MAIL }), answers: 200 },
  "GET /v1/me/applications": { call: () => ({}), answers: 200 },
  "DELETE /v1/me/applications/{id}": exampleOf("Application", 204, ({ clientId }) => clientId),
  "DELETE /v1/me": { call: () => ({}), answers: 202 },
  "POST /v1/posts": { call: (mine) => ({ body: scheduleBody(mine) }), answers: 201, naming: inBodies(refused) },
  "POST /v1/posts/validate": { call: (mine) => ({ body: scheduleBody(mine) }), answers: 200, naming: inBodies(listed) },
  "GET /v1/posts": {
    call: () => ({ query: "limit=100" }),
    answers: 200,
    naming: {
      "an account": {
        call: (_, { accountId }) => ({ query: `accountId=${accountId}` }),
        id: ({ accountId }) => accountId,
        answers: [200, { items: [], nextCursor: null }],
      },
      "a text": {
        call: (_, { mark }) => ({ query: `text=${mark}` }),
        id: ({ mark }) => mark,
        answers: [200, { items: [], nextCursor: null }],
      },
    },
  },
  "POST /v1/posts/import": {
    call: (mine) => file(`${HEADINGS}\n${EXAMPLE_TIME},${mine.accountId},a\n`),
    answers: 201,
    naming: {
      "an account": {
        call: (_, { accountId }) => file(`${HEADINGS}\n${EXAMPLE_TIME},${accountId},a\n`),
        id: ({ accountId }) => accountId,
        answers: [400, { error: "row 2, accounts is not one of this user's accounts: {id}" }],
      },
      "a file": {
        call: (mine, { mediaPath }) => file(`${HEADINGS},media\n${EXAMPLE_TIME},${mine.accountId},a,${mediaPath}\n`),
        id: ({ mediaPath }) => mediaPath,
        answers: [400, { error: "row 2, media is not a storage key of this user's media: {id}" }],
      },
      "a chat": {
        call: (mine, { chatId }) => file(`${HEADINGS},destination\n${EXAMPLE_TIME},${mine.telegramId},a,${chatId}\n`),
        id: ({ chatId }) => chatId,
        answers: [400, { error: "row 2, destination is not a destination of this Telegram account: {id}" }],
      },
    },
  },
  "GET /v1/posts/export": {
    call: () => ({}),
    answers: 200,
    naming: {
      "an account": {
        call: (_, { accountId }) => ({ query: `accountId=${accountId}` }),
        id: ({ accountId }) => accountId,
        answers: [200, `${HEADINGS},media,destination,settings,isDraft,publications\r\n`],
      },
    },
  },
  "GET /v1/posts/{id}": exampleOf("Posting schedule", 200, ({ scheduleId }) => scheduleId),
  "GET /v1/posts/{id}/receipt": exampleOf("Posting schedule", 200, ({ scheduleId }) => scheduleId),
  "GET /v1/posts/{id}/preview": exampleOf("Posting schedule", 200, ({ scheduleId }) => scheduleId),
  "PUT /v1/posts/{id}": {
    ...newSchedule,
    naming: { ...newSchedule.naming, ...inBodies(refused, ({ scheduleId }) => ({ id: scheduleId })) },
  },
  // The post is not a proposal. The other outcomes are in posts-propose.test.ts.
  "POST /v1/posts/{id}/approve": exampleOf(
    "Posting schedule",
    409,
    ({ scheduleId }) => scheduleId,
    () => ({ body: { digest: "0".repeat(64) } }),
  ),
  "POST /v1/posts/{id}/leave": exampleOf(
    "Posting schedule",
    200,
    ({ failedId }) => failedId,
    () => ({ body: {} }),
  ),
  "POST /v1/posts/{id}/retry": exampleOf(
    "Posting schedule",
    200,
    ({ failedId }) => failedId,
    () => ({ body: { sendAgain: false } }),
  ),
  "DELETE /v1/posts/{id}": exampleOf("Posting schedule", 204, ({ scheduleId }) => scheduleId),
  "GET /v1/posts/duplicates": { call: () => ({}), answers: 200 },
  "GET /v1/posts/counts": { call: () => ({}), answers: 200 },
  "POST /v1/posts/merge": {
    call: ({ scheduleId, twinId }) => merging(scheduleId, twinId),
    answers: 200,
    naming: {
      "Posting schedule": {
        call: ({ scheduleId }, { twinId }) => merging(scheduleId, twinId),
        id: ({ twinId }) => twinId,
        answers: notFound("Posting schedule"),
      },
      "the one that stays": {
        call: ({ scheduleId }, { twinId }) => ({ body: { ids: [scheduleId, twinId], keep: twinId } }),
        id: ({ twinId }) => twinId,
        answers: notFound("Posting schedule"),
      },
    },
  },
  "POST /v1/posts/{id}/repeat": exampleOf(
    "Posting schedule",
    201,
    ({ scheduleId }) => scheduleId,
    () => ({ body: REPEAT }),
  ),
  "POST /v1/posts/{id}/review-links": exampleOf(
    "Posting schedule",
    201,
    ({ scheduleId }) => scheduleId,
    () => ({ body: { days: 7 } }),
  ),
  "GET /v1/posts/{id}/review-links": exampleOf("Posting schedule", 200, ({ scheduleId }) => scheduleId),
  "DELETE /v1/posts/{id}/review-links/{linkId}": {
    call: ({ scheduleId, reviewLinkId }) => ({ params: { id: scheduleId, linkId: reviewLinkId } }),
    answers: 204,
    naming: {
      "Review link": {
        call: ({ scheduleId }, { reviewLinkId }) => ({ params: { id: scheduleId, linkId: reviewLinkId } }),
        id: ({ reviewLinkId }) => reviewLinkId,
        answers: notFound("Review link"),
      },
      "Posting schedule": {
        call: ({ reviewLinkId }, { scheduleId }) => ({ params: { id: scheduleId, linkId: reviewLinkId } }),
        id: ({ scheduleId }) => scheduleId,
        answers: notFound("Posting schedule"),
      },
    },
  },
  "GET /v1/posts/{id}/feedback": exampleOf("Posting schedule", 200, ({ scheduleId }) => scheduleId),
  "PATCH /v1/posts/{id}/feedback/{feedbackId}": {
    call: ({ scheduleId, feedbackId }) => ({ params: { id: scheduleId, feedbackId }, body: REACTION }),
    answers: 200,
    naming: {
      Feedback: {
        call: ({ scheduleId }, { feedbackId }) => ({ params: { id: scheduleId, feedbackId }, body: REACTION }),
        id: ({ feedbackId }) => feedbackId,
        answers: notFound("Feedback"),
      },
      "Posting schedule": {
        call: ({ feedbackId }, { scheduleId }) => ({ params: { id: scheduleId, feedbackId }, body: REACTION }),
        id: ({ scheduleId }) => scheduleId,
        answers: notFound("Posting schedule"),
      },
    },
  },
  "GET /v1/events": { call: () => ({ query: "limit=100" }), answers: 200 },
  "GET /v1/slots/next": {
    call: ({ accountId }) => ({ query: `accountIds=${accountId}` }),
    answers: 200,
    naming: {
      "an account": {
        call: (_, { accountId }) => ({ query: `accountIds=${accountId}` }),
        id: ({ accountId }) => accountId,
        answers: [400, { error: "accountIds contains ids that are not accounts of this user: {id}" }],
      },
    },
  },
  "POST /v1/webhooks": { call: () => ({ body: WEBHOOK }), answers: 201 },
  "GET /v1/webhooks": { call: () => ({ query: "limit=100" }), answers: 200 },
  "GET /v1/webhooks/{id}": exampleOf("Webhook", 200, ({ webhookId }) => webhookId),
  "PUT /v1/webhooks/{id}": exampleOf(
    "Webhook",
    200,
    ({ webhookId }) => webhookId,
    () => ({ body: WEBHOOK }),
  ),
  "DELETE /v1/webhooks/{id}": exampleOf("Webhook", 204, ({ webhookId }) => webhookId),
  "POST /v1/webhooks/{id}/rotate-secret": exampleOf("Webhook", 200, ({ webhookId }) => webhookId),
  "POST /v1/webhooks/{id}/test": exampleOf("Webhook", 200, ({ webhookId }) => webhookId),
  "GET /v1/webhooks/{id}/deliveries": exampleOf("Webhook", 200, ({ webhookId }) => webhookId),
  "POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
    call: ({ webhookId, deliveryId }) => ({ params: { id: webhookId, deliveryId } }),
    answers: 200,
    naming: {
      Webhook: {
        call: ({ deliveryId }, { webhookId }) => ({ params: { id: webhookId, deliveryId } }),
        id: ({ webhookId }) => webhookId,
        answers: notFound("Webhook"),
      },
      Delivery: {
        call: ({ webhookId }, { deliveryId }) => ({ params: { id: webhookId, deliveryId } }),
        id: ({ deliveryId }) => deliveryId,
        answers: notFound("Delivery"),
      },
    },
  },
  "POST /v1/connect/users": { call: () => ({ body: { externalUserId: randomUUID(), name: "A" } }), answers: 200 },
  "GET /v1/connect/users": { call: () => ({}), answers: 200 },
  "GET /v1/connect/users/{uuid}": exampleOf(
    "Connect user",
    200,
    ({ uuid }) => uuid,
    () => ({}),
    "uuid",
  ),
  "DELETE /v1/connect/users/{uuid}": exampleOf(
    "Connect user",
    202,
    ({ uuid }) => uuid,
    () => ({}),
    "uuid",
  ),
  "POST /v1/connect/authorize-url": {
    call: () => ({ body: { platform: "X_TWITTER", redirectUri: "myapp://done" }, sendsKey: true }),
    answers: 200,
    forUser: true,
  },
  "POST /v1/connect/sessions": {
    call: () => ({ body: { origins: ["https://app.acme.example"] } }),
    answers: 201,
    forUser: true,
  },
};

const merging = (keep: number, other: number): ExampleCall => ({ body: { ids: [keep, other], keep } });
const QUEUE = { timeZone: "Asia/Kathmandu", slots: [{ weekday: "SUNDAY", time: "07:45" }] };
const REPEAT = { every: "DAY", time: "09:30", timeZone: "UTC", count: 2 };
const REACTION = { answer: "Done", isClosed: true };
const WEBHOOK = { url: "https://hooks.acme.invalid/carillon", events: ["post.failed"] };
const NEW_UPLOAD = { filename: "one.gif", contentType: "image/gif", sizeBytes: 43 };

/** The smallest GIF that can be decoded. */
function ONE_PIXEL(): Buffer {
  return Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
}
