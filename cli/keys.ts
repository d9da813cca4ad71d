import { sealedAccountColumns } from "../lib/accounts";
import { sealedAttemptColumns } from "../lib/connect";
import { db } from "../lib/db";
import { audit } from "../lib/db/audit";
import { sealedAnswerColumns } from "../lib/db/idempotency";
import { forgetRetiredKeys, sealedRetiredKeyColumns, storeRetiredKeys } from "../lib/db/retired-keys";
import { countByKey, resealColumn, type SealedColumn } from "../lib/db/sealed";
import { env } from "../lib/env";
import { forgetOlderKeys } from "../lib/installation";
import { sealedKeyColumns } from "../lib/oauth";
import { sealedFactorColumns } from "../lib/users";
import { sealedWebhookColumns } from "../lib/webhooks";
import type { Say } from "./progress";

/** Every column with values that a key from SECRETS_KEY has encrypted. */
export const sealedColumns: SealedColumn[] = [
  ...sealedAccountColumns,
  ...sealedAnswerColumns,
  ...sealedAttemptColumns,
  ...sealedFactorColumns,
  ...sealedKeyColumns,
  ...sealedRetiredKeyColumns,
  ...sealedWebhookColumns,
];

const nameOf = ({ table, column }: SealedColumn) => `${table}.${column}`;

/**
 * Encrypts everything that is stored with the newest key, so that older keys can be removed from SECRETS_KEY.
 * @param keepsCookies session cookies and links in mails that an older key made stay valid after its removal
 * @returns how many values of each column were encrypted again
 */
export async function reseal(keepsCookies: boolean, say: Say): Promise<{ resealed: { [column: string]: number } }> {
  await (keepsCookies ? storeRetiredKeys() : forgetRetiredKeys());
  const resealed: { [column: string]: number } = {};
  for (const column of sealedColumns) {
    const count = await resealColumn(column, (done) => say(`${nameOf(column)}: ${done} values`));
    resealed[nameOf(column)] = count;
    if (count > 0) console.error(`${nameOf(column)}: ${count} values encrypted with the newest key`);
  }
  await forgetOlderKeys();
  const values = Object.values(resealed).reduce((sum, count) => sum + count, 0);
  await audit(db, { action: "keys.resealed", actor: "operator", subject: "SECRETS_KEY", details: { values } });
  return { resealed };
}

/** How many stored values depend on a key: 1 is the first one in SECRETS_KEY. */
export type KeyCount = { key: number; values: number };

/** Counts the stored values for each key. `lost` are values whose key is not in SECRETS_KEY. */
export async function countKeyUse(): Promise<{ keys: KeyCount[]; lost: { [column: string]: number } }> {
  const values = new Map((env.secretsKey ?? ["generated"]).map((_, index) => [index + 1, 0]));
  const lost: { [column: string]: number } = {};
  for (const column of sealedColumns) {
    for (const use of await countByKey(column)) {
      if (use.age === undefined) lost[nameOf(column)] = (lost[nameOf(column)] ?? 0) + use.values;
      else values.set(use.age + 1, (values.get(use.age + 1) ?? 0) + use.values);
    }
  }
  const keys = [...values].map(([key, count]) => ({ key, values: count })).sort((a, b) => a.key - b.key);
  return { keys, lost };
}
