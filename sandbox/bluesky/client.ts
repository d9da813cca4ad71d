import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from "jose";
import * as z from "zod";
import { isLoopback, parseUrl } from "../core/consent";
import { OAuthError } from "./errors";

/** An OAuth client. A client with keys is confidential and must authenticate each call. */
export type OAuthClient = { id: string; redirectUris: string[]; scopes: string[]; keys?: JSONWebKeySet };

const Document = z.looseObject({
  client_id: z.string(),
  client_name: z.string().optional(),
  application_type: z.enum(["web", "native"]).default("web"),
  grant_types: z.array(z.string()).refine((types) => types.includes("authorization_code")),
  response_types: z.array(z.string()).refine((types) => types.includes("code")),
  redirect_uris: z.array(z.url()).min(1),
  scope: z.string().refine((scope) => scope.split(" ").includes("atproto")),
  dpop_bound_access_tokens: z.literal(true),
  token_endpoint_auth_method: z.enum(["none", "private_key_jwt"]),
  token_endpoint_auth_signing_alg: z.literal("ES256").optional(),
  jwks: z.looseObject({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) }).optional(),
});

/**
 * Resolves a client id as atproto.com/specs/oauth ("Clients") describes: the URL of a public metadata document (loopback is
 * accepted in place of public https), or `http://localhost` with the metadata in its query.
 */
export async function clientOf(id: string): Promise<OAuthClient> {
  const url = parseUrl(id);
  if (!url) throw invalidClient("client_id must be a URL");
  if (url.protocol === "http:" && url.hostname === "localhost") return loopbackClient(id, url);
  if (!(url.protocol === "https:" || isLoopback(url.hostname)) || url.pathname === "/" || url.hash)
    throw invalidClient("client_id must be an https URL with a path");
  const answer = await fetch(id, { redirect: "manual", signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
  if (answer?.status !== 200 || !answer.headers.get("content-type")?.startsWith("application/json")) {
    await answer?.body?.cancel(); // an unread body can end the process (ADR 61)
    throw invalidClient("Unable to obtain client metadata");
  }
  const document = Document.safeParse(await answer.json().catch(() => undefined));
  if (!document.success || document.data.client_id !== id) throw invalidClient("Invalid client metadata");
  const { redirect_uris, scope, token_endpoint_auth_method, token_endpoint_auth_signing_alg, jwks } = document.data;
  const isConfidential = token_endpoint_auth_method === "private_key_jwt";
  if (isConfidential && (!jwks || !token_endpoint_auth_signing_alg))
    throw invalidClient("private_key_jwt requires jwks");
  if (jwks?.keys.some((key) => "d" in key)) throw invalidClient("jwks must not hold a private key");
  const facts = { id, redirectUris: redirect_uris, scopes: scope.split(" ") };
  return isConfidential && jwks ? { ...facts, keys: jwks as JSONWebKeySet } : facts; // jose validates each key that it uses
}

function loopbackClient(id: string, url: URL): OAuthClient {
  if (url.port || url.pathname !== "/" || id.startsWith("http://localhost/")) {
    throw invalidClient("Loopback client_id must be http://localhost without port or path");
  }
  const redirectUris = url.searchParams.getAll("redirect_uri");
  const isAddress = (one: string) => ["127.0.0.1", "[::1]"].includes(parseUrl(one)?.hostname ?? "");
  if (!redirectUris.every(isAddress)) throw invalidClient("Loopback redirect_uri must be 127.0.0.1 or [::1]");
  const scope = url.searchParams.get("scope") ?? "atproto";
  return { id, redirectUris: redirectUris.length ? redirectUris : ["http://127.0.0.1/"], scopes: scope.split(" ") };
}

function invalidClient(message: string): OAuthError {
  return new OAuthError("invalid_client_metadata", message);
}

/** Whether a redirect URI is registered. Loopback addresses may use another port (RFC 8252, section 7.3). */
export function isRedirectOf({ redirectUris }: OAuthClient, asked: string): boolean {
  const bare = (address: string) => {
    const url = new URL(address);
    if (["127.0.0.1", "[::1]"].includes(url.hostname)) url.port = "";
    return url.href;
  };
  return parseUrl(asked) !== undefined && redirectUris.some((known) => known === asked || bare(known) === bare(asked));
}

const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const usedAssertions = new Set<string>();

/** Authenticates a client by its assertion (RFC 7523, section 3). A public client only states its id. */
export async function authenticateClient(form: URLSearchParams, issuer: string): Promise<OAuthClient> {
  const client = await clientOf(form.get("client_id") ?? "");
  if (!client.keys) {
    if (form.has("client_assertion")) throw new OAuthError("invalid_client", "Client authentication not expected", 401);
    return client;
  }
  if (form.get("client_assertion_type") !== ASSERTION)
    throw new OAuthError("invalid_client", "client_assertion required", 401);
  const assertion = form.get("client_assertion") ?? "";
  try {
    await jwtVerify(assertion, createLocalJWKSet(client.keys), {
      algorithms: ["ES256"],
      issuer: client.id,
      subject: client.id,
      audience: issuer,
      maxTokenAge: "1 minute",
    });
    const jti = decodeJwt(assertion).jti ?? "";
    if (!jti || usedAssertions.has(jti)) throw new Error("replayed");
    usedAssertions.add(jti);
  } catch {
    throw new OAuthError("invalid_client", "Invalid client_assertion", 401);
  }
  return client;
}
