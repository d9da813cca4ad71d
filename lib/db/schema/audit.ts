import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { identity, instant } from "./columns";

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
    /** ID of the user or partner who acted. Null for the operator at the command line. */
    actorId: uuid("actor_id"),
    /** The partner that owns the credential, user or account, if there is one. */
    partnerId: uuid("partner_id"),
    /** The object of the action: a client ID, user ID or account ID. */
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
