import { z } from "zod";
import { PlatformError } from "../errors";
import { readAnswer } from "../json";
import type { App, OAuthConnect, Tokens } from "../network";
import { form, inSeconds, query } from "../query";

const REQUIRED = ["threads_basic", "threads_content_publish"];
/** Replies to one's own posts went out without the third at times; the quota table lists it for all replies. */
const SCOPES = [...REQUIRED, "threads_manage_replies"];
const DAY = 86_400;

const shortSchema = z.object({ access_token: z.string() });
const longSchema = z.object({ access_token: z.string(), expires_in: z.number().optional() });
const inspectedSchema = z.object({ data: z.object({ scopes: z.array(z.string()).optional() }) });

/** developers.facebook.com/documentation/threads/get-started/get-access-tokens-and-permissions; no PKCE. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: REQUIRED,
  async begin(app, { state, redirectUri }) {
    const parameters = query({
      client_id: app.clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: SCOPES.join(","),
      state,
    });
    return { url: `${app.url("/oauth/authorize", "web")}?${parameters}` };
  },
  /** The code gives a token of one hour, which is changed at once for one of 60 days. */
  async exchange(app, { code, redirectUri }) {
    const call = form({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code: code.replace(/#_$/, ""),
    });
    const short = await readAnswer("Threads", shortSchema, await app.fetch("/oauth/access_token", call));
    const long = await longLived(app, "/access_token", {
      grant_type: "th_exchange_token",
      client_secret: app.clientSecret,
      access_token: short.access_token,
    });
    return { ...long, scopes: await grantedScopes(app, long.accessToken) };
  },
};

/** No token answer says what was granted; the token itself does (…/threads/reference, debug_token). Unknown where it fails. */
async function grantedScopes(app: App, token: string): Promise<string[] | undefined> {
  try {
    const path = `/debug_token?${query({ input_token: token, access_token: token })}`;
    return (await readAnswer("Threads", inspectedSchema, await app.fetch(path))).data.scopes;
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

/** The token is its own refresh credential: at least a day old, not expired. Due at about day 48 of 60. */
export const refresh = {
  beforeSeconds: 12 * DAY,
  isReusable: true as const,
  async run(app: App, tokens: Tokens): Promise<Tokens> {
    if (tokens.expiresAt && Date.parse(tokens.expiresAt) < Date.now())
      throw new PlatformError(
        "reconnect",
        "This account's permission at Threads has run out. Connect the account again",
      );
    const parameters = { grant_type: "th_refresh_token", access_token: tokens.accessToken };
    return { ...tokens, ...(await longLived(app, "/refresh_access_token", parameters)) };
  },
};

async function longLived(app: App, path: string, parameters: { [name: string]: string }): Promise<Tokens> {
  const answer = await readAnswer("Threads", longSchema, await app.fetch(`${path}?${query(parameters)}`));
  return { accessToken: answer.access_token, expiresAt: inSeconds(answer.expires_in ?? 60 * DAY) };
}
