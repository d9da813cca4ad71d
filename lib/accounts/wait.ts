import { eq, sql } from "drizzle-orm";
import { accounts, db } from "../db";

/** A network told this account to slow down: nothing is sent in its name for so long. */
export async function letWait(id: number, seconds: number): Promise<void> {
  await db
    .update(accounts)
    .set({ waitUntil: sql`greatest(${accounts.waitUntil}, clock_timestamp() + make_interval(secs => ${seconds}))` })
    .where(eq(accounts.id, id));
}
