import { sql } from "drizzle-orm";
import { index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { identity, instant } from "./columns";

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
