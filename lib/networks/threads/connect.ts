import { z } from "zod";
import { env } from "../../env";
import { requestedScopes } from "../connect";
import { PlatformError } from "../errors";
import { longLivedTokens } from "../meta/long-lived-tokens";
import type { App, OAuthConnect } from "../network";
import { readAnswer } from "../wire/json";
import { authorizationUrl } from "../wire/oauth";
import { form, query } from "../wire/query";
import { LOCATIONS_SCOPE } from "./api";

const tokens = longLivedTokens("Threads", "th");

const shortSchema = z.object({ access_token: z.string() });
const inspectedSchema = z.object({ data: z.object({ scopes: z.array(z.string()).optional() }) });

/** developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions; without PKCE. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: ["threads_basic", "threads_content_publish"],
  scopePurposes: { threads_basic: "profile", threads_content_publish: "publish" },
  /** Replies to own posts sometimes worked without it, although the quota table lists it for all replies. */
  optionalScopes: ["threads_manage_replies"],
  switchedScopes: [{ setting: "THREADS_LOCATIONS", isOn: () => env.threadsLocations, scopes: [LOCATIONS_SCOPE] }],
  readScopes: ({ app, tokens }) => grantedScopes(app, tokens.accessToken),
  begin: async (app, request) => authorizationUrl(app, "/oauth/authorize", request, requestedScopes(connect).join(",")),
  /** The code gives a token of one hour, which is exchanged immediately for one of 60 days. */
  async exchange(app, { code, redirectUri }) {
    const call = form({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code: code.replace(/#_$/, ""),
    });
    const short = await readAnswer("Threads", shortSchema, await app.fetch("/oauth/access_token", call));
    const long = await tokens.exchange(app, short.access_token);
    return { ...long, scopes: await grantedScopes(app, long.accessToken) };
  },
};

/** Token responses do not contain the granted scopes, so they are read with debug_token (…/threads/reference); undefined on errors. */
async function grantedScopes(app: App, token: string): Promise<string[] | undefined> {
  try {
    const path = `/debug_token?${query({ input_token: token, access_token: token })}`;
    return (await readAnswer("Threads", inspectedSchema, await app.fetch(path))).data.scopes;
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

export const { refresh } = tokens;
