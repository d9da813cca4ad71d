import { z } from "zod";
import { errorOf } from "../errors";
import type { App, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { tokenSchema, tokensIn } from "../wire/oauth-requests";
import { form, query } from "../wire/query";
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
  await ask(app, "/v2/oauth/revoke/", { token: accessToken });
}

/** …/oauth-user-access-token-management */
async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  return tokensIn(await readAnswer("TikTok", tokenSchema, await ask(app, "/v2/oauth/token/", fields)));
}

/** In the application's own name. An `error` has been seen with HTTP 200, so that decides and not the status. */
async function ask(app: App, path: string, fields: { [name: string]: string | undefined }): Promise<Response> {
  const response = await app.fetch(path, form({ ...credentials(app), ...fields }));
  const refused = refusalSchema.safeParse(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  );
  if (refused.success) throw errorOf("TikTok", errors, refused.data, response);
  return response;
}

function credentials(app: App) {
  return { client_key: app.clientId, client_secret: app.clientSecret };
}
