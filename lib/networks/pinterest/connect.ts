import { PlatformError } from "../errors";
import type { App, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { authorizationUrl, tokenSchema, tokensIn } from "../wire/oauth-requests";
import { form } from "../wire/query";
import { SCOPES } from "./ask";

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
  run: (app: App, { refreshToken }: Tokens) =>
    token(app, { grant_type: "refresh_token", refresh_token: refreshToken }).catch(async (error: unknown) => {
      throw isAboutTheToken(error) ? await refusedRefresh(app, refreshToken, error) : error;
    }),
};

/** Codes of dead refresh tokens are not documented: any 400 or 401, but for an application that is not activated (3). */
function isAboutTheToken(error: unknown): error is PlatformError {
  const { status = 0, code } = (error instanceof PlatformError && error.answer) || {};
  return [400, 401].includes(status) && code !== "3";
}

/** What a refused refresh means: the account's person is asked, unless it is the service's own credentials that fail. */
async function refusedRefresh(app: App, refreshToken: string | undefined, { answer }: PlatformError) {
  if (answer?.status !== 401 || answer.code !== "2" || (await isKnownClient(app, refreshToken))) {
    const says = "Pinterest no longer renews this account's permission. Connect the account again";
    return new PlatformError("reconnect", says, { answer });
  }
  const says = "Pinterest does not accept the service's own credentials";
  return new PlatformError("later", says, { retryAfterSeconds: 3600, answer });
}

/**
 * `token/revoke` of the OpenAPI file answers 401 to unknown credentials and nothing else with it. To ours it answers
 * 403, as people's tokens cannot be revoked; and this one was refused already.
 */
async function isKnownClient(app: App, refreshToken = ""): Promise<boolean> {
  try {
    await asClient(app, "/v5/oauth/token/revoke", { token: refreshToken, token_type_hint: "refresh_token" });
    return true;
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return error.answer?.status !== 401;
  }
}

async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  return tokensIn(await readAnswer("Pinterest", tokenSchema, await asClient(app, "/v5/oauth/token", fields)));
}

/** A form in the service's own name, by HTTP Basic. */
function asClient(app: App, path: string, fields: { [name: string]: string | undefined }): Promise<Response> {
  const call = form(fields);
  const basic = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString("base64");
  return app.fetch(path, { ...call, headers: { ...call.headers, authorization: `Basic ${basic}` } });
}
