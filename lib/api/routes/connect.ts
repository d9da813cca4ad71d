import { z } from "zod";
import { connectableNetwork, connectUrl } from "../../connect";
import { databaseNow } from "../../db";
import { AccessDenied, BadRequest } from "../../errors";
import {
  getConnectUser,
  listConnectUsers,
  partnerRedirectProblem,
  presentConnectUser,
  provisionConnectUser,
} from "../../partners";
import { BeingDeleted, deleteUser } from "../../users";
import { connectUserId } from "../caller";
import { cursorParam, limitParam, presentPage, TimeCursor } from "../page";
import { route } from "../route";
import { ConnectUserList, ConnectUserView } from "../shapes";
import { connectHeaderExample, connectUserExample } from "./examples";

/** What partners can connect (SPEC, "Partner (connect) endpoints", rule 2). */
const PartnerPlatform = z.enum(["INSTAGRAM", "FACEBOOK", "YOUTUBE", "TIKTOK", "X_TWITTER", "LINKEDIN", "THREADS"]);

/** Checked with the shape, so that what is wrong with it is said beside everything else. */
const RedirectUri = z
  .string()
  .superRefine((uri, context) => {
    const message = partnerRedirectProblem(uri);
    if (message) context.addIssue({ code: "custom", message });
  })
  .meta({
    description: "Where the browser ends: https, http on a loopback host, or a deep link; at most 2,048 characters",
  });

const deleting = { status: 409, when: "The user is being deleted", error: new BeingDeleted().message };

export const provisionConnectUserRoute = route({
  method: "post",
  path: "/v1/connect/users",
  summary: "Provisions one of the partner's end-users; repeating it is safe",
  scope: "partner",
  body: z.strictObject({
    externalUserId: z.string().min(1).max(255).meta({ description: "The partner's own identifier" }),
    name: z.string().min(1).max(255).optional().meta({ description: "Needed the first time" }),
    email: z
      .email("must be an e-mail address")
      .max(254)
      .optional()
      .meta({ description: "For the partner's own reference; nothing is sent to it" }),
  }),
  description:
    "The first call makes the user, every other one answers the same user with `name` and `email` updated where they are given.",
  answers: { 200: ConnectUserView },
  refusals: [
    {
      status: 400,
      when: "A field is missing or wrong",
      error: "name cannot be null when a user is provisioned for the first time",
    },
    deleting,
  ],
  examples: [
    { body: { externalUserId: "customer-42", name: "Ada", email: "ada@example.com" }, answer: connectUserExample },
  ],
  async handle({ partner, body }) {
    return Response.json(presentConnectUser(await provisionConnectUser(partner.id, body)));
  },
});

export const listConnectUsersRoute = route({
  method: "get",
  path: "/v1/connect/users",
  summary: "The partner's end-users, newest first; those being deleted are left out",
  scope: "partner",
  query: z.object({ limit: limitParam, cursor: cursorParam(TimeCursor) }),
  answers: { 200: ConnectUserList },
  examples: [{ query: { limit: "20" }, answer: { items: [connectUserExample], nextCursor: null } }],
  async handle({ partner, query: { limit, cursor } }) {
    return Response.json(presentPage(await listConnectUsers(partner.id, { limit, after: cursor }), presentConnectUser));
  },
});

const UuidParam = z.object({ uuid: z.string().meta({ description: "As provisioning answered it" }) });
const ONE = { uuid: connectUserExample.uuid };

export const getConnectUserRoute = route({
  method: "get",
  path: "/v1/connect/users/{uuid}",
  summary: "One of the partner's end-users",
  scope: "partner",
  params: UuidParam,
  answers: { 200: ConnectUserView },
  refusals: [deleting],
  examples: [{ params: ONE, answer: connectUserExample }],
  async handle({ partner, params }) {
    const user = await getConnectUser(partner.id, params);
    if (user.deleting) throw new BeingDeleted();
    return Response.json(presentConnectUser(user));
  },
});

export const deleteConnectUserRoute = route({
  method: "delete",
  path: "/v1/connect/users/{uuid}",
  summary: "Deletes an end-user and everything of theirs",
  description:
    "Answers at once and goes on in the background; until it is done every other call for that user is 409, then 404. Nothing is sent to a network any more.",
  scope: "partner",
  params: UuidParam,
  answers: { 202: "Deletion has begun" },
  refusals: [deleting],
  examples: [{ params: ONE }],
  async handle({ partner, params }) {
    await deleteUser((await getConnectUser(partner.id, params)).id);
    return new Response(null, { status: 202 });
  },
});

export const authorizeUrlRoute = route({
  method: "post",
  path: "/v1/connect/authorize-url",
  summary: "A short-lived address that opens the connect bridge for one end-user",
  scope: "partner",
  description:
    "Open the address in the user's browser. Carillon sends the person to the network's consent page, keeps the tokens and then sends the browser to `redirectUri`, with nothing added to it. The address works once, for a few minutes.",
  forUser: true,
  headers: z.object({ "x-api-key": z.string().meta({ description: "The partner's client id" }) }),
  body: z.strictObject({
    platform: PartnerPlatform.meta({ description: "The network to connect" }),
    redirectUri: RedirectUri,
  }),
  answers: { 200: z.url().meta({ description: "The address, as a JSON string" }) },
  refusals: [
    {
      status: 400,
      when: "A field or `x-api-key` is missing or wrong, or the network cannot be connected",
      error: "x-api-key cannot be null",
    },
    { status: 403, when: "`x-api-key` is not the calling partner's client id", error: new AccessDenied().message },
  ],
  examples: [
    {
      headers: { ...connectHeaderExample, "x-api-key": "W0bR2m6mJm8m3l2Qe0u1xw" },
      body: { platform: "INSTAGRAM", redirectUri: "https://acme.example/connected" },
      answer: "https://carillon.example/oauth/connect?whitelabel_state=v1.4f2a9c.eyJqdGkiOiI.c2lnbmF0dXJl",
    },
  ],
  async handle({ partner, body, request }) {
    const key = request.headers.get("x-api-key");
    if (!key) throw new BadRequest("x-api-key cannot be null");
    if (key !== partner.clientId) throw new AccessDenied();
    const owner = await connectUserId(partner.id, request.headers);
    connectableNetwork(body.platform);
    const url = connectUrl(
      { client: partner.clientId, owner, platform: body.platform, redirectUri: body.redirectUri },
      await databaseNow(),
    );
    return Response.json(url);
  },
});
