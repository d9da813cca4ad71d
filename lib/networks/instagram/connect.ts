import { z } from "zod";
import { env } from "../../env";
import { requestedScopes } from "../connect";
import { longLivedTokens } from "../meta/long-lived-tokens";
import type { OAuthConnect } from "../network";
import { readAnswer } from "../wire/json";
import { authorizationUrl } from "../wire/oauth";
import { multipart } from "../wire/request-body";

const SCOPES = ["instagram_business_basic", "instagram_business_content_publish"];
export const COMMENT_SCOPE = "instagram_business_manage_comments";
const tokens = longLivedTokens("Instagram", "ig");

const permissions = z.union([z.string().transform((list) => list.split(/[ ,]+/).filter(Boolean)), z.array(z.string())]);
const shortSchema = z.object({ access_token: z.string(), permissions: permissions.optional().catch(undefined) });
/** Documented in `data[0]`; production answers with a flat object. */
const shortAnswer = z.union([
  shortSchema,
  z.object({ data: z.tuple([shortSchema]).rest(shortSchema) }).transform((a) => a.data[0]),
]);

/** developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login; without PKCE. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: SCOPES,
  scopePurposes: { instagram_business_basic: "profile", instagram_business_content_publish: "publish" },
  switchedScopes: [{ setting: "INSTAGRAM_COMMENTS", isOn: () => env.comments.instagram, scopes: [COMMENT_SCOPE] }],
  /** `enable_fb_login=0` hides "Log in with Facebook", whose tokens do not fit this API. Production clients send it. */
  begin: async (app, request) =>
    authorizationUrl(app, "/oauth/authorize", request, requestedScopes(connect).join(","), { enable_fb_login: "0" }),
  /** The code gives a token of one hour, which is exchanged immediately for one of 60 days. */
  async exchange(app, { code, redirectUri }) {
    const { headers, body } = multipart({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code: code.replace(/#_$/, ""),
    });
    const response = await app.fetch("/oauth/access_token", { host: "token", method: "POST", headers, body });
    const short = await readAnswer("Instagram", shortAnswer, response);
    const long = await tokens.exchange(app, short.access_token);
    return { ...long, scopes: short.permissions };
  },
};

export const { refresh } = tokens;
