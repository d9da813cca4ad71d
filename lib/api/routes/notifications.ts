import { z } from "zod";
import { json } from "../../http/json";
import { presentNotifications, setDigest, setMailPreferences, setQuietHours } from "../../mail";
import { presentAttention, readAttention } from "../attention";
import { NotificationsBody } from "../bodies/notifications";
import { route } from "../route";
import { AttentionView, instantParam, NotificationsView } from "../shapes";
import { accountExample, publishedScheduleExample, webhookExample } from "./examples";

const EXAMPLE = {
  email: { postPublished: false, postFailed: true, accountReconnect: true, webhookDisabled: true },
  digest: { time: "08:00", timeZone: "Europe/Berlin" },
  quietHours: { from: "22:00", to: "07:00", timeZone: "Europe/Berlin" },
};

export const getNotificationsRoute = route({
  method: "get",
  path: "/v1/me/notifications",
  summary: "Get the user's email preferences",
  description: "A partner's users get no email, so every value is `false` for them.",
  scope: "api",
  answers: { 200: NotificationsView },
  examples: [{ answer: EXAMPLE }],
  async handle({ caller }) {
    return Response.json(await presentNotifications(caller.ownerId));
  },
});

export const setNotificationsRoute = route({
  method: "put",
  path: "/v1/me/notifications",
  summary: "Set the user's email preferences",
  description:
    "A notice that is due in the quiet hours is sent when they end. Mails that the person asked for, such as a password reset, are never delayed.",
  scope: "api",
  body: NotificationsBody,
  answers: { 200: NotificationsView },
  errorResponses: [{ status: 400, when: "A field is missing or invalid", error: "email cannot be null" }],
  examples: [{ body: EXAMPLE, answer: EXAMPLE }],
  async handle({ caller, body }) {
    await setMailPreferences(caller.ownerId, body.email);
    if (body.quietHours !== undefined) await setQuietHours(caller.ownerId, body.quietHours);
    if (body.digest !== undefined) await setDigest(caller.ownerId, body.digest);
    return Response.json(await presentNotifications(caller.ownerId));
  },
});

const READ = accountExample.createdTime;

export const getAttentionRoute = route({
  method: "get",
  path: "/v1/me/attention",
  summary: "List what needs the user",
  description:
    "Posts of the last 30 days that failed and were not left unpublished, accounts to reconnect, posts for which a reviewer asked for changes, and webhooks that Carillon disabled. The newest 50 of each kind.",
  scope: "api",
  answers: { 200: AttentionView },
  examples: [
    {
      answer: {
        time: READ,
        isMore: false,
        items: [
          {
            kind: "ACCOUNT_TO_RECONNECT",
            account: { ...accountExample, state: "RECONNECT_REQUIRED" },
            time: READ,
            isUnread: true,
          },
          { kind: "POST_FAILED", post: publishedScheduleExample, time: READ, isUnread: true },
          {
            kind: "WEBHOOK_DISABLED",
            webhook: { ...webhookExample, enabled: false, disabledReason: "It answered 410 Gone" },
            time: READ,
            isUnread: false,
          },
        ],
      },
    },
  ],
  async handle({ caller }) {
    return json(await presentAttention(caller.ownerId));
  },
});

export const readAttentionRoute = route({
  method: "put",
  path: "/v1/me/attention",
  summary: "Mark what needs the user as read",
  description: "Everything up to `readTime` is read. It stays listed until it is solved.",
  scope: "api",
  body: z.strictObject({ readTime: instantParam }),
  answers: { 204: "Read" },
  errorResponses: [{ status: 400, when: "`readTime` is missing or invalid", error: "readTime cannot be null" }],
  examples: [{ body: { readTime: READ } }],
  async handle({ caller, body }) {
    await readAttention(caller.ownerId, body.readTime);
    return new Response(null, { status: 204 });
  },
});
