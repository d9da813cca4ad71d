import { z } from "zod";
import type { App, ConnectRequest, Tokens } from "../network";
import { expiryAfter, query } from "./query";

/**
 * Builds the address of an authorization request (RFC 6749, 4.1.1) on one of the network's pages.
 * @param more further parameters; undefined values are omitted
 */
export function authorizationUrl(
  app: App,
  page: string,
  { state, redirectUri }: ConnectRequest,
  scope: string | undefined,
  more: { [name: string]: string | undefined } = {},
): { url: string } {
  const asked = { client_id: app.clientId, redirect_uri: redirectUri, response_type: "code", scope, state };
  return { url: `${app.url(page, "web")}?${query({ ...asked, ...more })}` };
}

/** A token response (RFC 6749, 5.1), as far as the networks follow it. */
export const tokenSchema = z.object({
  access_token: z.string(),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
});

/** Returns the tokens of a token response. Some networks separate scopes with commas; no scope contains one. */
export function tokensIn(answer: z.output<typeof tokenSchema>): Tokens {
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: expiryAfter(answer.expires_in),
    scopes: answer.scope?.split(/[ ,]+/).filter(Boolean),
  };
}
