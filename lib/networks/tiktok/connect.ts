import { z } from "zod";
import { env } from "../../env";
import { requestedScopes } from "../connect";
import { platformErrorFrom } from "../errors";
import type { App, OAuthConnect, Tokens } from "../network";
import { readAnswer } from "../wire/json";
import { tokenSchema, tokensIn } from "../wire/oauth";
import { form, query } from "../wire/query";
import { errors } from "./errors";

export const DRAFTS_SCOPE = "video.upload";
const REQUIRED = ["user.info.basic", "video.publish"];

const refusalSchema = z.looseObject({ error: z.string().min(1) });

/**
 * developers.tiktok.com/doc/login-kit-web: a web application, so without PKCE. `disable_auto_auth` always shows the consent page,
 * so that users see which account they connect and can change it.
 */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: REQUIRED,
  scopePurposes: { "user.info.basic": "profile", "video.publish": "publish" },
  /** Reading back posts and their addresses, and drafts. A user who declines them can still post. */
  switchedScopes: [
    { setting: "TIKTOK_VIDEO_LIST", isOn: () => env.tiktokVideoList, scopes: ["video.list"] },
    { setting: "TIKTOK_VIDEO_UPLOAD", isOn: () => env.tiktokVideoUpload, scopes: [DRAFTS_SCOPE] },
  ],
  async begin(app, { state, redirectUri }) {
    const parameters = query({
      client_key: app.clientId,
      response_type: "code",
      scope: requestedScopes(connect).join(","),
      redirect_uri: redirectUri,
      state,
      disable_auto_auth: "1",
    });
    return { url: `${app.url("/v2/auth/authorize/", "web")}?${parameters}` };
  },
  exchange: (app, { code, redirectUri }) =>
    token(app, { grant_type: "authorization_code", code, redirect_uri: redirectUri }),
};

/** Refreshes after three quarters of two hours. Every refresh returns a new refresh token and invalidates the old one. */
export const refresh = {
  beforeSeconds: 1800,
  run: (app: App, { refreshToken }: Tokens) => token(app, { grant_type: "refresh_token", refresh_token: refreshToken }),
};

/** …/oauth-revoke-a-user-access-token: ends the grant by its access token. */
export async function revoke(app: App, { accessToken }: Tokens): Promise<void> {
  await ask(app, "/v2/oauth/revoke/", { token: accessToken });
}

/** …/oauth-user-access-token-management */
async function token(app: App, fields: { [name: string]: string | undefined }): Promise<Tokens> {
  return tokensIn(await readAnswer("TikTok", tokenSchema, await ask(app, "/v2/oauth/token/", fields)));
}

/** Calls in the application's own name. TikTok sometimes sends an `error` with status 200, so the field decides. */
async function ask(app: App, path: string, fields: { [name: string]: string | undefined }): Promise<Response> {
  const response = await app.fetch(path, form({ ...credentials(app), ...fields }));
  const refused = refusalSchema.safeParse(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  );
  if (refused.success) throw platformErrorFrom("TikTok", errors, refused.data, response);
  return response;
}

function credentials(app: App) {
  return { client_key: app.clientId, client_secret: app.clientSecret };
}
