import { createHash, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { z } from "zod";
import { PlatformError } from "../errors";

/** Servers change their nonce every few minutes; a forgotten nonce only costs one more round trip. */
const MOST_SERVERS = 1000;
/** The latest nonce of each server (by origin); the authorization server and the data server have separate ones. */
const nonces = new Map<string, string>();

/** Stores the nonce for the next proof, which any response can contain (RFC 9449, section 8.2). */
export function rememberNonce(url: string, headers: Headers): void {
  const nonce = headers.get("dpop-nonce");
  if (!nonce) return;
  if (nonces.size >= MOST_SERVERS) nonces.clear();
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
