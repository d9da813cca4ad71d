import { and, eq, lt, sql } from "drizzle-orm";
import { log } from "../log";
import { acceptRetiredKey, olderKeysOf, type RetiredPurpose, retiredPurposes, toBase64Url } from "../secrets";
import { db, retiredKeys } from "./index";
import { type SealedColumn, sealFor, unsealFrom } from "./sealed";

/**
 * Cookies, links and open forms are in browsers and mailboxes, where we cannot seal them again. So `keys reseal` stores the keys
 * that made them, sealed with the newest key. Processes that start without the old secret load them and still accept those values
 * (ADR 28).
 */
const secretColumn: SealedColumn = {
  ...{ table: "retired_keys", column: "secret_sealed", purpose: "retired key" },
  row: "purpose || ' ' || encode(key_id, 'hex')",
};
export const sealedRetiredKeyColumns = [secretColumn];

/** For how many days a value of each purpose is valid at most. Links in mails have no end. */
const LIFE_DAYS: { [P in RetiredPurpose]?: number } = {
  ...{ session: 30, "known browser": 365, "preview link": 30 },
  ...{ "media address": 1, "upload grant": 1, "connect state": 1, consent: 1 },
};

type Row = Pick<typeof retiredKeys.$inferSelect, "purpose" | "keyId">;
const rowOf = ({ purpose, keyId }: Row) => `${purpose} ${keyId.toString("hex")}`;

/** Stores the keys that end when the older secrets are removed from SECRETS_KEY, and deletes those that no cookie needs. */
export async function storeRetiredKeys(): Promise<void> {
  for (const purpose of retiredPurposes) {
    for (const { id: keyId, secret } of olderKeysOf(purpose)) {
      const secretSealed = sealFor(secretColumn, rowOf({ purpose, keyId }), toBase64Url(secret));
      const restart = { target: [retiredKeys.purpose, retiredKeys.keyId], set: { retiredAt: sql`now()` } };
      await db.insert(retiredKeys).values({ purpose, keyId, secretSealed }).onConflictDoUpdate(restart);
    }
    const days = LIFE_DAYS[purpose];
    const isOld = lt(retiredKeys.retiredAt, sql`now() - make_interval(days => ${days})`);
    if (days !== undefined) await db.delete(retiredKeys).where(and(eq(retiredKeys.purpose, purpose), isOld));
  }
}

/** Deletes the stored keys: what they made is no longer accepted by processes that start without the old secrets. */
export async function forgetRetiredKeys(): Promise<void> {
  await db.delete(retiredKeys);
}

/** Lets this process accept what the stored keys made. Call it when the process starts. */
export async function loadRetiredKeys(): Promise<void> {
  for (const row of await db.select().from(retiredKeys)) {
    try {
      const secret = unsealFrom(secretColumn, rowOf(row), row.secretSealed);
      acceptRetiredKey(row.purpose, Buffer.from(secret, "base64url"));
    } catch (error) {
      log.warn({ error: String(error) }, "a retired key cannot be read"); // doctor reports it too
    }
  }
}
