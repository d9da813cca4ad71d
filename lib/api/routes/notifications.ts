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
  summary: "What is written to the user by e-mail",
  description: "A partner's users get no e-mail at all: for them every value is `false`, whatever was set.",
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
  summary: "Chooses what is written to the user by e-mail",
  description:
    "A notice that falls into the quiet hours is sent at their end. What somebody asks for themselves, a new password or to confirm an address, is never held back.",
  scope: "api",
  body: NotificationsBody,
  answers: { 200: NotificationsView },
  refusals: [{ status: 400, when: "A field is missing or wrong", error: "email cannot be null" }],
  examples: [{ body: EXAMPLE, answer: EXAMPLE }],
  async handle({ caller, body }) {
    await setMailPreferences(caller.ownerId, body.email);
    if (body.quietHours !== undefined) await setQuietHours(caller.ownerId, body.quietHours);
    return Response.json(await presentNotifications(caller.ownerId));
  },
});
