import { z } from "zod";
import { env } from "../../env";
import { requestedScopes } from "../connect";
import { PlatformError } from "../errors";
import { appSecretProof } from "../meta/graph";
import type { App, NetworkSession, OAuthConnect, Profile, Tokens } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { authorizationUrl } from "../wire/oauth";
import { expiryAfter, query } from "../wire/query";
import { get, pageTokens, readGrantedScopes, SCOPES, userCaller, VERSION } from "./api";

/** Facebook's permission for comments as a Page. */
export const COMMENT_SCOPE = "pages_manage_engagement";

const DAY = 86_400;

const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number().optional() });

/** developers.facebook.com/documentation/facebook-login/guides/advanced/manual-flow; without PKCE. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: SCOPES,
  scopePurposes: { pages_show_list: "pages", pages_read_engagement: "posts", pages_manage_posts: "publish" },
  switchedScopes: [
    { setting: "FACEBOOK_COMMENTS", isOn: () => env.comments.facebook, scopes: [COMMENT_SCOPE] },
    // Lists Pages that belong to a business portfolio.
    { setting: "FACEBOOK_BUSINESS_PAGES", isOn: () => env.facebookBusinessPages, scopes: ["business_management"] },
  ],
  readScopes: (session) => readGrantedScopes(userCaller(session)),
  /**
   * With Facebook Login for Business, a configuration ID replaces the scopes. `auth_type` asks again for permissions that the
   * person declined before; without it, Facebook's dialog leaves them out, and every further connect would fail.
   */
  begin: async (app, request) =>
    authorizationUrl(
      app,
      `/${VERSION}/dialog/oauth`,
      request,
      app.configId ? undefined : requestedScopes(connect).join(","),
      {
        config_id: app.configId,
        auth_type: app.configId ? undefined : "rerequest",
      },
    ),
  /** The code gives a token of one or two hours, which is exchanged immediately for one of 60 days. */
  async exchange(app, { code, redirectUri }) {
    const { clientId: client_id, clientSecret: client_secret } = app;
    const parameters = query({ client_id, client_secret, redirect_uri: redirectUri, code });
    const short = await readAnswer(
      "Facebook",
      tokenSchema,
      await app.fetch(`/${VERSION}/oauth/access_token?${parameters}`),
    );
    const long = await longLived(app, short.access_token);
    const person = { app, token: long.accessToken, fetch: app.fetch };
    return { ...long, scopes: await readGrantedScopes(person), extra: await pageTokens(person) };
  },
};

/** @param ends when the given token ends, which counts if Facebook does not state when the new one does */
async function longLived(app: App, token: string, ends = expiryAfter(60 * DAY)): Promise<Tokens> {
  const parameters = query({
    grant_type: "fb_exchange_token",
    client_id: app.clientId,
    client_secret: app.clientSecret,
    fb_exchange_token: token,
  });
  const answer = await app.fetch(`/${VERSION}/oauth/access_token?${parameters}`);
  const long = await readAnswer("Facebook", tokenSchema, answer);
  return { accessToken: long.access_token, expiresAt: expiryAfter(long.expires_in) ?? ends };
}

const BEFORE_SECONDS = 12 * DAY;

/**
 * There is no refresh token: at about day 48 of 60, a valid token is exchanged for one with a new period. Meta does not document
 * that this extends the period. If the new token ends just as soon, it is marked (`isFinal`), and the user is asked to connect
 * again before its end.
 */
export const refresh = {
  beforeSeconds: BEFORE_SECONDS,
  isReusable: true as const,
  isPossible: ({ extra }: Tokens) => extra?.isFinal === undefined,
  async run(app: App, tokens: Tokens): Promise<Tokens> {
    if (tokens.expiresAt && Date.parse(tokens.expiresAt) < Date.now())
      throw new PlatformError("reconnect", "This account's permission at Facebook has expired. Reconnect the account");
    const fresh = await longLived(app, tokens.accessToken, tokens.expiresAt);
    const isExtended = Date.parse(fresh.expiresAt ?? "") > Date.now() + BEFORE_SECONDS * 1000;
    const pages = await pageTokens({ app, token: fresh.accessToken, fetch: app.fetch });
    const { isFinal: _, ...kept } = tokens.extra ?? {};
    const extra = { ...kept, ...pages };
    return { ...tokens, ...fresh, extra: isExtended ? extra : { ...extra, isFinal: "true" } };
  },
};

/** Revokes all permissions that the user granted us (developers.facebook.com: `DELETE /{user-id}/permissions`). */
export async function revoke(app: App, { accessToken: token }: Tokens): Promise<void> {
  const path = `/${VERSION}/me/permissions?${query(appSecretProof({ app, token }))}`;
  await app.fetch(path, { method: "DELETE", auth: { bearer: token } });
}

const meSchema = z.object({
  id: idSchema,
  name: z.string(),
  picture: z.object({ data: z.object({ url: z.string().optional() }) }).optional(),
});

/** Facebook users have no user name, so their display name is used. */
export async function me(session: NetworkSession): Promise<Profile> {
  const fields = { fields: "id,name,picture.width(200).height(200){url}" };
  const { id, name, picture } = await readAnswer("Facebook", meSchema, await get(userCaller(session), "/me", fields));
  return { accountId: id, username: name, displayName: name, avatarUrl: picture?.data.url };
}
