import { and, desc, eq, gte, isNull, lt, type SQL, sql } from "drizzle-orm";
import { type AuditAction, auditLog, db, partners, users } from "../db";
import { UNKNOWN_ACTOR_ID } from "../db/audit";

/** All actions in the audit log. */
export const auditActions = [
  "credential.created",
  "credential.rotated",
  "credential.suspended",
  "credential.resumed",
  "credential.changed",
  "credential.deleted",
  "token.created",
  "token.revoked",
  "consent.given",
  "consent.revoked",
  "session.started",
  "session.refused",
  "password.reset",
  "password.changed",
  "webhook.created",
  "webhook.changed",
  "webhook.rotated",
  "webhook.deleted",
  "signing-key.created",
  "keys.resealed",
  "user.created",
  "user.exported",
  "user.suspended",
  "user.resumed",
  "user.deleted",
  "factor.added",
  "factor.removed",
  "factor.codes_renewed",
  "factor.code_used",
  "factor.refused",
  "staff.looked",
  "staff.shared",
  "partner.changed",
  "member.added",
  "member.role-changed",
  "member.removed",
  "account.connected",
  "account.confirmed",
  "account.disconnected",
] as const satisfies readonly AuditAction[];

/** All conditions apply. An absent or empty one is ignored. */
export type AuditFilter = {
  /** An email address, the ID of a user or partner, `operator`, or `unknown`. */
  actor?: string;
  /** The complete client ID, or the ID of a user, account, token or schedule. */
  subject?: string;
  action?: string;
  /** Days in UTC (`2026-11-22`), both included. */
  from?: string;
  to?: string;
  before?: number;
  limit: number;
};

export type AuditEntry = {
  id: number;
  at: string;
  action: AuditAction;
  /** The email address of a person who signs in, `unknown` for a visitor without an account, otherwise an ID; absent for the operator. */
  actor?: string;
  subject: string;
  partner?: string;
  details: { [name: string]: string | number | boolean };
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** PostgreSQL has no year 0. */
const FIRST_DAY = "0001-01-01";
const DAY = /^\d{4}-\d\d-\d\d$/;

/** Searches the audit log, newest first. `next` is the ID to continue before. An invalid day or action finds nothing. */
export async function searchAudit(input: AuditFilter): Promise<{ items: AuditEntry[]; next?: number }> {
  const where = conditions(input);
  if (where === "nothing") return { items: [] };
  const rows = await db
    .select({ line: auditLog, email: users.email, partner: partners.name })
    .from(auditLog)
    .leftJoin(users, and(eq(users.id, auditLog.actorId), isNull(users.partnerId)))
    .leftJoin(partners, eq(partners.id, auditLog.partnerId))
    .where(and(...where))
    .orderBy(desc(auditLog.id))
    .limit(input.limit + 1);
  const shown = rows.slice(0, input.limit);
  return {
    items: shown.map(({ line: { id, at, action, actorId, subject, details }, email, partner }) => ({
      ...{ id, at, action, subject, details, actor: email ?? nameOf(actorId), partner: partner ?? undefined },
    })),
    next: rows.length > input.limit ? shown.at(-1)?.line.id : undefined,
  };
}

function conditions({ actor, subject, action, from, to, before }: AuditFilter): (SQL | undefined)[] | "nothing" {
  const known = auditActions.find((one) => one === action);
  if ((action && !known) || !isDay(from) || !isDay(to)) return "nothing";
  return [
    actor ? byActor(actor) : undefined,
    subject ? eq(auditLog.subject, subject) : undefined,
    known && eq(auditLog.action, known),
    from ? gte(auditLog.at, sql`${from}::timestamptz`) : undefined,
    to ? lt(auditLog.at, sql`${to}::timestamptz + interval '1 day'`) : undefined,
    before === undefined ? undefined : lt(auditLog.id, before),
  ];
}

/** Rejects days that do not exist, such as 31 February. An absent or empty day adds no condition. */
export function isDay(day: string | undefined): boolean {
  if (!day) return true;
  const instant = DAY.test(day) ? new Date(day) : undefined;
  return (
    instant !== undefined &&
    !Number.isNaN(instant.getTime()) &&
    instant.toISOString().startsWith(day) &&
    day >= FIRST_DAY
  );
}

function nameOf(actorId: string | null): string | undefined {
  return actorId === UNKNOWN_ACTOR_ID ? "unknown" : (actorId ?? undefined);
}

function byActor(actor: string): SQL {
  if (actor.toLowerCase() === "operator") return isNull(auditLog.actorId);
  if (actor.toLowerCase() === "unknown") return eq(auditLog.actorId, UNKNOWN_ACTOR_ID);
  if (UUID.test(actor)) return eq(auditLog.actorId, actor);
  return sql`${auditLog.actorId} in (
    select u.id from ${users} u where lower(u.email) = ${actor.toLowerCase()} and u.partner_id is null)`;
}
