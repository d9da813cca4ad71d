import { z } from "zod";
import { PlatformError } from "../errors";
import type { App, Tokens } from "../network";
import { documentAt, isSafe } from "./identity";

const address = z.string().refine(isSafe);

const resourceSchema = z.object({ authorization_servers: z.array(address).min(1) });

const serverSchema = z.object({
  issuer: z.string(),
  authorization_endpoint: address,
  token_endpoint: address,
  pushed_authorization_request_endpoint: address,
  revocation_endpoint: address.optional(),
});

export type AuthorizationServer = z.output<typeof serverSchema>;

/**
 * Who signs people in for a data server (RFC 9728, RFC 8414). The usual entrance is itself an authorization server, so one
 * that points to nobody else is asked for its own description.
 */
export async function authorizationServerOf(app: App, host: string): Promise<AuthorizationServer> {
  const resource = await documentAt(app, `${host}/.well-known/oauth-protected-resource`, resourceSchema);
  return describedServer(app, resource?.authorization_servers[0] ?? host);
}

/** An authorization server by its issuer, as it describes itself. */
export async function describedServer(app: App, issuer: string): Promise<AuthorizationServer> {
  const at = issuer.replace(/\/$/, "");
  const server = await documentAt(app, `${at}/.well-known/oauth-authorization-server`, serverSchema);
  if (!server || server.issuer.replace(/\/$/, "") !== at)
    throw new PlatformError("rejected", "This Bluesky account's server does not sign people in by OAuth");
  return server;
}

/** Whether an account lives on one of Bluesky's own servers, which run what the lexicons say now. */
export function isBlueskys({ extra }: Tokens): boolean {
  if (!extra?.pds) return true; // the usual entrance stands in
  const { hostname } = new URL(extra.pds);
  return hostname === "bsky.social" || hostname.endsWith(".host.bsky.network");
}
