import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant } from "./columns";
import { applications, partners, users } from "./people";

/**
 * A grant is the permission behind access tokens. Revoking it revokes all of its tokens. There is one per consent (with its
 * code, refresh tokens and access tokens), one per personal token and one per partner token.
 */
export const grants = pgTable(
  "grants",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    kind: text("kind", { enum: ["personal", "client_credentials", "authorization_code"] }).notNull(),
    clientId: text("client_id").references(() => applications.clientId, { onDelete: "cascade" }),
    userId: uuid("user_id").references(() => users.id, { onDelete: "cascade" }),
    scopes: text("scopes").array().notNull(),
    /** The name that the user gave a personal token. */
    name: text("name"),
    revokedAt: instant("revoked_at"),
    /** No new token is issued after this time. Null: no limit. */
    expiresAt: instant("expires_at"),
    /** When a token of it was last used, to about a minute. Not recorded for partners. */
    lastUsedAt: instant("last_used_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("grants_that_expire").on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
    index("grants_of_user").on(t.userId),
    index("grants_of_client").on(t.clientId),
  ],
);

/**
 * Recent API requests with tokens, without bodies and query values. Kept for a week. During a burst, not every request is
 * written (lib/api/request-log.ts).
 */
export const requestLog = pgTable(
  "request_log",
  {
    id: identity(),
    at: instant("at").notNull(),
    requestId: uuid("request_id").notNull(),
    /** The user. Null if a partner called in its own name. */
    ownerId: uuid("owner_id").references(() => users.id, { onDelete: "cascade" }),
    /** The partner that called. */
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    /** Identifies the token and its application while they exist. */
    grantId: uuid("grant_id").notNull(),
    method: text("method").notNull(),
    /** Includes the names of the query parameters. */
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

/** Hashed authorization codes. Used codes are kept, so that a second use is detected. */
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

/** Hashed refresh tokens. Each can be used once. Used tokens are kept, so that a second use is detected. */
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

/** Keys that sign access tokens. The newest one signs; an older one verifies until its last token has expired. */
export const signingKeys = pgTable("signing_keys", {
  kid: text("kid").primaryKey(),
  publicJwk: jsonb("public_jwk").notNull(),
  privateJwkSealed: bytes("private_jwk_sealed").notNull(),
  /** When the last of its long-lived tokens expires. */
  tokensUntil: instant("tokens_until"),
  createdAt: createdAt(),
});
