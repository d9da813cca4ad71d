import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant } from "./columns";
import { applications, partners, users } from "./people";

/**
 * What an access token stands for; revoking the grant ends every token of it. One for each consent (its code, its refresh
 * tokens and their access tokens), one for each personal token and one for each token of a partner.
 */
export const grants = pgTable(
  "grants",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind", { enum: ["personal", "client_credentials", "authorization_code"] }).notNull(),
    clientId: text("client_id").references(() => applications.clientId, { onDelete: "cascade" }),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    scopes: text("scopes").array().notNull(),
    /** What a person called a personal token. */
    name: text("name"),
    revokedAt: instant("revoked_at"),
    /** No new token after this; the row is removed some time later. Null: as long as its tokens live. */
    expiresAt: instant("expires_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("grants_that_expire").on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
    index("grants_of_user").on(t.userId),
    index("grants_of_client").on(t.clientId),
  ],
);

/**
 * What the API was lately asked with tokens, without bodies and without the values of a query; kept for a week. In a burst
 * not every request is written (lib/api/request-log.ts).
 */
export const requestLog = pgTable(
  "request_log",
  {
    id: identity(),
    at: instant("at").notNull(),
    requestId: uuid("request_id").notNull(),
    /** For whom it was; null where a partner called in its own name. */
    ownerId: uuid("owner_id").references(() => users.id, { onDelete: "cascade" }),
    /** The partner that called. */
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    /** By which the token and its application are known, as long as they are there. */
    grantId: uuid("grant_id").notNull(),
    method: text("method").notNull(),
    /** With the names of the query's parameters. */
    path: text("path").notNull(),
    status: integer("status").notNull(),
    ms: integer("ms").notNull(),
  },
  (t) => [
    index("request_log_of_owner").on(t.ownerId, t.id),
    index("request_log_of_partner").on(t.partnerId, t.id).where(sql`${t.partnerId} is not null`),
    index("request_log_by_request").on(t.requestId),
    index("request_log_by_age").using("brin", t.at),
  ],
);

/** Authorization codes, hashed. A used one stays, so that a second use is seen. */
export const authorizationCodes = pgTable(
  "authorization_codes",
  {
    codeHash: bytes("code_hash").primaryKey(),
    grantId: uuid("grant_id")
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    redirectUri: text("redirect_uri").notNull(),
    /** PKCE, S256. */
    challenge: text("challenge"),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
  },
  (t) => [index("authorization_codes_of_grant").on(t.grantId)],
);

/** Refresh tokens, hashed. Each is spent by its one use and stays, so that a second use is seen. */
export const refreshTokens = pgTable(
  "refresh_tokens",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    grantId: uuid("grant_id")
      .notNull()
      .references(() => grants.id, { onDelete: "cascade" }),
    spentAt: instant("spent_at"),
    createdAt: createdAt(),
  },
  (t) => [index("refresh_tokens_of_grant").on(t.grantId)],
);

/** Keys that sign access tokens, newest first; an old one verifies until its last token has expired. */
export const signingKeys = pgTable("signing_keys", {
  kid: text("kid").primaryKey(),
  publicJwk: jsonb("public_jwk").notNull(),
  privateJwkSealed: bytes("private_jwk_sealed").notNull(),
  /** When the last of its tokens that live longer than usual expires. */
  tokensUntil: instant("tokens_until"),
  createdAt: createdAt(),
});
