import { createECDH, createHash, randomUUID } from "node:crypto";
import { importJWK, type JWK, SignJWT } from "jose";
import { isLoopback } from "../../env";
import type { App } from "../network";
import { query } from "../wire/query";

/** atproto.com/specs/permission: writing posts, uploading what they hold, and having videos uploaded for us. */
export const REPO_SCOPE = "repo:app.bsky.feed.post?action=create&action=update";
export const SCOPES = [
  "atproto",
  REPO_SCOPE,
  "blob:image/*",
  "blob:video/*",
  "rpc:com.atproto.repo.uploadBlob?aud=*",
  "rpc:app.bsky.video.getUploadLimits?aud=*",
];

/**
 * Who we are at an authorization server (atproto.com/specs/oauth, "Clients"): the address of our public document, or on
 * this machine, where nobody could read it, a description within the id itself.
 */
export function clientIdFor(app: App, redirectUri: string): string {
  if (!isLoopback(redirectUri)) return app.clientId;
  return `http://localhost?${query({ redirect_uri: redirectUri, scope: SCOPES.join(" ") })}`;
}

/** The public document behind our client id. */
export function clientDocument(app: App, redirectUri: string) {
  return {
    client_id: app.clientId,
    client_name: "Carillon",
    client_uri: new URL(app.clientId).origin,
    application_type: "web",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    redirect_uris: [redirectUri],
    scope: SCOPES.join(" "),
    dpop_bound_access_tokens: true,
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    jwks: { keys: [{ ...publicPart(keyOf(app)), alg: "ES256", use: "sig" }] },
  };
}

/** The fields by which a client of ours proves itself (RFC 7523); a client of this machine is a public one and only names itself. */
export async function clientFields(app: App, clientId: string, issuer: string): Promise<{ [name: string]: string }> {
  if (clientId !== app.clientId) return { client_id: clientId };
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

/** Our key pair: the setting holds its private number, 32 bytes in hexadecimal. Any other text stands for its own hash. */
function keyOf(app: App): JWK {
  const isNumber = /^[0-9a-f]{64}$/i.test(app.clientSecret);
  const d = isNumber ? Buffer.from(app.clientSecret, "hex") : createHash("sha256").update(app.clientSecret).digest();
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
