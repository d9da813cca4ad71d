import { type SQL, sql } from "drizzle-orm";

/**
 * SQL about a row `e` of events: it has its final place in the log. Every transaction that could still write one before it
 * has ended, because those that are under way, and all to come, have higher ids (`pg_snapshot_xmin`).
 */
export const isSettled: SQL = sql`e.xid < pg_snapshot_xmin(pg_current_snapshot())`;

/** SQL: the fields of a `WrittenEvent`, of a row `e` of events and its owner's row `u` of users. */
export const writtenEvent: SQL = sql`
  e.xid::text as xid, e.id::float8 as id, e.owner_id as "ownerId", e.partner_id as "partnerId",
  u.external_user_id as "externalUserId", e.type, e.data, e.created_at::text as "createdAt"`;
