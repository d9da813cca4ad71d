import { sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import type { RetiredPurpose } from "../../secrets";
import { bytes, identity, instant, number } from "./columns";

/**
 * The identity of this installation, in one row. A copy of its counts is kept outside of the database (lib/installation), so
 * that a database that went back in time is noticed. While `held_at` is set, nothing is published.
 */
export const installation = pgTable("installation", {
  id: integer("id").primaryKey().default(1),
  /** Random, made once. */
  installationId: uuid("installation_id").notNull().defaultRandom(),
  /** Raised by every `restore finish` that was completed. */
  epoch: integer("epoch").notNull().default(0),
  /** The PostgreSQL cluster and its timeline, as last checked. Null: not checked yet. */
  systemIdentifier: text("system_identifier"),
  timeline: integer("timeline"),
  /** Final calls that were announced by workers whose row in `publish_counts` no longer exists. */
  publishedCount: bigint("published_count", { mode: "number" }).notNull().default(0),
  heartbeatAt: instant("heartbeat_at"),
  /** Since when and why publishing is held. Only `restore finish` ends this. */
  heldAt: instant("held_at"),
  heldReason: text("held_reason"),
  /** The instant from which publications may have been sent that this database does not know about. */
  heldSincePoint: instant("held_since_point"),
  /** When the newest backup of `backup create` was taken. */
  lastBackupAt: instant("last_backup_at"),
  /** Check values of the keys, the store and the addresses, which must be the same on every host. */
  keyChecks: jsonb("key_checks").$type<{ [key: string]: string }>(),
  storeId: text("store_id"),
  addresses: jsonb("addresses").$type<{ [setting: string]: string }>(),
  /** False while the processes do not use NOTIFY (`DATABASE_NOTIFY`). The function `notify_processes` reads it. */
  notifies: boolean("notifies"),
});

/**
 * How many final calls each worker has announced. A row per worker, so that no row is shared by all of them. Rows of workers
 * that have not published for a week are added to `installation.published_count` and deleted.
 */
export const publishCounts = pgTable("publish_counts", {
  workerId: uuid("worker_id").primaryKey(),
  published: number("published").notNull(),
  countedAt: instant("counted_at").notNull().defaultNow(),
});

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

/**
 * Requests counted against a rate limit by all processes (lib/http/rate-limit.ts), and the posts that a person's feeds made today
 * (lib/schedules/feeds/take.ts). The table is UNLOGGED: a crash of the
 * database empties it, and counting begins again.
 */
export const rateLimits = pgTable(
  "rate_limits",
  {
    /** A hash of the limit's name and of the caller. */
    key: bytes("key").primaryKey(),
    used: integer("used").notNull(),
    endsAt: instant("ends_at").notNull(),
  },
  (t) => [index("rate_limits_by_end").on(t.endsAt)],
);

/**
 * Who did what to credentials, connections and users. Triggers in the migration make the table append-only. So it contains IDs
 * instead of names, and no foreign keys: after a user is deleted, no personal data remains here.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: identity(),
    at: instant("at").notNull().default(sql`clock_timestamp()`),
    action: text("action").$type<AuditAction>().notNull(),
    /** ID of the user or partner who acted. Null for the operator at the command line, the nil UUID for an unknown visitor. */
    actorId: uuid("actor_id"),
    /** The partner that owns the credential, user or account, if there is one. */
    partnerId: uuid("partner_id"),
    /** The object of the action: a client ID, user ID or account ID. Never an address: a keyed hash of it. */
    subject: text("subject").notNull(),
    details: jsonb("details").$type<{ [name: string]: string | number | boolean }>().notNull().default({}),
  },
  (t) => [
    index("audit_log_of_partner").on(t.partnerId, t.id),
    index("audit_log_of_actor").on(t.actorId, t.id),
    index("audit_log_of_subject").on(t.subject, t.id),
    // Staff look for rare actions, also in a log of many years.
    index("audit_log_of_action").on(t.action, t.id),
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
  | "consent.given"
  | "consent.revoked"
  | "session.started"
  | "session.refused"
  | "password.reset"
  | "password.changed"
  | "webhook.created"
  | "webhook.changed"
  | "webhook.rotated"
  | "webhook.deleted"
  | "signing-key.created"
  | "keys.resealed"
  | "user.created"
  | "user.exported"
  | "user.suspended"
  | "user.resumed"
  | "staff.looked"
  | "staff.shared"
  | "partner.changed"
  | "member.added"
  | "member.role-changed"
  | "member.removed"
  | "account.connected"
  | "account.confirmed"
  | "account.disconnected"
  | "user.deleted"
  | "factor.added"
  | "factor.removed"
  | "factor.codes_renewed"
  | "factor.code_used"
  | "factor.refused";
