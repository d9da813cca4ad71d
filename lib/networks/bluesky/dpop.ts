import { createHash, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { z } from "zod";
import { PlatformError } from "../errors";

/** A server changes its nonce every few minutes; one that is not remembered costs one more round. */
const MOST_SERVERS = 1000;
/** The newest nonce of each server (origin): authorization server and data server have one each. */
const nonces = new Map<string, string>();

/** RFC 9449, section 8.2: any answer may bring the nonce that the next proof needs. */
export function rememberNonce(url: string, headers: Headers): void {
  const nonce = headers.get("dpop-nonce");
  if (!nonce) return;
  if (nonces.size >= MOST_SERVERS) nonces.clear();
  nonces.set(new URL(url).origin, nonce);
}

/** A new key of one session, as the JSON text that is kept with its tokens. */
export async function newProofKey(): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true });
  return JSON.stringify(await exportJWK(privateKey));
}

const keySchema = z.object({ kty: z.literal("EC"), crv: z.literal("P-256"), x: z.string(), y: z.string() });

/**
 * A proof for one request (RFC 9449, section 4.2), with the server's newest nonce where one is known.
 * @param accessToken what the proof is bound to besides; absent towards the authorization server
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

/** Calls once more where the server asked for a nonce: it refused the first call, and has named the nonce by now. */
export async function withNonce<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof PlatformError) || error.answer?.code !== "use_dpop_nonce") throw error;
    return call();
  }
}
