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
 * Returns the authorization server of a data server (RFC 9728, RFC 8414). The default entryway is an authorization server
 * itself, so a host that refers to no other server is asked for its own metadata.
 */
export async function authorizationServerOf(app: App, host: string): Promise<AuthorizationServer> {
  const resource = await documentAt(app, `${host}/.well-known/oauth-protected-resource`, resourceSchema);
  return describedServer(app, resource?.authorization_servers[0] ?? host);
}

/** Reads an authorization server's metadata by its issuer. */
export async function describedServer(app: App, issuer: string): Promise<AuthorizationServer> {
  const at = issuer.replace(/\/$/, "");
  const server = await documentAt(app, `${at}/.well-known/oauth-authorization-server`, serverSchema);
  if (!server || server.issuer.replace(/\/$/, "") !== at)
    throw new PlatformError("rejected", "This Bluesky account's server does not support sign-in by OAuth");
  return server;
}

/** Whether an account is on one of Bluesky's own servers, which run the current version of the lexicons. */
export function isBlueskys({ extra }: Tokens): boolean {
  if (!extra?.pds) return true; // the default entryway is used
  const { hostname } = new URL(extra.pds);
  return hostname === "bsky.social" || hostname.endsWith(".host.bsky.network");
}
