import { getMailPreferences, setMailPreferences } from "../../mail";
import { route } from "../route";
import { NotificationsView, WantedNotifications } from "../shapes";

const EXAMPLE = { email: { postPublished: false, postFailed: true, accountReconnect: true, webhookDisabled: true } };

export const getNotificationsRoute = route({
  method: "get",
  path: "/v1/me/notifications",
  summary: "What is written to the user by e-mail",
  description: "A partner's users get no e-mail at all: for them every value is `false`, whatever was set.",
  scope: "api",
  answers: { 200: NotificationsView },
  examples: [{ answer: EXAMPLE }],
  async handle({ caller }) {
    return Response.json({ email: await getMailPreferences(caller.ownerId) });
  },
});

export const setNotificationsRoute = route({
  method: "put",
  path: "/v1/me/notifications",
  summary: "Chooses what is written to the user by e-mail",
  scope: "api",
  body: WantedNotifications,
  answers: { 200: NotificationsView },
  refusals: [{ status: 400, when: "A field is missing or wrong", error: "email cannot be null" }],
  examples: [{ body: EXAMPLE, answer: EXAMPLE }],
  async handle({ caller, body }) {
    return Response.json({ email: await setMailPreferences(caller.ownerId, body.email) });
  },
});
