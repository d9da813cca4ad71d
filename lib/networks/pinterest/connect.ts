import { readAnswer } from "../json";
import type { App, OAuthConnect, Tokens } from "../network";
import { authorizationUrl, tokenSchema, tokensIn } from "../oauth-requests";
import { form } from "../query";

/** The first four are what making a Pin takes (OpenAPI file, `pins/create`). */
const SCOPES = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"];
const DAY = 86_400;

/** developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization; no PKCE. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: SCOPES,
  begin: async (app, request) => authorizationUrl(app, "/oauth/", request, SCOPES.join(",")),
  /** `continuous_refresh` makes no difference to applications younger than 2025-09-25. */
  exchange: (app, { code, redirectUri }) =>
    token(app, { grant_type: "authorization_code", code, redirect_uri: redirectUri, continuous_refresh: "true" }),
};

/** Access lasts 30 days, a refresh token 60: each refresh answers a new one, and whether the old one lives on is not said. */
export const refresh = {
  beforeSeconds: 10 * DAY,
  run: (app: App, { refreshToken }: Tokens) => token(app, { grant_type: "refresh_token", refresh_token: refreshToken }),
};

async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  const call = form(fields);
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
  const headers = { ...call.headers, authorization: `Basic ${basic}` };
  const answer = await readAnswer("Pinterest", tokenSchema, await app.fetch("/v5/oauth/token", { ...call, headers }));
  return tokensIn(answer);
}
