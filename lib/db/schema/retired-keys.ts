import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import type { RetiredPurpose } from "../../secrets";
import { bytes, instant } from "./columns";

/** Keys derived from secrets that are no longer in SECRETS_KEY (lib/db/retired-keys.ts). */
export const retiredKeys = pgTable(
  "retired_keys",
  {
    purpose: text("purpose").$type<RetiredPurpose>().notNull(),
    keyId: bytes("key_id").notNull(),
    secretSealed: bytes("secret_sealed").notNull(),
    retiredAt: instant("retired_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.purpose, t.keyId] })],
);
