import { desc, eq, sql } from "drizzle-orm";
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { db, signingKeys } from "../db";
import { audit } from "../db/audit";
import { perProcess } from "../db/per-process";
import { type SealedColumn, sealFor, unsealFrom } from "../db/sealed";

/** One asymmetric algorithm, the only one that tokens are verified with. */
export const ALGORITHM = "ES256";

/** How long a key still verifies tokens after the next key was created: the life of its last token plus a margin. */
const OVERLAP_SECONDS = 7200;
const READ_EVERY_MS = 1000;

type SigningKey = { kid: string; key: CryptoKey };
const cache = perProcess("oauth.keys", () => ({
  signing: undefined as SigningKey | undefined,
  verifying: new Map<string, CryptoKey>(),
  readAt: Number.NEGATIVE_INFINITY,
  reading: undefined as Promise<void> | undefined,
}));

/** The column with the private keys. */
const privateKey: SealedColumn = {
  ...{ table: "signing_keys", column: "private_jwk_sealed", purpose: "signing key" },
  row: "kid",
};
export const sealedKeyColumns = [privateKey];

/** Creates a new signing key. Earlier keys still verify the tokens that they signed. */
export async function rotateSigningKey(): Promise<{ kid: string }> {
  const pair = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const privateJwk = JSON.stringify(await exportJWK(pair.privateKey));
  await db.transaction(async (tx) => {
    await tx.insert(signingKeys).values({ kid, publicJwk, privateJwkSealed: sealFor(privateKey, kid, privateJwk) });
    await audit(tx, { action: "signing-key.created", actor: "operator", subject: kid });
  });
  return { kid };
}

/** The newest key, created on first use. Two processes may create one each at the same time; both keys verify. */
export async function signingKey(): Promise<SigningKey> {
  const [row] = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt)).limit(1);
  if (!row) {
    await rotateSigningKey();
    return signingKey();
  }
  if (cache.signing?.kid === row.kid) return cache.signing;
  const jwk = JSON.parse(unsealFrom(privateKey, row.kid, row.privateJwkSealed)) as JWK;
  cache.signing = { kid: row.kid, key: (await importJWK(jwk, ALGORITHM)) as CryptoKey };
  return cache.signing;
}

/** Keeps a key for a token that lives longer than usual. */
export async function keepKeyUntil(kid: string, seconds: number): Promise<void> {
  const until = sql`now() + make_interval(secs => ${seconds})`;
  await db
    .update(signingKeys)
    .set({ tokensUntil: sql`greatest(${signingKeys.tokensUntil}, ${until})` })
    .where(eq(signingKeys.kid, kid));
}

/** The public keys that may have signed a token that is still valid, newest first (RFC 7517). */
export async function publicKeys(): Promise<JWK[]> {
  const { rows } = await db.execute<{ kid: string; jwk: JWK }>(sql`
    select kid, public_jwk as jwk from (
      select *, lead(created_at) over (order by created_at) as succeeded_at from ${signingKeys}) keys
    where succeeded_at is null or tokens_until > now()
      or succeeded_at > now() - make_interval(secs => ${OVERLAP_SECONDS})
    order by created_at desc`);
  return rows.map(({ kid, jwk }) => ({ ...jwk, kid, use: "sig", alg: ALGORITHM }));
}

/**
 * The public key for a token's `kid`, from our own table only. An unknown `kid` may be another process's new key, so the
 * table is read again, at most once a second for all callers together.
 */
export async function verifyingKey(kid: string): Promise<CryptoKey | undefined> {
  if (!/^[\w-]{43}$/.test(kid)) return undefined; // not the thumbprint of a key
  if (!cache.verifying.has(kid) || performance.now() - cache.readAt > OVERLAP_SECONDS * 1000) {
    const joined = cache.reading;
    await (joined ?? readSoon());
    if (joined && !cache.verifying.has(kid)) await readSoon(); // the joined read may have started before the key was stored
  }
  return cache.verifying.get(kid);
}

function readSoon(): Promise<void> {
  cache.reading ??= readKeys().finally(() => {
    cache.reading = undefined;
  });
  return cache.reading;
}

async function readKeys(): Promise<void> {
  const wait = cache.readAt + READ_EVERY_MS - performance.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  cache.readAt = performance.now();
  const imported = (await publicKeys()).map(async (jwk) => {
    return [jwk.kid ?? "", (await importJWK(jwk, ALGORITHM)) as CryptoKey] as const;
  });
  cache.verifying = new Map(await Promise.all(imported));
}
