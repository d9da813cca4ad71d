import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { db, type Tx } from "../db";
import { type Actor, audit } from "../db/audit";
import { env } from "../env";
import { randomToken } from "../secrets";
import { assertConfirmedAddress } from "../users";
import { createGrant } from "./grants";
import { ALGORITHM, keepKeyUntil, signingKey, verifyingKey } from "./keys";
import { formatScopes, parseScopes, type Scope } from "./scopes";

/** How long an access token lives (RFC 9068 recommends a short life). Partners cache it until shortly before. */
export const ACCESS_TOKEN_SECONDS = 3600;
/** The largest tolerated difference between the clocks of several machines. */
const CLOCK_SKEW_SECONDS = 60;
const MAX_LENGTH = 4096;

const Claims = z.object({
  exp: z.number(),
  iat: z.number(),
  nbf: z.number().optional(),
  sub: z.string().min(1),
  client_id: z.string().min(1),
  scope: z.string(),
  jti: z.string().min(1),
  gid: z.uuid(),
});

/** The content of one of our tokens: its grant and the scopes of it that it carries. */
export type AccessToken = { grantId: string; clientId: string; scopes: Scope[]; expiresAt: number };

type Subject = { grantId: string; subject: string; clientId: string; scopes: Scope[] };

/** Signs an access token (RFC 9068: `typ` `at+jwt`). */
export async function issueAccessToken(
  { grantId, subject, clientId, scopes }: Subject,
  seconds = ACCESS_TOKEN_SECONDS,
): Promise<{ access_token: string; expires_in: number }> {
  const { kid, key } = await signingKey();
  if (seconds > ACCESS_TOKEN_SECONDS) await keepKeyUntil(kid, seconds);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: env.authUrl,
    aud: env.baseUrl,
    sub: subject,
    client_id: clientId,
    scope: formatScopes(scopes),
    gid: grantId,
    jti: randomToken(16),
    iat: now,
    exp: now + seconds,
  };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: "at+jwt", kid }).sign(key);
  return { access_token: token, expires_in: seconds };
}

/** `assertRoom` is called in the transaction that creates the token, and throws if the person has too many. */
type NewToken = { name?: string; actor: Actor; sessionEpoch?: number; assertRoom?: (tx: Tx) => Promise<void> };

/** Creates a personal token, with which scripts act for one user. */
export async function createPersonalToken(
  userId: string,
  scopes: Scope[],
  ttlSeconds = ACCESS_TOKEN_SECONDS,
  { name, actor, sessionEpoch, assertRoom }: NewToken = { actor: "operator" },
) {
  const grantId = await db.transaction(async (tx) => {
    if (actor !== "operator") await assertConfirmedAddress(tx, { id: userId, sessionEpoch }, "tokens");
    await assertRoom?.(tx);
    const id = await createGrant({ kind: "personal", userId, scopes, name, expiresInSeconds: ttlSeconds }, tx);
    await audit(tx, { action: "token.created", actor, subject: id, details: { userId } });
    return id;
  });
  return issueAccessToken({ grantId, subject: userId, clientId: "personal", scopes }, ttlSeconds);
}

/** Verifies and reads one of our access tokens; undefined if it is invalid or expired. */
export async function readAccessToken(token: string): Promise<AccessToken | undefined> {
  const kid = isCanonical(token) ? kidOf(token) : undefined;
  const key = kid === undefined ? undefined : await verifyingKey(kid);
  if (!key) return undefined;
  const verified = await jwtVerify(token, key, {
    algorithms: [ALGORITHM],
    typ: "at+jwt",
    issuer: env.authUrl,
    audience: env.baseUrl,
    clockTolerance: CLOCK_SKEW_SECONDS,
  }).catch(() => undefined); // invalid for whatever reason
  const { data: claims } = Claims.safeParse(verified?.payload);
  const now = Date.now() / 1000;
  // The tolerance covers clocks that run behind; it does not extend a token's life.
  if (!claims || claims.exp <= now || claims.iat > now + CLOCK_SKEW_SECONDS) return undefined;
  const scopes = parseScopes(claims.scope);
  return scopes && { grantId: claims.gid, clientId: claims.client_id, scopes, expiresAt: claims.exp * 1000 };
}

/** Whether the encoding is canonical: base64url has padding and spare bits that a decoder may ignore (RFC 4648, section 3.5). */
function isCanonical(token: string): boolean {
  if (token.length > MAX_LENGTH || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return false;
  const signature = token.slice(token.lastIndexOf(".") + 1);
  return Buffer.from(signature, "base64url").toString("base64url") === signature;
}

/** The `kid` of a token; undefined if it is not a JWT or contains or refers to a key of its own. */
function kidOf(token: string): string | undefined {
  try {
    const { kid, jku, jwk, x5u, x5c, crit } = decodeProtectedHeader(token);
    return typeof kid === "string" && !(jku || jwk || x5u || x5c || crit) ? kid : undefined;
  } catch {
    return undefined;
  }
}
