import { sql } from "drizzle-orm";

/**
 * SQL condition on a row `u` of users: the user is not suspended, not being deleted, and not of a suspended partner. Nothing
 * is published, sent, imported or shown for other users.
 */
export const isOwnerActive = sql`(u.deleting_at is null and u.suspended_at is null and not exists (
  select from partners join applications using (client_id)
  where partners.id = u.partner_id and applications.suspended_at is not null))`;
