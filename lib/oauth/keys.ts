import { desc } from "drizzle-orm";
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { db, signingKeys } from "../db";
import { once } from "../once";
import { seal, unseal } from "../secrets";

/** One asymmetric algorithm, the only one that tokens are verified with. */
export const ALGORITHM = "ES256";

type SigningKey = { kid: string; key: CryptoKey };
const cache = once("oauth.keys", () => ({
  signing: undefined as SigningKey | undefined,
  verifying: new Map<string, CryptoKey>(),
}));

/** Makes a new signing key. The ones before it go on verifying what they signed. */
export async function rotateSigningKey(): Promise<{ kid: string }> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  await db.insert(signingKeys).values({ kid, publicJwk, privateJwkSealed: seal("signing key", kid, privateJwk) });
  cache.signing = undefined;
  return { kid };
}

/** The newest key, made on first use; two first uses at once make two, and both verify. */
export async function signingKey(): Promise<SigningKey> {
  if (cache.signing) return cache.signing;
  const [row] = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt)).limit(1);
  if (!row) {
    await rotateSigningKey();
    return signingKey();
  }
  const jwk = JSON.parse(unseal("signing key", row.kid, row.privateJwkSealed)) as JWK;
  cache.signing = { kid: row.kid, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
  return cache.signing;
}

/** The public key of a token's `kid`, from our own table only. */
export async function verifyingKey(kid: string): Promise<CryptoKey | undefined> {
  if (!cache.verifying.has(kid)) {
    for (const row of await db.select().from(signingKeys)) {
      cache.verifying.set(row.kid, (await importJWK(row.publicJwk as JWK, ALGORITHM)) as CryptoKey);
    }
  }
  return cache.verifying.get(kid);
}
