import { createECDH, createHash, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { z } from "zod";
import { isLoopback } from "../../env";
import { PlatformError } from "../errors";
import type { App } from "../network";
import { query } from "../wire/query";

/** Servers change their nonce every few minutes; a forgotten nonce only costs one more round trip. */
const MAX_SERVERS = 1000;
/** The latest nonce of each server (by origin); the authorization server and the data server have separate ones. */
const nonces = new Map<string, string>();

/** Stores the nonce for the next proof, which any response can contain (RFC 9449, section 8.2). */
export function rememberNonce(url: string, headers: Headers): void {
  const nonce = headers.get("dpop-nonce");
  if (!nonce) return;
  if (nonces.size >= MAX_SERVERS) nonces.clear();
  nonces.set(new URL(url).origin, nonce);
}

/** Creates a session's key, as the JSON text that is stored with its tokens. */
export async function newProofKey(): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

const keySchema = z.object({ kty: z.literal("EC"), crv: z.literal("P-256"), x: z.string(), y: z.string() });

/**
 * Creates a proof for one request (RFC 9449, section 4.2), with the server's latest nonce if known.
 * @param accessToken binds the proof to a token; absent for calls to the authorization server
 */
export async function proofFor(
  key: string,
  { method, url }: { method: string; url: string },
  accessToken?: string,
): Promise<string> {
  const jwk: JWK = JSON.parse(key);
  const { origin, pathname } = new URL(url);
  const nonce = nonces.get(origin);
  const claims = {
    htm: method,
    htu: `${origin}${pathname}`,
    ...(nonce ? { nonce } : {}),
    ...(accessToken ? { ath: createHash("sha256").update(accessToken).digest("base64url") } : {}),
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "ES256", typ: "dpop+jwt", jwk: keySchema.parse(jwk) })
    .setIssuedAt()
    .setJti(randomUUID())
    .sign(await importJWK(jwk, "ES256"));
}

/** Repeats a call once if the server refused it to request a nonce; by then the nonce is stored. */
export async function withNonce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.answer?.code !== "use_dpop_nonce") throw error;
    return call();
  }
}

/**
 * Scopes (atproto.com/specs/permission): create posts and their reply controls, upload their files, and let the video service
 * upload for us.
 */
export const REPO_SCOPE = "repo:app.bsky.feed.post?action=create&action=update";
export const GATE_SCOPE = "repo:app.bsky.feed.threadgate?action=create";
export const SCOPES = [
  "atproto",
  REPO_SCOPE,
  GATE_SCOPE,
  "blob:image/*",
  "blob:video/*",
  "rpc:com.atproto.repo.uploadBlob?aud=*",
  "rpc:app.bsky.video.getUploadLimits?aud=*",
];

/** What older servers know instead of the scopes above: everything that an app password may do. */
export const BROAD_SCOPE = "transition:generic";
export const BROAD_SCOPES = ["atproto", BROAD_SCOPE];

const LOOPBACK_CLIENT = "http://localhost?";

/**
 * Returns our client ID for an authorization server (atproto.com/specs/oauth, "Clients"): the address of our public client
 * metadata document or, on a local machine that no server can reach, a description within the ID itself. An older server refuses
 * a client that declares a scope that it does not know, so the client that requests the broad scope has its own ID.
 */
export function clientIdFor(app: App, redirectUri: string, scopes: string[]): string {
  if (!isLoopback(redirectUri)) return scopes === BROAD_SCOPES ? `${app.clientId}-broad` : app.clientId;
  return `${LOOPBACK_CLIENT}${query({ redirect_uri: redirectUri, scope: scopes.join(" ") })}`;
}

/** The client metadata documents served at our client IDs. */
export function clientDocuments(app: App, redirectUri: string) {
  return [SCOPES, BROAD_SCOPES].map((scopes) => clientDocument(app, redirectUri, scopes));
}

function clientDocument(app: App, redirectUri: string, scopes: string[]) {
  return {
    client_id: clientIdFor(app, redirectUri, scopes),
    client_name: "Carillon",
    client_uri: new URL(app.clientId).origin,
    application_type: "web",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    redirect_uris: [redirectUri],
    scope: scopes.join(" "),
    dpop_bound_access_tokens: true,
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    jwks: { keys: [{ ...publicPart(keyOf(app)), alg: "ES256", use: "sig" }] },
  };
}

/** Returns the fields that authenticate our client (RFC 7523). On a local machine it is a public client without a key. */
export async function clientFields(app: App, clientId: string, issuer: string): Promise<{ [name: string]: string }> {
  if (clientId.startsWith(LOOPBACK_CLIENT)) return { client_id: clientId };
  const key = keyOf(app);
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: "ES256", kid: key.kid })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime("1m")
    .sign(await importJWK(key, "ES256"));
  return {
    client_id: clientId,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  };
}

/** Our key pair. The setting holds the private key as 32 bytes in hexadecimal; any other text is hashed to a key. */
function keyOf(app: App): JWK {
  const isHexKey = /^[0-9a-f]{64}$/i.test(app.clientSecret);
  const d = isHexKey ? Buffer.from(app.clientSecret, "hex") : createHash("sha256").update(app.clientSecret).digest();
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(d);
  const point = pair.getPublicKey(); // 0x04, then x and y of 32 bytes each (SEC 1, section 2.3.3)
  const part = (from: number) => point.subarray(from, from + 32).toString("base64url");
  const kid = createHash("sha256").update(point).digest("base64url").slice(0, 16);
  return { kty: "EC", crv: "P-256", x: part(1), y: part(33), d: d.toString("base64url"), kid };
}

function publicPart({ kty, crv, x, y, kid }: JWK): JWK {
  return { kty, crv, x, y, kid };
}
