import { eq } from "drizzle-orm";
import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { applications, db, grants, partners, users } from "../db";
import { env } from "../env";
import { randomToken } from "../secrets";
import { ALGORITHM, signingKey, verifyingKey } from "./keys";
import { type Scope, toWire } from "./scopes";

/** How long an access token lives (RFC 9068 asks for short); a partner caches it until shortly before. */
export const ACCESS_TOKEN_SECONDS = 3600;

/** What a valid access token stands for, as the database knows it now. */
export type Grant = {
  id: string;
  scopes: string[];
  suspended: boolean;
  user?: { id: string };
  partner?: { id: string; clientId: string };
};

const Claims = z.object({ gid: z.uuid(), sub: z.string(), client_id: z.string(), scope: z.string(), jti: z.string() });

/** Signs claims as an access token (RFC 9068: `typ` `at+jwt`). */
export async function signAccessToken(claims: { [name: string]: unknown }): Promise<string> {
  const { kid, key } = await signingKey();
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ: "at+jwt", kid }).sign(key);
}

/** A token for scripts and benchmarks that acts as one person. */
export async function createPersonalToken(userId: string, scopes: Scope[], ttlSeconds = ACCESS_TOKEN_SECONDS) {
  const [grant] = await db.insert(grants).values({ kind: "personal", userId, scopes }).returning();
  if (!grant) throw new Error("the grant was not stored");
  const now = Math.floor(Date.now() / 1000);
  const access_token = await signAccessToken({
    iss: env.authUrl,
    aud: env.baseUrl,
    sub: userId,
    client_id: "personal",
    scope: toWire(scopes),
    gid: grant.id,
    jti: randomToken(16),
    iat: now,
    exp: now + ttlSeconds,
  });
  return { access_token, expires_in: ttlSeconds };
}

/**
 * The grant behind a bearer token, or undefined where the token is not one of our access tokens, has expired, or its grant
 * was revoked. A signature alone cannot see suspension or revocation, so the rows are read each time.
 */
export async function grantOf(token: string): Promise<Grant | undefined> {
  const claims = await verified(token);
  if (!claims) return undefined;
  const [row] = await db
    .select({ grant: grants, application: applications, partner: partners, user: users })
    .from(grants)
    .leftJoin(applications, eq(applications.clientId, grants.clientId))
    .leftJoin(partners, eq(partners.clientId, grants.clientId))
    .leftJoin(users, eq(users.id, grants.userId))
    .where(eq(grants.id, claims.gid));
  if (!row || row.grant.revokedAt) return undefined;
  return {
    id: row.grant.id,
    scopes: row.grant.scopes,
    suspended: Boolean(row.application?.suspendedAt ?? row.user?.suspendedAt),
    user: row.user ? { id: row.user.id } : undefined,
    partner: row.partner ? { id: row.partner.id, clientId: row.partner.clientId } : undefined,
  };
}

async function verified(token: string) {
  if (token.length > 4096) return undefined;
  try {
    const header = decodeProtectedHeader(token);
    const key = typeof header.kid === "string" ? await verifyingKey(header.kid) : undefined;
    if (!key || header.jku || header.x5u || header.jwk || header.crit) return undefined;
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      typ: "at+jwt",
      issuer: env.authUrl,
      audience: env.baseUrl,
      requiredClaims: ["exp", "iat"],
    });
    return Claims.parse(payload);
  } catch {
    return undefined; // whatever is wrong with it, it is no token of ours
  }
}
