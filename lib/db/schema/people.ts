import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytes, createdAt, identity, instant, number } from "./columns";

/** People who sign in, and the connect users that partners provision (`partner_id` set, no password). */
export const users = pgTable(
  "users",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    email: text("email"),
    name: text("name").notNull(),
    role: text("role", { enum: ["user", "staff"] })
      .notNull()
      .default("user"),
    passwordHash: text("password_hash"),
    partnerId: uuid("partner_id").references(() => partners.id),
    externalUserId: text("external_user_id"),
    /** When the user confirmed the address. Until then, no notices are sent to it. */
    emailConfirmedAt: instant("email_confirmed_at"),
    /** Increases with every new password. Sessions of an earlier epoch have ended. */
    sessionEpoch: integer("session_epoch").notNull().default(0),
    /** The kinds of notices from which the user has unsubscribed. */
    mutedMails: text("muted_mails").array().notNull().default(sql`'{}'`),
    /** Notices wait until the end of the quiet hours. Null: no quiet hours. */
    quietHours: jsonb("quiet_hours").$type<QuietHours>(),
    /** When the person last opened the notification centre. Later notifications are unread; null: all are. */
    noticesReadAt: instant("notices_read_at"),
    suspendedAt: instant("suspended_at"),
    /** When deletion was requested. Nothing is done for this user any more, and a job deletes all data. */
    deletingAt: instant("deleting_at"),
    createdAt: createdAt(),
  },
  (t) => [
    // An address belongs to whoever confirms it. Any number of users may sign up with it before that (ADR 43).
    uniqueIndex("users_confirmed_address")
      .on(sql`lower(${t.email})`)
      .where(sql`${t.partnerId} is null and ${t.emailConfirmedAt} is not null`),
    index("users_of_address").on(sql`lower(${t.email})`).where(sql`${t.partnerId} is null`),
    uniqueIndex("users_of_partner").on(t.partnerId, t.externalUserId),
    check("users_are_people_or_connect_users", sql`(${t.partnerId} is null) = (${t.externalUserId} is null)`),
  ],
);

/** Daily, in minutes since 00:00 by the wall clock. Crosses midnight if `to` is before `from`. */
export type QuietHours = { from: number; to: number; timeZone: string };

/** OAuth clients: authorization-code applications and partners' machine-to-machine credentials. */
export const applications = pgTable(
  "applications",
  {
    clientId: text("client_id").primaryKey(),
    name: text("name").notNull(),
    grant: text("grant", { enum: ["authorization_code", "client_credentials"] }).notNull(),
    /** The user who created it in the dashboard. Null if the operator registered it. */
    ownerId: uuid("owner_id").references((): AnyPgColumn => users.id, { onDelete: "cascade" }),
    redirectUris: text("redirect_uris").array().notNull().default(sql`'{}'`),
    /** A public client (RFC 6749, section 2.1): it has no secret and must use PKCE. */
    isPublic: boolean("is_public").notNull().default(false),
    suspendedAt: instant("suspended_at"),
    createdAt: createdAt(),
  },
  (t) => [index("applications_of_owner").on(t.ownerId).where(sql`${t.ownerId} is not null`)],
);

/** Keyed hashes of client secrets. During a rotation, two secrets are valid. */
export const applicationSecrets = pgTable("application_secrets", {
  id: identity(),
  clientId: text("client_id")
    .notNull()
    .references(() => applications.clientId, { onDelete: "cascade" }),
  secretHash: bytes("secret_hash").notNull().unique(),
  /** Valid until this time. In the future for the old secret of a rotation. */
  revokedAt: instant("revoked_at"),
  createdAt: createdAt(),
});

export const partners = pgTable("partners", {
  id: uuid("id").primaryKey().defaultRandom(),
  clientId: text("client_id")
    .notNull()
    .unique()
    .references(() => applications.clientId),
  name: text("name").notNull(),
  /** A connect link first shows a page that names the partner and the user. */
  interstitial: boolean("interstitial").notNull().default(false),
  /** A newly connected account is not used until the partner's backend confirms it. */
  hold: boolean("hold").notNull().default(false),
  /** When all secrets were revoked for the last time. Connect links from before are refused. */
  secretsRevokedAt: instant("secrets_revoked_at"),
  createdAt: createdAt(),
});

/** The users with access to a partner's console. */
export const partnerMembers = pgTable(
  "partner_members",
  {
    partnerId: uuid("partner_id")
      .notNull()
      .references(() => partners.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** What the member may do (lib/partners/roles.ts). By default, an owner. */
    role: text("role", { enum: ["owner", "developer", "viewer"] })
      .notNull()
      .default("owner"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.partnerId, t.userId] }), index("partner_members_of_user").on(t.userId)],
);

/** Sessions of people who sign in. The session cookie contains the ID. Read on every signed-in request. */
export const sessions = pgTable(
  "sessions",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The session has ended if this differs from `users.session_epoch`. */
    epoch: integer("epoch").notNull(),
    /** From the sign-in: the browser's `User-Agent` and the client's IP address, if they are known. */
    userAgent: text("user_agent"),
    address: text("address"),
    /** When the person last proved who they are: at the sign-in, or when they entered the password again. */
    authenticatedAt: instant("authenticated_at").notNull().defaultNow(),
    /** Accurate to a minute. */
    lastUsedAt: instant("last_used_at").notNull().defaultNow(),
    revokedAt: instant("revoked_at"),
    createdAt: createdAt(),
  },
  (t) => [index("sessions_of_user").on(t.userId)],
);

/** Number of API calls per partner and month. `month` is the first day of the month. */
export const partnerCalls = pgTable(
  "partner_calls",
  {
    partnerId: uuid("partner_id")
      .notNull()
      .references(() => partners.id, { onDelete: "cascade" }),
    month: date("month").notNull(),
    calls: number("calls").notNull(),
    /** Posts that were created in this month and deleted because of their age. They still count as used. */
    deletedPosts: number("deleted_posts").notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.partnerId, t.month] })],
);

/** Branding of a partner's connect pages. Null fields use the default. */
export const partnerBranding = pgTable(
  "partner_branding",
  {
    partnerId: uuid("partner_id")
      .primaryKey()
      .references(() => partners.id, { onDelete: "cascade" }),
    displayName: text("display_name"),
    /** #rrggbb, readable on a light background; `accentDark` on a dark one. */
    accent: text("accent"),
    accentDark: text("accent_dark"),
    language: text("language").$type<"en" | "de">(),
    /** Target of "Back to …". */
    homeUrl: text("home_url"),
    /** A PNG that was re-encoded from the uploaded image. */
    logo: bytes("logo"),
    /** SHA-256 of the logo in hexadecimal, used in its URL. */
    logoDigest: text("logo_digest"),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [index("partner_branding_logo").on(t.logoDigest).where(sql`${t.logoDigest} is not null`)],
);

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

/** The secret address at which calendar programs read a person's posts. */
export const calendarAddresses = pgTable("calendar_addresses", {
  ownerId: uuid("owner_id")
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  tokenHash: bytes("token_hash").notNull().unique(),
  createdAt: createdAt(),
});
