import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  date,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { Platform } from "../platforms";

/**
 * The tables. Times are instants with microseconds, read as text (a JavaScript Date would round them); ids that the API
 * shows as numbers are identity columns, the rest uuids. Secrets are sealed (`sealed`) or hashed (`…_hash`).
 */
const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });
/** A transaction's id, which is never used again (PostgreSQL's `xid8`), as text. */
const transactionId = customType<{ data: string; driverData: string }>({ dataType: () => "xid8" });
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
const createdAt = () => instant("created_at").notNull().defaultNow();
const number = (name: string) => bigint(name, { mode: "number" });
const identity = () => number("id").primaryKey().generatedAlwaysAsIdentity();

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
    /** When somebody who reads this address said that it is theirs; until then it gets no notices. */
    emailConfirmedAt: instant("email_confirmed_at"),
    /** Grows with every new password: sessions that began under an earlier one have ended. */
    sessionEpoch: integer("session_epoch").notNull().default(0),
    /** The kinds of notices that this person does not want by mail. */
    mutedMails: text("muted_mails").array().notNull().default(sql`'{}'`),
    /** Somebody who does not exist, with whom a partner tries its connect bridge: no call of the partner's ever meets them. */
    rehearses: text("rehearses", { enum: ["person", "somebody else"] }),
    suspendedAt: instant("suspended_at"),
    /** Deletion was asked for: nothing is done for this user any more, and a job takes everything away. */
    deletingAt: instant("deleting_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("users_sign_in").on(sql`lower(${t.email})`).where(sql`${t.partnerId} is null`),
    uniqueIndex("users_of_partner").on(t.partnerId, t.externalUserId),
    uniqueIndex("users_of_rehearsals").on(t.partnerId, t.rehearses).where(sql`${t.rehearses} is not null`),
    check("users_are_people_or_connect_users", sql`(${t.partnerId} is null) = (${t.externalUserId} is null)`),
  ],
);

export type MailState = "WAITING" | "SENT" | "KEPT" | "FAILED" | "DROPPED";

/** Mails to people who sign in, each written once by its key; what it says is made from `facts`, which go when it is sent. */
export const mails = pgTable(
  "mails",
  {
    /** Also the mail's Message-ID. */
    id: uuid("id").primaryKey().defaultRandom(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** What it is about, in words that never mean anything else: a second mail with the same key is none. */
    key: text("key").notNull().unique(),
    facts: jsonb("facts").notNull().default({}),
    /** `KEPT`: as a file, where no SMTP server is set. `DROPPED`: its addressee did not want it any more. */
    state: text("state").$type<MailState>().notNull().default("WAITING"),
    attempts: integer("attempts").notNull().default(0),
    /** Of one that is kept, as it is listed. */
    subject: text("subject"),
    /** What the mail server, or the lack of one, said last. */
    failure: text("failure"),
    createdAt: createdAt(),
    endedAt: instant("ended_at"),
  },
  (t) => [index("mails_of_owner").on(t.ownerId, t.createdAt), index("mails_by_age").on(t.createdAt)],
);

/** What the links in mails to confirm an address or choose a new password carry, hashed; the first use removes it. */
export const mailTokens = pgTable(
  "mail_tokens",
  {
    tokenHash: bytes("token_hash").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text("kind").notNull(),
    /** The address that it was sent to: it proves nothing about another one. */
    email: text("email").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("mail_tokens_of_owner").on(t.ownerId), index("mail_tokens_by_end").on(t.expiresAt)],
);

/** OAuth clients: authorization-code applications and partners' machine-to-machine credentials. */
export const applications = pgTable(
  "applications",
  {
    clientId: text("client_id").primaryKey(),
    name: text("name").notNull(),
    grant: text("grant", { enum: ["authorization_code", "client_credentials"] }).notNull(),
    /** The person who made it in the dashboard; null for what the operator registered. */
    ownerId: uuid("owner_id").references((): AnyPgColumn => users.id, { onDelete: "cascade" }),
    redirectUris: text("redirect_uris").array().notNull().default(sql`'{}'`),
    /** Cannot keep a secret (RFC 6749, section 2.1): has none, and has to use PKCE. */
    isPublic: boolean("is_public").notNull().default(false),
    suspendedAt: instant("suspended_at"),
    createdAt: createdAt(),
  },
  (t) => [index("applications_of_owner").on(t.ownerId).where(sql`${t.ownerId} is not null`)],
);

/** Keyed hashes of client secrets; two may live at once while one is being rotated. */
export const applicationSecrets = pgTable("application_secrets", {
  id: identity(),
  clientId: text("client_id")
    .notNull()
    .references(() => applications.clientId, { onDelete: "cascade" }),
  secretHash: bytes("secret_hash").notNull().unique(),
  /** Good until then; in the future for the old one of a rotation. */
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
  /** A connect link shows a page that names partner and user before it goes on to the network. */
  interstitial: boolean("interstitial").notNull().default(false),
  /** A newly connected account is not used before the partner's backend has confirmed it. */
  hold: boolean("hold").notNull().default(false),
  createdAt: createdAt(),
});

/** The people who may use a partner's console. */
export const partnerMembers = pgTable(
  "partner_members",
  {
    partnerId: uuid("partner_id")
      .notNull()
      .references(() => partners.id, { onDelete: "cascade" }),
    userId: uuid("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.partnerId, t.userId] }), index("partner_members_of_user").on(t.userId)],
);

/** How many calls of the API each partner made in a month, by the first day of it. */
export const partnerCalls = pgTable(
  "partner_calls",
  {
    partnerId: uuid("partner_id")
      .notNull()
      .references(() => partners.id, { onDelete: "cascade" }),
    month: date("month").notNull(),
    calls: number("calls").notNull(),
  },
  (t) => [primaryKey({ columns: [t.partnerId, t.month] })],
);

/** A partner's newest rehearsal of a failure, and whether the failure is still to come. */
export const rehearsals = pgTable("rehearsals", {
  partnerId: uuid("partner_id")
    .primaryKey()
    .references(() => partners.id, { onDelete: "cascade" }),
  failure: text("failure").notNull(),
  platform: text("platform").$type<Platform>().notNull(),
  /** The partner's own address, which is shown and not called. */
  redirectUri: text("redirect_uri").notNull(),
  isArmed: boolean("is_armed").notNull(),
  startedAt: instant("started_at").notNull().defaultNow(),
});

/**
 * Who did what to credentials, connections and users. The database lets nobody change or remove a row (triggers in the
 * migration), so it holds ids and no names: whoever is deleted leaves nothing readable here. No foreign keys, for the same reason.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: identity(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    action: text("action").$type<AuditAction>().notNull(),
    /** The id of the user or partner who did it; null for the operator's command line. */
    actorId: uuid("actor_id"),
    /** Whose credential, end-user or account it is, where it is a partner's. */
    partnerId: uuid("partner_id"),
    /** What it was done to: a client id, a user's id or an account's. */
    subject: text("subject").notNull(),
    details: jsonb("details").$type<{ [name: string]: string | number | boolean }>().notNull().default({}),
  },
  (t) => [
    index("audit_log_of_partner").on(t.partnerId, t.id),
    index("audit_log_of_actor").on(t.actorId, t.id),
    index("audit_log_of_subject").on(t.subject, t.id),
  ],
);

export type AuditAction =
  | "credential.created"
  | "credential.rotated"
  | "credential.suspended"
  | "credential.resumed"
  | "credential.changed"
  | "credential.deleted"
  | "token.created"
  | "token.revoked"
  | "user.suspended"
  | "user.resumed"
  | "staff.looked"
  | "staff.shared"
  | "partner.changed"
  | "member.added"
  | "account.connected"
  | "account.confirmed"
  | "account.disconnected"
  | "user.deleted";

/** How a partner's users see the connect pages; whatever is null is as the service's own pages have it. */
export const partnerBranding = pgTable(
  "partner_branding",
  {
    partnerId: uuid("partner_id")
      .primaryKey()
      .references(() => partners.id, { onDelete: "cascade" }),
    displayName: text("display_name"),
    /** #rrggbb, readable on a light surface; the other on a dark one. */
    accent: text("accent"),
    accentDark: text("accent_dark"),
    language: text("language").$type<"en" | "de">(),
    /** Where "Back to …" leads. */
    homeUrl: text("home_url"),
    /** A PNG that was drawn anew from what was given. */
    logo: bytes("logo"),
    /** SHA-256 of the logo, hexadecimal: its public name. */
    logoDigest: text("logo_digest"),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [index("partner_branding_logo").on(t.logoDigest).where(sql`${t.logoDigest} is not null`)],
);

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

export const accounts = pgTable(
  "accounts",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    platform: text("platform").$type<Platform>().notNull(),
    networkAccountId: text("network_account_id").notNull(),
    /** The id by which the network's callbacks name it, where that is another one. */
    noticeAccountId: text("notice_account_id"),
    username: text("username").notNull(),
    displayName: text("display_name").notNull(),
    avatarUrl: text("avatar_url"),
    /** When the name and the picture were last asked for. */
    profileReadAt: instant("profile_read_at").notNull().defaultNow(),
    state: text("state", { enum: ["ACTIVE", "RECONNECT_REQUIRED"] })
      .notNull()
      .default("ACTIVE"),
    /** Why a reconnect is needed, as a sentence. */
    stateReason: text("state_reason"),
    /** Since when it has been in this state: one incident has one beginning. */
    stateSince: instant("state_since").notNull().defaultNow(),
    /** Since when it waits for its partner's backend to confirm it; nothing is done in its name before. */
    heldSince: instant("held_since"),
    /** The network's tokens as JSON; null once disconnected. */
    tokensSealed: bytes("tokens_sealed"),
    tokensExpireAt: instant("tokens_expire_at"),
    tokensRefreshedAt: instant("tokens_refreshed_at"),
    /** When its person has to come back, where that is known; null where the tokens are renewed without them. */
    permissionEndsAt: instant("permission_ends_at"),
    /** One worker refreshes at a time. */
    refreshLeaseUntil: instant("refresh_lease_until"),
    /** The tokens before the last refresh, kept until the new ones have worked. */
    previousTokensSealed: bytes("previous_tokens_sealed"),
    /** Hash of a refresh token that was presented and whose answer never came: it is not presented again. */
    presentedHash: bytes("presented_hash"),
    /** The network told this account to wait: nothing is sent in its name before. */
    waitUntil: instant("wait_until"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
    disconnectedAt: instant("disconnected_at"),
  },
  (t) => [
    uniqueIndex("accounts_live").on(t.platform, t.networkAccountId).where(sql`${t.disconnectedAt} is null`),
    index("accounts_of_owner").on(t.ownerId),
    index("accounts_of_notice").on(t.platform, t.noticeAccountId).where(sql`${t.noticeAccountId} is not null`),
  ],
);

/** People of a network who had all that we held of them removed, each under the code that they were given. */
export const dataDeletions = pgTable("data_deletions", {
  code: text("code").primaryKey(),
  platform: text("platform").$type<Platform>().notNull(),
  /** How many connected accounts it was. */
  accounts: integer("accounts").notNull(),
  createdAt: createdAt(),
});

/** Destinations of networks that cannot list them (Telegram): fed by what the bot is told. */
export const destinations = pgTable(
  "destinations",
  {
    accountId: number("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    chatId: text("chat_id").notNull(),
    title: text("title").notNull(),
    type: text("type").notNull(),
    usable: boolean("usable").notNull().default(true),
    /** Why it is not usable, where the network said so: the bot was taken out, or may not post. */
    problem: text("problem", { enum: ["REMOVED", "NO_RIGHT"] }),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.accountId, t.chatId] })],
);

/** How far each bot's updates have been read. */
export const botOffsets = pgTable("bot_offsets", {
  platform: text("platform").$type<Platform>().primaryKey(),
  offset: number("offset").notNull(),
});

/** One opening of a connect link in one browser, and what became of it. */
export const connectAttempts = pgTable(
  "connect_attempts",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Quoted on the page when something goes wrong. */
    traceCode: text("trace_code").notNull().unique(),
    /** The sealed state's own id: it completes once. */
    stateId: uuid("state_id").notNull(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    platform: text("platform").$type<Platform>().notNull(),
    redirectUri: text("redirect_uri").notNull(),
    /** Whose account it is, where the person was asked: starting again need not ask once more. */
    account: text("account"),
    /** Hash of the network-facing state, or of a bot's one-time code. */
    codeHash: bytes("code_hash").notNull().unique(),
    /** Hash of the browser's own secret; a bot's code is carried by a person instead. */
    nonceHash: bytes("nonce_hash"),
    /** PKCE verifier and what the adapter asked to keep. */
    flowSealed: bytes("flow_sealed"),
    failure: text("failure"),
    /** In which its pages speak. */
    language: text("language").$type<"en" | "de">().notNull().default("en"),
    accountId: number("account_id").references(() => accounts.id, { onDelete: "set null" }),
    expiresAt: instant("expires_at").notNull(),
    consumedAt: instant("consumed_at"),
    completedAt: instant("completed_at"),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex("connect_states_complete_once").on(t.stateId).where(sql`${t.completedAt} is not null`),
    index("connect_attempts_of_state").on(t.stateId),
  ],
);

/** One thing that happened in a connect attempt; one that failed says why. */
export type TraceStep = {
  step: "opened" | "returned" | "wrong browser" | "exchange" | "permissions" | "profile" | "store";
  /** ISO 8601, UTC. */
  at: string;
  /** How long it took; absent where nothing was waited for. */
  ms?: number;
  /** Why it failed, as a sentence. */
  says?: string;
  /** What the network said, secrets removed; status 0 where no answer came. */
  network?: { status: number; code?: string; message?: string };
};

/** What became of each connect attempt, step by step and without secrets; it outlives the attempt by weeks. */
export const connectTraces = pgTable(
  "connect_traces",
  {
    id: uuid("id").primaryKey().defaultRandom(),
    /** Shown to the person, who may quote it. */
    code: text("code").notNull().unique(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's partner; null for people of the dashboard. */
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    /** The connect link's own id. */
    stateId: uuid("state_id").notNull(),
    platform: text("platform").$type<Platform>().notNull(),
    /** Scheme and host of where the browser was to end; what stands behind may be the partner's secret. */
    returnsTo: text("returns_to").notNull(),
    steps: jsonb("steps").$type<TraceStep[]>().notNull().default([]),
    /** Null while it is under way, and for ever where the person never came back. */
    outcome: text("outcome"),
    accountId: number("account_id").references(() => accounts.id, { onDelete: "set null" }),
    startedAt: instant("started_at").notNull().defaultNow(),
    endedAt: instant("ended_at"),
  },
  (t) => [
    index("connect_traces_of_partner").on(t.partnerId, t.startedAt, t.id),
    index("connect_traces_of_owner").on(t.ownerId),
    index("connect_traces_of_state").on(t.stateId),
    index("connect_traces_by_age").on(t.startedAt),
  ],
);

export const media = pgTable(
  "media",
  {
    id: uuid("id").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** `<owner_uuid>/<object_uuid>.<ext>`, fixed once issued. */
    key: text("key").notNull().unique(),
    filename: text("filename").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    digest: bytes("digest").notNull(),
    width: integer("width"),
    height: integer("height"),
    /** Exact to the millisecond, so that limits are too; media of before migration 0008 are rounded up to whole seconds. */
    durationSeconds: doublePrecision("duration_seconds"),
    /** What else the bytes say: see lib/media/look.ts. Empty for media of before it was asked. */
    details: jsonb("details").$type<MediaDetails>().notNull().default({}),
    createdAt: createdAt(),
  },
  (t) => [index("media_of_owner").on(t.ownerId, t.createdAt)],
);

/** Absent is not known, or not about this kind of file. */
export type MediaDetails = {
  /** The EXIF orientation, 1 to 8, of an image that is stored turned. */
  orientation?: number;
  /** Of an animated image. */
  frames?: number;
  /** Pictures a second of a video. */
  frameRate?: number;
  videoCodec?: string;
  audioCodec?: string;
  hasAudio?: boolean;
  /** A very small picture as a data address, to be shown until the real one is there. */
  placeholder?: string;
  /** A thumbnail is kept with the object. */
  hasThumbnail?: boolean;
};

/** Pre-signed upload grants, and what became of each. */
export const uploads = pgTable(
  "uploads",
  {
    /** The object part of the key. */
    id: uuid("id").primaryKey(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    key: text("key").notNull().unique(),
    filename: text("filename").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    /** `GRANTED` until the first confirm or use decides; the medium's row holds what was confirmed. */
    state: text("state", { enum: ["GRANTED", "CONFIRMED", "REFUSED"] })
      .notNull()
      .default("GRANTED"),
    /** Why it was refused, as every later use is told. */
    reason: text("reason"),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("uploads_of_owner").on(t.ownerId), index("uploads_by_end").on(t.expiresAt)],
);

/**
 * What a medium was converted to for networks that do not take it as it is, by the recipe. Without a foreign key: a row
 * stays until its object is removed, and leads to it.
 */
export const mediaConversions = pgTable(
  "media_conversions",
  {
    id: uuid("id").primaryKey(),
    mediaId: uuid("media_id").notNull(),
    /** What was done, in words that never mean anything else later. */
    recipe: text("recipe").notNull(),
    contentType: text("content_type").notNull(),
    sizeBytes: number("size_bytes").notNull(),
    width: number("width").notNull(),
    height: number("height").notNull(),
    createdAt: createdAt(),
  },
  (t) => [uniqueIndex("media_conversions_once").on(t.mediaId, t.recipe)],
);

/** What an import is doing (SPEC, "Import job"). */
export const importStates = [
  "QUEUED",
  "DOWNLOADING",
  "VALIDATING",
  "UPLOADING",
  "READY",
  "FAILED_TEMPORARY",
  "FAILED_PERMANENT",
] as const;
export type ImportState = (typeof importStates)[number];

/** Files that are fetched from a public URL; worked on by one worker at a time. */
export const mediaImports = pgTable(
  "media_imports",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sourceUrl: text("source_url").notNull(),
    filenameHint: text("filename_hint"),
    state: text("state").$type<ImportState>().notNull().default("QUEUED"),
    /** How much of the file is safely on this worker's disk; a later attempt goes on from there where it can. */
    bytesDownloaded: number("bytes_downloaded").notNull().default(0),
    totalBytes: number("total_bytes"),
    /** The server's strong validator of what was downloaded (RFC 9110, section 8.8): only the same file is gone on with. */
    validator: text("validator"),
    detectedMime: text("detected_mime"),
    /** The medium's storage key, once it is ready. */
    key: text("key"),
    errorCode: text("error_code"),
    errorMessage: text("error_message"),
    /** Attempts in a row that brought nothing new. */
    attempts: integer("attempts").notNull().default(0),
    /** The job to enqueue when it has come to its end: `{ name, payload }`. */
    whenDone: jsonb("when_done"),
    dueAt: instant("due_at").notNull().defaultNow(),
    /** The claim: who works on it, until when, and a fence that grows with every claim. */
    leaseWorker: uuid("lease_worker"),
    leaseUntil: instant("lease_until"),
    fence: integer("fence").notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    index("media_imports_of_owner").on(t.ownerId),
    index("media_imports_unfinished").on(t.dueAt).where(sql`${t.state} not in ('READY', 'FAILED_PERMANENT')`),
    index("media_imports_leased").on(t.leaseWorker).where(sql`${t.leaseWorker} is not null`),
  ],
);

export const schedules = pgTable(
  "schedules",
  {
    id: identity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    status: text("status").$type<ScheduleStatus>().notNull(),
    /** Null only for drafts. */
    scheduledTime: instant("scheduled_time"),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("schedules_of_owner").on(t.ownerId, t.id),
    index("schedules_by_status").on(t.ownerId, t.status, t.id),
    index("schedules_by_time").on(t.ownerId, t.scheduledTime),
  ],
);

export type ScheduleStatus =
  | "DRAFT"
  | "AWAITING_MEDIA"
  | "SCHEDULED"
  | "MEDIA_IMPORT_FAILED"
  | "IN_PROGRESS"
  | "COMPLETED"
  | "PARTIALLY_COMPLETED"
  | "FAILED";

export type PublicationStatus = "PENDING" | "IN_PROGRESS" | "PUBLISHED" | "FAILED" | "UNKNOWN";

/** First answers of requests that carried an `Idempotency-Key`, given again when the request comes again. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    /** Whose key it is: a user's id, or a partner's for what it asks in its own name. */
    ownerId: uuid("owner_id").notNull(),
    route: text("route").notNull(),
    key: text("key").notNull(),
    bodyHash: bytes("body_hash").notNull(),
    status: integer("status").notNull().default(201),
    /** As text: the first answer is given again with its fields in their order. */
    answer: json("answer").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.ownerId, t.route, t.key] }), index("idempotency_keys_created_at").on(t.createdAt)],
);

/** One account's share of a schedule; claimed by one worker at a time. */
export const publications = pgTable(
  "publications",
  {
    id: identity(),
    scheduleId: number("schedule_id")
      .notNull()
      .references(() => schedules.id, { onDelete: "cascade" }),
    accountId: number("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    settings: jsonb("settings").$type<{ type: string }>().notNull(),
    status: text("status").$type<PublicationStatus>().notNull().default("PENDING"),
    /** The claim: who works on it, until when, and a fence that grows with every claim. */
    leaseWorker: uuid("lease_worker"),
    leaseUntil: instant("lease_until"),
    fence: integer("fence").notNull().default(0),
    /** When somebody should look at it next: due, claimed until then, or told to come back. Null: never. */
    dueAt: instant("due_at"),
    /** Claims since the last progress; the third that ends without any sets it aside. */
    claims: integer("claims").notNull().default(0),
    /** Attempts that ended in a fault worth repeating; waiting as told uses up none. */
    attempts: integer("attempts").notNull().default(0),
    /** When its person last asked for another try; lateness counts from then. */
    retriedAt: instant("retried_at"),
    createdAt: createdAt(),
  },
  (t) => [
    index("publications_of_schedule").on(t.scheduleId, t.position),
    index("publications_of_account").on(t.accountId, t.scheduleId),
    index("publications_unfinished").on(t.scheduleId).where(sql`${t.status} in ('PENDING', 'IN_PROGRESS')`),
    index("publications_leased").on(t.leaseWorker).where(sql`${t.leaseWorker} is not null`),
    index("publications_due").on(t.dueAt, t.accountId).where(sql`${t.dueAt} is not null`),
    index("publications_due_of_account").on(t.accountId, t.dueAt).where(sql`${t.dueAt} is not null`),
  ],
);

export const posts = pgTable(
  "posts",
  {
    id: identity(),
    publicationId: number("publication_id")
      .notNull()
      .references(() => publications.id, { onDelete: "cascade" }),
    position: integer("position").notNull(),
    content: text("content").notNull(),
    attachmentPaths: text("attachment_paths").array().notNull(),
    chatId: text("chat_id"),
    thumbnailPath: text("thumbnail_path"),
    status: text("status").$type<PublicationStatus>().notNull().default("PENDING"),
    networkPostId: text("network_post_id"),
    permalink: text("permalink"),
    publishedAt: instant("published_at"),
    error: text("error"),
  },
  (t) => [
    index("posts_of_publication").on(t.publicationId, t.position),
    index("posts_by_permalink").on(t.permalink).where(sql`${t.permalink} is not null`),
  ],
);

/** Attachments that were given as public URLs, with the import that fetches each. */
export const attachmentImports = pgTable(
  "attachment_imports",
  {
    postId: number("post_id")
      .notNull()
      .references(() => posts.id, { onDelete: "cascade" }),
    /** Position in the post's `attachment_paths`, from 0. */
    position: integer("position").notNull(),
    sourceUrl: text("source_url").notNull(),
    importId: number("import_id")
      .notNull()
      .references(() => mediaImports.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.postId, t.position] }), index("attachment_imports_of_import").on(t.importId)],
);

/** A publication's memory: finished steps with their results, polls under way, and intents (`SENDING`) without an outcome. */
export const publishSteps = pgTable(
  "publish_steps",
  {
    postId: number("post_id").notNull(),
    name: text("name").notNull(),
    state: text("state", { enum: ["SENDING", "POLLING", "DONE"] }).notNull(),
    result: jsonb("result"),
    /** It was announced as a call that cannot be taken back: never forgotten, whatever is tried again. */
    irreversible: boolean("irreversible").notNull().default(true),
    /** Who stored it; an intent is repeated only once this worker is provably dead. */
    workerId: uuid("worker_id").notNull(),
    /** Of an intent: the first one's time, since what a lost call made may be as old as that. */
    startedAt: instant("started_at").notNull().defaultNow(),
    /** Of an intent: the newest one's time, from which waiting for the network to settle is counted. */
    sentAt: instant("sent_at"),
    finishedAt: instant("finished_at"),
  },
  (t) => [
    primaryKey({ columns: [t.postId, t.name] }),
    foreignKey({ columns: [t.postId], foreignColumns: [posts.id] }).onDelete("cascade"),
  ],
);

/** A publication's story: what was tried, how it ended, what the network answered. Equal ones in a row are one. */
export const publishAttempts = pgTable(
  "publish_attempts",
  {
    id: identity(),
    publicationId: number("publication_id")
      .notNull()
      .references(() => publications.id, { onDelete: "cascade" }),
    postId: number("post_id").notNull(),
    outcome: text("outcome").$type<AttemptOutcome>().notNull(),
    /** A sentence for a person. */
    says: text("says").notNull(),
    /** The network's own answer, secrets removed: `{ status, code?, message? }`. */
    answer: jsonb("answer").$type<{ status: number; code?: string; message?: string }>(),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at").notNull(),
    times: integer("times").notNull().default(1),
    /** When it is tried or looked at again; null: not by itself. */
    againAt: instant("again_at"),
  },
  (t) => [index("publish_attempts_of_publication").on(t.publicationId, t.id)],
);

export type AttemptOutcome = "PUBLISHED" | "WAITING" | "RETRYING" | "LOOKING" | "FAILED" | "UNKNOWN";

/**
 * What happened, a fact a row, written in the transaction of the change itself and never changed. The order of the log is
 * that of the primary key: a row whose transaction began before all that are still under way has none left to come before
 * it (ADR 0014).
 */
export const events = pgTable(
  "events",
  {
    xid: transactionId("xid").notNull().default(sql`pg_current_xact_id()`),
    id: number("id").notNull().generatedAlwaysAsIdentity(),
    ownerId: uuid("owner_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The owner's partner, null where it is a person who signs in. */
    partnerId: uuid("partner_id"),
    type: text("type").notNull(),
    /** The API's own representation of the thing as it was then; as text, so that its fields keep their order. */
    data: json("data").notNull(),
    createdAt: instant("created_at").notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    primaryKey({ columns: [t.xid, t.id] }),
    index("events_of_owner").on(t.ownerId, t.xid, t.id),
    index("events_of_partner").on(t.partnerId, t.xid, t.id).where(sql`${t.partnerId} is not null`),
    index("events_by_age").using("brin", t.createdAt),
  ],
);

/** How far each part of the service that acts on events has read the log. */
export const eventReaders = pgTable("event_readers", {
  name: text("name").primaryKey(),
  xid: transactionId("xid").notNull().default(sql`'0'`),
  id: number("id").notNull().default(0),
});

/** Addresses that are told of events: a user's own, or a partner's for all its users. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    id: identity(),
    ownerId: uuid("owner_id").references(() => users.id, { onDelete: "cascade" }),
    partnerId: uuid("partner_id").references(() => partners.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    events: text("events").array().notNull(),
    description: text("description"),
    secretSealed: bytes("secret_sealed").notNull(),
    /** The secret before the last rotation, which signs beside the new one until its time is over. */
    previousSecretSealed: bytes("previous_secret_sealed"),
    previousSecretUntil: instant("previous_secret_until"),
    disabledAt: instant("disabled_at"),
    /** Why Carillon disabled it, as a sentence; null where its owner did. */
    disabledReason: text("disabled_reason"),
    /** Since when no delivery has succeeded; null while they do. */
    failingSince: instant("failing_since"),
    /** Deliveries that may be under way at once: more with each success, one after a failure. */
    allowance: integer("allowance").notNull().default(2),
    createdAt: createdAt(),
    updatedAt: instant("updated_at").notNull().defaultNow(),
  },
  (t) => [
    index("webhook_endpoints_of_owner").on(t.ownerId, t.id),
    index("webhook_endpoints_of_partner").on(t.partnerId, t.id),
    check("webhook_endpoints_have_one_owner", sql`num_nonnulls(${t.ownerId}, ${t.partnerId}) = 1`),
  ],
);

/** An event for an endpoint; sent by one worker at a time until it is taken, or given up. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    /** The same in every attempt: the `webhook-id` by which a receiver knows what it had before. */
    id: uuid("id").primaryKey().defaultRandom(),
    endpointId: number("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: "cascade" }),
    /** Null for a test, which reports nothing. */
    eventXid: transactionId("event_xid"),
    eventId: number("event_id"),
    state: text("state", { enum: ["PENDING", "DELIVERED", "FAILED"] })
      .notNull()
      .default("PENDING"),
    /** Failed attempts since it was begun, or last asked for again. */
    failures: integer("failures").notNull().default(0),
    /** When it is sent next, or its claim runs out; null at its end. */
    dueAt: instant("due_at").defaultNow(),
    leaseWorker: uuid("lease_worker"),
    leaseUntil: instant("lease_until"),
    fence: integer("fence").notNull().default(0),
    createdAt: instant("created_at").notNull().default(sql`clock_timestamp()`),
    endedAt: instant("ended_at"),
  },
  (t) => [
    foreignKey({ columns: [t.eventXid, t.eventId], foreignColumns: [events.xid, events.id] })
      .onDelete("cascade")
      .onUpdate("cascade"),
    uniqueIndex("webhook_deliveries_once").on(t.eventXid, t.eventId, t.endpointId),
    index("webhook_deliveries_of_endpoint").on(t.endpointId, t.createdAt, t.id),
    index("webhook_deliveries_due").on(t.dueAt, t.endpointId).where(sql`${t.dueAt} is not null`),
    index("webhook_deliveries_due_of_endpoint").on(t.endpointId, t.dueAt).where(sql`${t.dueAt} is not null`),
    index("webhook_deliveries_leased").on(t.leaseWorker).where(sql`${t.leaseWorker} is not null`),
    index("webhook_tests_by_age").on(t.createdAt).where(sql`${t.eventId} is null`),
  ],
);

/** Every attempt of a delivery: what was sent where, and what was answered. */
export const webhookAttempts = pgTable(
  "webhook_attempts",
  {
    id: identity(),
    deliveryId: uuid("delivery_id")
      .notNull()
      .references(() => webhookDeliveries.id, { onDelete: "cascade" }),
    url: text("url").notNull(),
    /** As they were sent, the signature masked. */
    headers: json("headers").$type<{ [name: string]: string }>().notNull(),
    /** The answer's status; null where none came. */
    status: integer("status"),
    /** The beginning of the answer's body, secrets removed. */
    answer: text("answer"),
    /** What went wrong, as a sentence; null where it was taken. */
    error: text("error"),
    durationMs: integer("duration_ms").notNull(),
    startedAt: instant("started_at").notNull(),
  },
  (t) => [index("webhook_attempts_of_delivery").on(t.deliveryId, t.id)],
);

/**
 * How each network has been of late, for all workers: a row only while something is wrong. Closed to new work until
 * `closed_until`; then `allowance` publications at a time, more with each success.
 */
export const networkHealth = pgTable("network_health", {
  platform: text("platform").$type<Platform>().primaryKey(),
  /** Faults in a row. */
  faults: integer("faults").notNull(),
  /** How often it was closed in a row; each time for longer. */
  closures: integer("closures").notNull().default(0),
  closedUntil: instant("closed_until"),
  /** Null: no limit beyond the network's own. */
  allowance: integer("allowance"),
});

/** The one switch that pauses all publishing; at most one row. */
export const publishingPause = pgTable("publishing_pause", {
  id: integer("id").primaryKey().default(1),
  pausedAt: instant("paused_at").notNull().defaultNow(),
  reason: text("reason"),
});

/** Workers that are alive: each beats every few seconds and holds an advisory lock of its own while its process lives. */
export const workers = pgTable("workers", {
  id: uuid("id").primaryKey(),
  /** What the job engine calls this process; its jobs are locked under that name. */
  poolId: text("pool_id"),
  /** The key of its session advisory lock. */
  lockKey: integer("lock_key").notNull().unique().generatedAlwaysAsIdentity(),
  startedAt: instant("started_at").notNull().defaultNow(),
  beatAt: instant("beat_at").notNull().defaultNow(),
});
