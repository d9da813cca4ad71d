import { z } from "zod";
import type { App, AuthorizationRequest, Tokens } from "../network";
import { inSeconds, query } from "./query";

/**
 * An authorization request (RFC 6749, 4.1.1) to one of a network's own pages.
 * @param more what the network takes besides; undefined values are left out
 */
export function authorizationUrl(
  app: App,
  page: string,
  { state, redirectUri }: AuthorizationRequest,
  scope: string | undefined,
  more: { [name: string]: string | undefined } = {},
): { url: string } {
  const asked = { client_id: app.clientId, redirect_uri: redirectUri, response_type: "code", scope, state };
  return { url: `${app.url(page, "web")}?${query({ ...asked, ...more })}` };
}

/** A token endpoint's answer (RFC 6749, 5.1), as far as networks keep to it. */
export const tokenSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});

/** The tokens of such an answer. Some networks put commas between scopes; none has one within. */
export function tokensIn(answer: z.output<typeof tokenSchema>): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: inSeconds(answer.expires_in),
    scopes: answer.scope?.split(/[ ,]+/).filter(Boolean),
  };
}
