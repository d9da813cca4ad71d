import { z } from "zod";
import { env } from "../../env";
import { requestedScopes } from "../connect";
import { PlatformError } from "../errors";
import type { App, NetworkSession, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { authorizationUrl, tokenSchema, tokensIn } from "../wire/oauth";
import { form } from "../wire/query";
import { PAGES_SCOPE } from "./api";

const REQUIRED = ["openid", "profile", "w_member_social"];

/** Company pages need them: the first to post, the second to list the pages. */
const PAGES_SCOPES = [PAGES_SCOPE, "rw_organization_admin"];

/** learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow; LinkedIn does not support PKCE here. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: REQUIRED,
  scopePurposes: { openid: "profile", profile: "profile", w_member_social: "publish" },
  switchedScopes: [{ setting: "LINKEDIN_PAGES", isOn: () => env.linkedinPages, scopes: PAGES_SCOPES }],
  readScopes: readGrantedScopes,
  begin: async (app, request) =>
    authorizationUrl(app, "/oauth/v2/authorization", request, requestedScopes(connect).join(" ")),
  exchange: (app, { code, redirectUri }) =>
    token(app, { grant_type: "authorization_code", code, redirect_uri: redirectUri }),
  // Reported right after the sign-in; five seconds later the same token works: github.com/decioferreira/omniauth-linkedin-oauth2/issues/17.
  isTooNew: ({ answer }) => answer?.status === 401 && /^(REVOKED_ACCESS_TOKEN|65601)$/.test(answer.code ?? ""),
};

/**
 * Access tokens last 60 days. Approved partners get a refresh token, valid for one year after consent however often it is used;
 * other users must connect again: learn.microsoft.com/en-us/linkedin/shared/authentication/programmatic-refresh-tokens.
 */
export const refresh = {
  beforeSeconds: 300,
  isReusable: true as const,
  isPossible: ({ refreshToken }: Tokens) => refreshToken !== undefined,
  async run(app: App, { refreshToken }: Tokens): Promise<Tokens> {
    if (refreshToken) return token(app, { grant_type: "refresh_token", refresh_token: refreshToken });
    const says = "LinkedIn no longer accepts this account's permission, which lasts 60 days. Reconnect the account";
    throw new PlatformError("reconnect", says);
  },
};

const introspectionSchema = z.object({ active: z.boolean(), scope: z.string().default("") });

/**
 * Returns the scopes that LinkedIn lists for the account's token: learn.microsoft.com/en-us/linkedin/shared/authentication/token-introspection.
 * @throws PlatformError `reconnect` if the token is no longer valid
 */
export async function readGrantedScopes({ app, tokens }: NetworkSession): Promise<string[]> {
  const call = form({ client_id: app.clientId, client_secret: app.clientSecret, token: tokens.accessToken });
  const response = await app.fetch("/oauth/v2/introspectToken", { ...call, host: "web" });
  const { active, scope } = await readAnswer("LinkedIn", introspectionSchema, response);
  if (!active) throw new PlatformError("reconnect", "LinkedIn no longer accepts this account's permission");
  return scope.split(/[\s,]+/).filter(Boolean);
}

async function token(app: App, fields: { [name: string]: string }): Promise<Tokens> {
  const call = form({ ...fields, client_id: app.clientId, client_secret: app.clientSecret });
  const response = await app.fetch("/oauth/v2/accessToken", { ...call, host: "web" });
  const answer = await readAnswer("LinkedIn", tokenSchema, response);
  return tokensIn(answer);
}
