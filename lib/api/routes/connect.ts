import { z } from "zod";
import {
  connectable,
  connectUrl,
  getConnectUser,
  listConnectUsers,
  presentConnectUser,
  provisionConnectUser,
  redirectUriProblem,
} from "../../connect";
import { databaseNow } from "../../db";
import { AccessDenied, BadRequest } from "../../errors";
import { BeingDeleted, deleteUser } from "../../users";
import { connectUserId } from "../caller";
import { cursorParam, limitParam, pageOf, TimedPlace } from "../page";
import { route } from "../route";
import { ConnectUserList, ConnectUserView } from "./shapes";

/** What partners can connect (SPEC, "Partner (connect) endpoints", rule 2). */
const PartnerPlatform = z.enum(["INSTAGRAM", "FACEBOOK", "YOUTUBE", "TIKTOK", "X_TWITTER", "LINKEDIN", "THREADS"]);

export const provisionConnectUserRoute = route({
  method: "post",
  path: "/v1/connect/users",
  summary: "Provisions one of the partner's end-users; repeating it is safe",
  scope: "partner",
  body: z.strictObject({
    externalUserId: z.string().min(1).max(255),
    name: z.string().min(1).max(255).optional(),
    email: z.email("must be an e-mail address").max(254).optional(),
  }),
  answers: { 200: ConnectUserView },
  async handle({ partner, body }) {
    return Response.json(presentConnectUser(await provisionConnectUser(partner.id, body)));
  },
});

export const listConnectUsersRoute = route({
  method: "get",
  path: "/v1/connect/users",
  summary: "The partner's end-users, newest first; those being deleted are left out",
  scope: "partner",
  query: z.object({ limit: limitParam, cursor: cursorParam(TimedPlace) }),
  answers: { 200: ConnectUserList },
  async handle({ partner, query: { limit, cursor } }) {
    return Response.json(pageOf(await listConnectUsers(partner.id, { limit, after: cursor }), presentConnectUser));
  },
});

const UuidParam = z.object({ uuid: z.string() });

export const getConnectUserRoute = route({
  method: "get",
  path: "/v1/connect/users/{uuid}",
  summary: "One of the partner's end-users",
  scope: "partner",
  params: UuidParam,
  answers: { 200: ConnectUserView },
  async handle({ partner, params }) {
    const user = await getConnectUser(partner.id, params);
    if (user.deleting) throw new BeingDeleted();
    return Response.json(presentConnectUser(user));
  },
});

export const deleteConnectUserRoute = route({
  method: "delete",
  path: "/v1/connect/users/{uuid}",
  summary: "Deletes an end-user and everything of theirs, in the background; until it is done every other call is 409",
  scope: "partner",
  params: UuidParam,
  answers: { 202: "Deletion has begun" },
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
  body: z.strictObject({ platform: PartnerPlatform, redirectUri: z.string() }),
  answers: { 200: z.string() },
  async handle({ partner, body, request }) {
    const key = request.headers.get("x-api-key");
    if (!key) throw new BadRequest("x-api-key cannot be null");
    if (key !== partner.clientId) throw new AccessDenied();
    const owner = await connectUserId(partner.id, request.headers);
    const problem = redirectUriProblem(body.redirectUri);
    if (problem) throw new BadRequest(problem);
    connectable(body.platform);
    const url = connectUrl(
      { client: partner.clientId, owner, platform: body.platform, redirectUri: body.redirectUri },
      await databaseNow(),
    );
    return Response.json(url);
  },
});
