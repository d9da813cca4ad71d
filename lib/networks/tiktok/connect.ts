import { z } from "zod";
import { errorOf } from "../errors";
import { readAnswer } from "../json";
import type { App, OAuthConnect, Tokens } from "../network";
import { tokenSchema, tokensIn } from "../oauth-requests";
import { form, query } from "../query";
import { errors } from "./errors";

const REQUIRED = ["user.info.basic", "user.info.profile", "video.publish"];
/** Reading back and addresses of posts are worth having; somebody who unticks it can post all the same. */
const WANTED = [...REQUIRED, "video.list"];

const refusalSchema = z.looseObject({ error: z.string().min(1) });

/**
 * developers.tiktok.com/doc/login-kit-web: a web application, so without PKCE. `disable_auto_auth` shows the page each time,
 * so that a person sees, and can change, which account is meant.
 */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: REQUIRED,
  async begin(app, { state, redirectUri }) {
    const parameters = query({
      client_key: app.clientId,
      response_type: "code",
      scope: WANTED.join(","),
      redirect_uri: redirectUri,
      state,
      disable_auto_auth: "1",
    });
    return { url: `${app.url("/v2/auth/authorize/", "web")}?${parameters}` };
  },
  exchange: (app, { code, redirectUri }) =>
    token(app, { grant_type: "authorization_code", code, redirect_uri: redirectUri }),
};

/** Due at three quarters of two hours. Every refresh answers a new refresh token, and the spent one is dead. */
export const refresh = {
  beforeSeconds: 1800,
  run: (app: App, { refreshToken }: Tokens) => token(app, { grant_type: "refresh_token", refresh_token: refreshToken }),
};

/** …/oauth-revoke-a-user-access-token: takes the access token, and TikTok forgets the application. */
export async function revoke(app: App, { accessToken }: Tokens): Promise<void> {
  await app.fetch("/v2/oauth/revoke/", form({ ...credentials(app), token: accessToken }));
}

/** …/oauth-user-access-token-management; an `error` has been seen with HTTP 200. */
async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  const response = await app.fetch("/v2/oauth/token/", form({ ...credentials(app), ...fields }));
  const answer = await readAnswer("TikTok", z.union([refusalSchema, tokenSchema]), response);
  if ("error" in answer) throw errorOf("TikTok", errors, answer, response);
  return tokensIn(answer);
}

function credentials(app: App) {
  return { client_key: app.clientId, client_secret: app.clientSecret };
}
