import { z } from "zod";
import { connectable, connectUrl, presentConnectUser, provisionConnectUser, redirectUriProblem } from "../../connect";
import { databaseNow } from "../../db";
import { AccessDenied, BadRequest } from "../../errors";
import { connectUserId } from "../caller";
import { route } from "../route";
import { ConnectUserView } from "./shapes";

/** What partners can connect (SPEC, "Partner (connect) endpoints", rule 2). */
const PartnerPlatform = z.enum(["INSTAGRAM", "FACEBOOK", "YOUTUBE", "TIKTOK", "X_TWITTER", "LINKEDIN", "THREADS"]);

export const provisionConnectUserRoute = route({
  method: "post",
  path: "/v1/connect/users",
  summary: "Provisions one of the partner's end-users; repeating it is safe",
  scope: "partner",
  body: z.object({
    externalUserId: z.string().min(1).max(255),
    name: z.string().min(1).max(255).optional(),
    email: z.email("must be an e-mail address").max(254).optional(),
  }),
  answers: { 200: ConnectUserView },
  async handle({ partner, body }) {
    return Response.json(presentConnectUser(await provisionConnectUser(partner.id, body)));
  },
});

export const authorizeUrlRoute = route({
  method: "post",
  path: "/v1/connect/authorize-url",
  summary: "A short-lived address that opens the connect bridge for one end-user",
  scope: "partner",
  body: z.object({ platform: PartnerPlatform, redirectUri: z.string() }),
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
