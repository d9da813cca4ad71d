import type { App, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { authorizationUrl, tokenSchema, tokensIn } from "../wire/oauth";
import { form } from "../wire/query";

const SCOPES = ["tweet.read", "tweet.write", "users.read", "media.write", "offline.access"];

/**
 * docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code. A code is valid for 30 seconds; `state` may have at most
 * 500 characters.
 */
export const connect: OAuthConnect = {
  kind: "oauth",
  hasPkce: true,
  requiredScopes: SCOPES,
  scopePurposes: {
    "tweet.read": "posts",
    "tweet.write": "publish",
    "users.read": "profile",
    "media.write": "upload",
    "offline.access": "stay",
  },
  begin: async (app, request) =>
    authorizationUrl(app, "/i/oauth2/authorize", request, SCOPES.join(" "), {
      code_challenge: request.challenge,
      code_challenge_method: "S256",
    }),
  exchange: (app, { code, redirectUri, verifier }) =>
    token(app, { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }),
};

/** Every refresh returns a new refresh token and invalidates the old one. */
export const refresh = {
  beforeSeconds: 300,
  run: (app: App, { refreshToken }: Tokens) => token(app, { grant_type: "refresh_token", refresh_token: refreshToken }),
};

/** docs.x.com/fundamentals/authentication/oauth-2-0/user-access-token, step 6. */
export async function revoke(app: App, { accessToken, refreshToken }: Tokens): Promise<void> {
  for (const spent of [refreshToken, accessToken]) if (spent) await post(app, "/2/oauth2/revoke", { token: spent });
}

async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  const answer = await readAnswer("X", tokenSchema, await post(app, "/2/oauth2/token", fields));
  return tokensIn(answer);
}

/** X requires HTTP Basic from applications with a secret; credentials in the body are for those without one. */
function post(app: App, path: string, fields: { [name: string]: string | undefined }) {
  const call = form(fields);
  const basic = Buffer.from(`${encodeURIComponent(app.clientId)}:${encodeURIComponent(app.clientSecret)}`);
  return app.fetch(path, { ...call, headers: { ...call.headers, authorization: `Basic ${basic.toString("base64")}` } });
}
