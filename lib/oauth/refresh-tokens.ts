import { and, eq, isNull, sql } from "drizzle-orm";
import { db, grants, refreshTokens, type Tx, users } from "../db";
import { randomToken, sha256 } from "../secrets";
import { OAuthError } from "./errors";
import { inSeconds, revokeGrant } from "./grants";
import { hasScope, type Scope } from "./scopes";

/** Counted from the consent: refreshing does not extend it. */
const REFRESH_SECONDS = 90 * 86_400;

export type Refreshed = { refreshToken: string; grantId: string; userId: string; scopes: Scope[] };

const wrongToken = () => new OAuthError("invalid_grant", "The refresh token is wrong, was used already or has expired");

/**
 * Creates the first refresh token of a grant, whose code was just exchanged.
 * @throws OAuthError invalid_grant if the person is suspended
 */
export async function startRefreshing(grantId: string): Promise<Refreshed> {
  return db.transaction(async (tx) => {
    const [grant] = await tx
      .update(grants)
      .set({ expiresAt: inSeconds(REFRESH_SECONDS) })
      .from(users)
      .where(and(eq(grants.id, grantId), eq(users.id, grants.userId), isNull(users.suspendedAt)))
      .returning({ userId: users.id, scopes: grants.scopes });
    if (!grant) throw new OAuthError("invalid_grant", "The person cannot sign in at present");
    const scopes = grant.scopes as Scope[];
    return { refreshToken: await addToken(tx, grantId), grantId, userId: grant.userId, scopes };
  });
}

/**
 * Exchanges a refresh token for the next one; `requested` narrows the scopes of the new access token. If a spent token is
 * used again, it or its successor was stolen, so the grant is revoked (RFC 9700, section 4.14.2).
 * @throws OAuthError invalid_grant, or invalid_scope for more than was granted
 */
export async function rotateRefreshToken(clientId: string, token: string, requested?: Scope[]): Promise<Refreshed> {
  const tokenHash = sha256(token);
  const [held] = await db
    .select({
      grantId: grants.id,
      userId: users.id,
      scopes: grants.scopes,
      spent: sql<boolean>`${refreshTokens.spentAt} is not null`,
      living: sql<boolean>`${grants.revokedAt} is null and ${grants.expiresAt} > now() and ${users.suspendedAt} is null`,
    })
    .from(refreshTokens)
    .innerJoin(grants, eq(grants.id, refreshTokens.grantId))
    .innerJoin(users, eq(users.id, grants.userId))
    .where(and(eq(refreshTokens.tokenHash, tokenHash), eq(grants.clientId, clientId)));
  if (held?.spent) await revokeGrant(held.grantId);
  if (!held?.living || held.spent) throw wrongToken();
  const granted = held.scopes as Scope[];
  if (requested && !requested.every((scope) => hasScope(granted, scope))) {
    throw new OAuthError("invalid_scope", "A refresh cannot request more scopes than were granted");
  }
  const refreshToken = await db.transaction(async (tx) => {
    const [spent] = await tx
      .update(refreshTokens)
      .set({ spentAt: sql`now()` })
      .where(and(eq(refreshTokens.tokenHash, tokenHash), isNull(refreshTokens.spentAt)))
      .returning();
    return spent && addToken(tx, held.grantId);
  });
  if (refreshToken === undefined) {
    await revokeGrant(held.grantId); // another request used the same token first
    throw wrongToken();
  }
  return { refreshToken, grantId: held.grantId, userId: held.userId, scopes: requested?.length ? requested : granted };
}

async function addToken(tx: Tx, grantId: string): Promise<string> {
  const token = randomToken();
  await tx.insert(refreshTokens).values({ tokenHash: sha256(token), grantId });
  return token;
}

/** The grant of a refresh token, spent or not; undefined if the token is unknown. */
export async function grantOfRefreshToken(token: string): Promise<{ grantId: string; clientId: string } | undefined> {
  const [row] = await db
    .select({ grantId: grants.id, clientId: grants.clientId })
    .from(refreshTokens)
    .innerJoin(grants, eq(grants.id, refreshTokens.grantId))
    .where(eq(refreshTokens.tokenHash, sha256(token)));
  return row && { grantId: row.grantId, clientId: row.clientId ?? "" };
}
