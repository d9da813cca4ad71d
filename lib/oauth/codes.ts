import { and, eq, exists, inArray, isNull, sql } from "drizzle-orm";
import { authorizationCodes, db, grants } from "../db";
import { audit } from "../db/audit";
import { challengeOf, randomToken, sha256 } from "../secrets";
import { assertStillAllowed } from "../users";
import { OAuthError } from "./errors";
import { createGrant, inSeconds, revokeGrant } from "./grants";
import type { Scope } from "./scopes";

const CODE_SECONDS = 60;

type NewCode = {
  clientId: string;
  userId: string;
  sessionEpoch?: number;
  scopes: Scope[];
  redirectUri: string;
  challenge?: string;
};

/** What a person has allowed, as a code that the application exchanges once (RFC 6749, section 4.1.2). */
export async function createCode({ redirectUri, challenge, sessionEpoch, ...grant }: NewCode): Promise<string> {
  const code = randomToken();
  await db.transaction(async (tx) => {
    await assertStillAllowed(tx, { id: grant.userId, sessionEpoch });
    const kind = "authorization_code";
    const grantId = await createGrant({ ...grant, kind, expiresInSeconds: CODE_SECONDS }, tx);
    const details = { userId: grant.userId, scopes: grant.scopes.join(" ") };
    await audit(tx, { action: "consent.given", actor: { id: grant.userId }, subject: grant.clientId, details });
    const expiresAt = inSeconds(CODE_SECONDS);
    await tx.insert(authorizationCodes).values({ codeHash: sha256(code), grantId, redirectUri, challenge, expiresAt });
  });
  return code;
}

/** The same error for every invalid code, whatever the reason. */
const wrongCode = () => new OAuthError("invalid_grant", "The code is wrong, was used already or has expired");

type Redemption = { code: string; redirectUri: string; verifier?: string };

/**
 * Redeems a code and returns its grant. The first use spends the code even if it fails, so that verifiers cannot be
 * guessed. Any further use revokes every token of the grant (RFC 6749, section 4.1.2).
 * @throws OAuthError invalid_grant
 */
export async function redeemCode(clientId: string, { code, redirectUri, verifier }: Redemption): Promise<string> {
  const codeHash = sha256(code);
  const ofClient = inArray(
    authorizationCodes.grantId,
    db.select({ id: grants.id }).from(grants).where(eq(grants.clientId, clientId)),
  );
  // Checked together with the first use: a second use at the same time revokes the grant, and the first must still succeed.
  const isAllowed = exists(
    db
      .select({ id: grants.id })
      .from(grants)
      .where(and(eq(grants.id, authorizationCodes.grantId), isNull(grants.revokedAt))),
  );
  const [used] = await db
    .update(authorizationCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(authorizationCodes.codeHash, codeHash), isNull(authorizationCodes.usedAt), ofClient, isAllowed))
    .returning({
      grantId: authorizationCodes.grantId,
      redirectUri: authorizationCodes.redirectUri,
      challenge: authorizationCodes.challenge,
      living: sql<boolean>`${authorizationCodes.expiresAt} > now()`,
    });
  if (!used) {
    const again = and(eq(authorizationCodes.codeHash, codeHash), ofClient);
    const [replayed] = await db.select().from(authorizationCodes).where(again);
    if (replayed) await revokeGrant(replayed.grantId);
    throw wrongCode();
  }
  if (!used.living || used.redirectUri !== redirectUri || !matchesChallenge(used.challenge, verifier))
    throw wrongCode();
  return used.grantId;
}

/** PKCE (RFC 7636). A verifier without a challenge is refused too: the challenge may have been stripped from the request. */
function matchesChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null || verifier === undefined) return challenge === null && verifier === undefined;
  return /^[\w.~-]{43,128}$/.test(verifier) && challengeOf(verifier) === challenge;
}
