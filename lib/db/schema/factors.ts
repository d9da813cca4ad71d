import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant, number } from "./columns";
import { users } from "./people";

/** Authenticator apps (TOTP, RFC 6238), at most one per person. A row exists only after the person entered a code. */
export const authenticators = pgTable("authenticators", {
  ownerId: uuid("owner_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  secretSealed: bytes("secret_sealed").notNull(),
  /** The time step of the last accepted code. Codes of this step and of earlier ones are refused (RFC 6238, section 5.2). */
  lastStep: number("last_step").notNull(),
  createdAt: createdAt(),
});

/** SHA-256 of the recovery codes that are still unused. Using a code deletes its row. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    codeHash: bytes("code_hash").notNull(),
  },
  (t) => [index("recovery_codes_of_owner").on(t.ownerId)],
);

/** Passkeys: WebAuthn credential records (Web Authentication Level 3, section 4, "credential record"). */
export const passkeys = pgTable(
  "passkeys",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    name: text("name").notNull(),
    /** Base64url, as the browser sends it. */
    credentialId: text("credential_id").notNull().unique(),
    publicKey: bytes("public_key").notNull(),
    /** The authenticator's signature counter; 0 if it has none. */
    counter: number("counter").notNull(),
    transports: text("transports").array().notNull().default(sql`'{}'`),
    /** Whether it can be synchronised between devices (BE), which never changes, and whether it is (BS). */
    backupEligible: boolean("backup_eligible").notNull(),
    backedUp: boolean("backed_up").notNull(),
    /** A password reset sets it: until then, the passkey works only together with the new password (ADR 25). */
    needsPassword: boolean("needs_password").notNull().default(false),
    createdAt: createdAt(),
    usedAt: instant("used_at"),
  },
  (t) => [index("passkeys_of_owner").on(t.ownerId)],
);

/** One-time tickets of signing in that were used. A row is needed until its ticket expires. */
export const usedTickets = pgTable(
  "used_tickets",
  { id: uuid("id").primaryKey(), expiresAt: instant("expires_at").notNull() },
  (t) => [index("used_tickets_by_end").on(t.expiresAt)],
);

/** How often a password or code was wrong, per account and place (see lib/users/sign-in/attempts.ts). Success deletes the row. */
export const signInAttempts = pgTable(
  "sign_in_attempts",
  {
    /** A keyed hash of the account and the place, so that unknown addresses are not stored. */
    key: bytes("key").primaryKey(),
    failures: integer("failures").notNull(),
    lastAt: instant("last_at").notNull(),
  },
  (t) => [index("sign_in_attempts_by_age").on(t.lastAt)],
);
