import { presentNotifications, setMailPreferences, setQuietHours } from "../../mail";
import { NotificationsBody } from "../bodies/notifications";
import { route } from "../route";
import { NotificationsView } from "../shapes";

const EXAMPLE = {
  email: { postPublished: false, postFailed: true, accountReconnect: true, webhookDisabled: true },
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
    return Response.json(await presentNotifications(caller.ownerId));
  },
});
