import { sql } from "drizzle-orm";
import type { Tx } from "../db";

/**
 * Removes every event that shows something of these accounts, with its deliveries: a person of a network had what we hold
 * of them removed.
 */
export async function eraseEventsOf(tx: Tx, accountIds: number[]): Promise<void> {
  const ids = sql`${sql.param(accountIds)}::bigint[]`;
  await tx.execute(sql`
    delete from events e using accounts a
    where a.id = any(${ids}) and e.owner_id = a.owner_id and (
      e.type like 'account.%' and (e.data ->> 'id')::bigint = a.id
      or e.type like 'publication.%' and (e.data ->> 'socialMediaAccountId')::bigint = a.id
      or e.type like 'post.%' and exists (
        select from json_array_elements(e.data -> 'publications') p where (p ->> 'socialMediaAccountId')::bigint = a.id))`);
}
