import { PlatformError } from "../errors";
import type { App, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { authorizationUrl, tokenSchema, tokensIn } from "../wire/oauth";
import { form } from "../wire/query";
import { SCOPES } from "./api";

const DAY = 86_400;

/** developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization; without PKCE. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: SCOPES,
  scopePurposes: {
    "boards:read": "boards",
    "boards:write": "saveToBoards",
    "pins:read": "posts",
    "pins:write": "publish",
    "user_accounts:read": "profile",
  },
  begin: async (app, request) => authorizationUrl(app, "/oauth/", request, SCOPES.join(",")),
  /** `continuous_refresh` has no effect for applications created after 2025-09-25. */
  exchange: (app, { code, redirectUri }) =>
    token(app, { grant_type: "authorization_code", code, redirect_uri: redirectUri, continuous_refresh: "true" }),
};

/** Access tokens last 30 days, refresh tokens 60. Each refresh returns a new one; whether the old one stays valid is not documented. */
export const refresh = {
  beforeSeconds: 10 * DAY,
  run: (app: App, { refreshToken }: Tokens) =>
    token(app, { grant_type: "refresh_token", refresh_token: refreshToken }).catch(async (error: unknown) => {
      throw isTokenError(error) ? await refreshError(app, refreshToken, error) : error;
    }),
};

/** Error codes of invalid refresh tokens are not documented, so this is any 400 or 401 except for an inactive application (3). */
function isTokenError(error: unknown): error is PlatformError {
  const { status = 0, code } = (error instanceof PlatformError && error.answer) || {};
  return [400, 401].includes(status) && code !== "3";
}

/** Decides what a refused refresh means: the user must connect again, unless the service's own credentials are invalid. */
async function refreshError(app: App, refreshToken: string | undefined, { answer }: PlatformError) {
  if (answer?.status !== 401 || answer.code !== "2" || (await isKnownClient(app, refreshToken))) {
    const says = "Pinterest no longer refreshes this account's permission. Reconnect the account";
    return new PlatformError("reconnect", says, { answer });
  }
  const says = "Pinterest does not accept this service's own credentials";
  const fix = "Compare PINTEREST_CLIENT_ID and PINTEREST_CLIENT_SECRET with the app at developers.pinterest.com/apps";
  return new PlatformError("operator", says, { fix, answer });
}

/**
 * Whether Pinterest accepts our credentials. `token/revoke` (OpenAPI file) answers 401 only if they are unknown; for valid ones
 * it answers 403, because user tokens cannot be revoked. The token sent here was already refused.
 */
async function isKnownClient(app: App, refreshToken = ""): Promise<boolean> {
  try {
    await postAsClient(app, "/v5/oauth/token/revoke", { token: refreshToken, token_type_hint: "refresh_token" });
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.answer?.status !== 401;
  }
}

async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  return tokensIn(await readAnswer("Pinterest", tokenSchema, await postAsClient(app, "/v5/oauth/token", fields)));
}

/** Sends a form in the service's own name, with HTTP Basic. */
function postAsClient(app: App, path: string, fields: { [name: string]: string | undefined }): Promise<Response> {
  const call = form(fields);
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
  return app.fetch(path, { ...call, headers: { ...call.headers, authorization: `Basic ${basic}` } });
}
