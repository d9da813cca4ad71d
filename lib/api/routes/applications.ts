import { z } from "zod";
import { listAllowedApplications, presentAllowedApplication, revokeAllowedApplication } from "../../oauth";
import { stopFeedsOfApplication } from "../../schedules";
import { holdWebhooksOfApplication } from "../../webhooks";
import { route } from "../route";
import { AllowedApplicationView } from "../shapes";
import { allowedApplicationExample } from "./examples";

export const listApplicationsRoute = route({
  method: "get",
  path: "/v1/me/applications",
  summary: "List the applications that the user has allowed",
  description: "By name. Applications that the user has registered for others are not included.",
  scope: "account",
  answers: { 200: z.object({ items: z.array(AllowedApplicationView) }).meta({ id: "AllowedApplications" }) },
  examples: [{ answer: { items: [allowedApplicationExample] } }],
  async handle({ caller }) {
    return Response.json({ items: (await listAllowedApplications(caller.ownerId)).map(presentAllowedApplication) });
  },
});

export const revokeApplicationRoute = route({
  method: "delete",
  path: "/v1/me/applications/{id}",
  summary: "Revoke an application",
  description:
    "All of its tokens for the user are invalid from the next request on. The webhooks that it created or changed are disabled, and the feeds that it added are stopped. What it has scheduled stays.",
  scope: "account",
  params: z.object({ id: z.string().max(200).meta({ description: "The `id` of the application, its client ID" }) }),
  answers: { 204: "Revoked" },
  errorResponses: [
    {
      status: 404,
      when: "The user has not allowed it",
      error: `Application not found: ${allowedApplicationExample.id}`,
    },
  ],
  examples: [{ params: { id: allowedApplicationExample.id } }],
  async handle({ caller, params }) {
    const lockouts = { webhooks: holdWebhooksOfApplication, feeds: stopFeedsOfApplication };
    await revokeAllowedApplication(caller.ownerId, params.id, lockouts);
    return new Response(null, { status: 204 });
  },
});
