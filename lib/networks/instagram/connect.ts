import { z } from "zod";
import { PlatformError } from "../errors";
import { readAnswer } from "../json";
import { multipart } from "../multipart";
import type { App, OAuthConnect, Tokens } from "../network";
import { inSeconds, query } from "../query";

const SCOPES = ["instagram_business_basic", "instagram_business_content_publish"];
const DAY = 86_400;

const permissions = z.union([z.string().transform((list) => list.split(/[ ,]+/).filter(Boolean)), z.array(z.string())]);
const shortSchema = z.object({ access_token: z.string(), permissions: permissions.optional().catch(undefined) });
/** Documented within `data[0]`, seen flat in production. */
const shortAnswer = z.union([
  shortSchema,
  z.object({ data: z.tuple([shortSchema]).rest(shortSchema) }).transform((a) => a.data[0]),
]);

const longSchema = z.object({ access_token: z.string(), expires_in: z.number().optional() });

/** developers.facebook.com/documentation/instagram-platform/instagram-api-with-instagram-login/business-login; no PKCE. */
export const connect: OAuthConnect = {
  kind: "oauth",
  requiredScopes: SCOPES,
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
    const { headers, body } = multipart({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      code: code.replace(/#_$/, ""),
    });
    const response = await app.fetch("/oauth/access_token", { host: "token", method: "POST", headers, body });
    const short = await readAnswer("Instagram", shortAnswer, response);
    const long = await longLived(app, "/access_token", {
      grant_type: "ig_exchange_token",
      client_secret: app.clientSecret,
      access_token: short.access_token,
    });
    return { ...long, scopes: short.permissions };
  },
};

/** The token is its own refresh credential: at least a day old, not expired. Due at about day 48 of 60. */
export const refresh = {
  beforeSeconds: 12 * DAY,
  isReusable: true as const,
  async run(app: App, tokens: Tokens): Promise<Tokens> {
    if (tokens.expiresAt && Date.parse(tokens.expiresAt) < Date.now())
      throw new PlatformError(
        "reconnect",
        "This account's permission at Instagram has run out. Connect the account again",
      );
    const long = await longLived(app, "/refresh_access_token", {
      grant_type: "ig_refresh_token",
      access_token: tokens.accessToken,
    });
    return { ...tokens, ...long };
  },
};

async function longLived(app: App, path: string, parameters: { [name: string]: string }): Promise<Tokens> {
  const answer = await readAnswer("Instagram", longSchema, await app.fetch(`${path}?${query(parameters)}`));
  return { accessToken: answer.access_token, expiresAt: inSeconds(answer.expires_in ?? 60 * DAY) };
}
