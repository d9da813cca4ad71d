import { createHash, createHmac, randomBytes } from "node:crypto";
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from "jose";
import type { Call } from "../core/network";
import { OAuthError, proofError } from "./errors";
import type { BlueskyState } from "./state";

/** As in the reference server: a nonce is valid for three rounds of one minute. */
const ROUND_MS = 60_000;
const ROUNDS = 3;
const MAX_AGE_SECONDS = 60;
const SECRETS = { authorization: randomBytes(32), data: randomBytes(32) };

/** The authorization server and the data server use separate nonces. */
export type Server = keyof typeof SECRETS;

export function nonceOf(state: BlueskyState, server: Server, ago = 0): string {
  const round = Math.floor(state.world.clock.now() / ROUND_MS) - ago;
  return createHmac("sha256", SECRETS[server]).update(String(round)).digest("base64url");
}

function isNonce(state: BlueskyState, server: Server, nonce: unknown): boolean {
  return Array.from({ length: ROUNDS }, (_, ago) => nonceOf(state, server, ago)).includes(String(nonce));
}

/** True for a call without a valid nonce. It only fetches the nonce and is not recorded as an attempt. */
export function isNonceRequest(state: BlueskyState, server: Server, call: Call): boolean {
  const proof = call.req.header("dpop");
  try {
    return proof !== undefined && !isNonce(state, server, decodeJwt(proof).nonce);
  } catch {
    return false;
  }
}

/**
 * Verifies the DPoP proof of a call: form, signature, method, URL, age, nonce, token hash and first use
 * (RFC 9449, section 4.3).
 * @returns the thumbprint of the key
 */
export async function verifyProof(state: BlueskyState, server: Server, call: Call, token?: string): Promise<string> {
  const refused = (code: "use_dpop_nonce" | "invalid_dpop_proof", message: string) =>
    server === "data" ? proofError(code, message) : new OAuthError(code, message);
  const proof = call.req.header("dpop");
  if (!proof) throw refused("invalid_dpop_proof", "DPoP proof required");
  const claims = await verified(proof).catch(() => {
    throw refused("invalid_dpop_proof", "Failed to verify DPoP proof");
  });
  const { origin, pathname } = new URL(call.req.url);
  if (claims.htm !== call.req.method) throw refused("invalid_dpop_proof", "DPoP htm mismatch");
  if (claims.htu !== `${origin}${pathname}`) throw refused("invalid_dpop_proof", "DPoP htu mismatch");
  const age = Date.now() / 1000 - (claims.iat ?? 0); // by the real clock, which the caller uses
  if (!claims.jti || Math.abs(age) > MAX_AGE_SECONDS) throw refused("invalid_dpop_proof", "DPoP proof is too old");
  if (claims.nonce === undefined)
    throw refused(
      "use_dpop_nonce",
      `${server === "data" ? "Resource" : "Authorization"} server requires nonce in DPoP proof`,
    );
  if (!isNonce(state, server, claims.nonce)) throw refused("use_dpop_nonce", "DPoP nonce mismatch");
  const ath = token && createHash("sha256").update(token).digest("base64url");
  if (claims.ath !== ath) throw refused("invalid_dpop_proof", "DPoP ath mismatch");
  if (isUsed(state, claims.jti)) throw refused("invalid_dpop_proof", "DPoP proof replayed");
  return calculateJwkThumbprint(decodeProtectedHeader(proof).jwk ?? {});
}

async function verified(proof: string) {
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: "dpop+jwt", algorithms: ["ES256"] });
  if (protectedHeader.jwk && "d" in protectedHeader.jwk) throw new Error("the proof contains a private key");
  return payload;
}

function isUsed(state: BlueskyState, jti: string): boolean {
  const now = Date.now();
  for (const [seen, at] of state.proofs) if (at < now - 2 * MAX_AGE_SECONDS * 1000) state.proofs.delete(seen);
  const isSeen = state.proofs.has(jti);
  state.proofs.set(jti, now);
  return isSeen;
}
