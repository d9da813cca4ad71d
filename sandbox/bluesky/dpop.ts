import { createHash, createHmac, randomBytes } from "node:crypto";
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader, EmbeddedJWK, jwtVerify } from "jose";
import type { Call } from "../core/network";
import { OAuthError, proofError } from "./errors";
import type { BlueskyState } from "./state";

/** The reference server's: a nonce is good for three rounds of one minute. */
const ROUND_MS = 60_000;
const ROUNDS = 3;
const MAX_AGE_SECONDS = 60;
const SECRETS = { authorization: randomBytes(32), data: randomBytes(32) };

/** Authorization server and data server have nonces of their own. */
export type Server = keyof typeof SECRETS;

export function nonceOf(state: BlueskyState, server: Server, ago = 0): string {
  const round = Math.floor(state.world.clock.now() / ROUND_MS) - ago;
  return createHmac("sha256", SECRETS[server]).update(String(round)).digest("base64url");
}

function isNonce(state: BlueskyState, server: Server, nonce: unknown): boolean {
  return Array.from({ length: ROUNDS }, (_, ago) => nonceOf(state, server, ago)).includes(String(nonce));
}

/** A call that can only end in the nonce being told: no attempt at what it asks for. */
export function isHandshake(state: BlueskyState, server: Server, call: Call): boolean {
  const proof = call.req.header("dpop");
  try {
    return proof !== undefined && !isNonce(state, server, decodeJwt(proof).nonce);
  } catch {
    return false;
  }
}

/**
 * The thumbprint of the key behind a call's proof (RFC 9449, section 4.3): its form, its signature, the method and address
 * that it is for, its nonce, its first use, and the token that it goes with.
 */
export async function provenKey(state: BlueskyState, server: Server, call: Call, token?: string): Promise<string> {
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
  const age = Date.now() / 1000 - (claims.iat ?? 0); // by the caller's clock, which nobody has moved
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
  if (protectedHeader.jwk && "d" in protectedHeader.jwk) throw new Error("a private key is shown");
  return payload;
}

function isUsed(state: BlueskyState, jti: string): boolean {
  const now = Date.now();
  for (const [seen, at] of state.proofs) if (at < now - 2 * MAX_AGE_SECONDS * 1000) state.proofs.delete(seen);
  const isSeen = state.proofs.has(jti);
  state.proofs.set(jti, now);
  return isSeen;
}
