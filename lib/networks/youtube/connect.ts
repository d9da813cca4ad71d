import { z } from "zod";
import { env } from "../../env";
import { requestedScopes } from "../connect";
import type { App, NetworkSession, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { authorizationUrl, tokenSchema, tokensIn } from "../wire/oauth";
import { form } from "../wire/query";

const PREFIX = "https://www.googleapis.com/auth/";
/** Reading is needed to check whether a video was processed. */
const REQUIRED = [`${PREFIX}youtube.upload`, `${PREFIX}youtube.readonly`];
/** Comments, playlists and captions need it (the pages of commentThreads.insert, playlistItems.insert and captions.insert). */
export const MANAGE_SCOPE = `${PREFIX}youtube.force-ssl`;

/**
 * developers.google.com/identity/protocols/oauth2/web-server. A refresh token requires offline access and, after the first time,
 * forced consent. The account chooser lets the user pick the channel that the token is bound to.
 */
export const connect: OAuthConnect = {
  kind: "oauth",
  hasPkce: true,
  requiredScopes: REQUIRED,
  scopePurposes: { [`${PREFIX}youtube.upload`]: "publish", [`${PREFIX}youtube.readonly`]: "posts" },
  switchedScopes: [{ setting: "YOUTUBE_MANAGE", isOn: () => env.youtubeManage, scopes: [MANAGE_SCOPE] }],
  readScopes: readGrantedScopes,
  begin: async (app, request) =>
    authorizationUrl(app, "/o/oauth2/v2/auth", request, requestedScopes(connect).join(" "), {
      access_type: "offline",
      prompt: "consent select_account",
      code_challenge: request.challenge,
      code_challenge_method: "S256",
    }),
  exchange: (app, { code, redirectUri, verifier }) =>
    token(app, { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier }),
};

const tokenInfoSchema = z.object({ scope: z.string() });

/**
 * Reads the scopes of the account's token as Google's own library does (`getTokenInfo` in github.com/googleapis/google-auth-library-nodejs).
 * Google documents no errors of this call, so a refusal says nothing about the account.
 */
async function readGrantedScopes({ fetch }: NetworkSession): Promise<string[] | undefined> {
  const response = await fetch("/tokeninfo", { ...form({}), host: "token", accept: [400, 401] });
  return response.ok ? (await readAnswer("Google", tokenInfoSchema, response)).scope.split(" ") : undefined;
}

/** The refresh token does not change, so it can be presented again after a lost answer. */
export const refresh = {
  beforeSeconds: 300,
  isReusable: true as const,
  run: (app: App, { refreshToken }: Tokens) => token(app, { grant_type: "refresh_token", refresh_token: refreshToken }),
};

/** Revoking either token ends the whole grant. */
export async function revoke(app: App, { accessToken, refreshToken }: Tokens): Promise<void> {
  await app.fetch("/revoke", { ...form({ token: refreshToken ?? accessToken }), host: "token" });
}

async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  const call = form({ ...fields, client_id: app.clientId, client_secret: app.clientSecret });
  const answer = await readAnswer("Google", tokenSchema, await app.fetch("/token", { ...call, host: "token" }));
  return tokensIn(answer);
}
