import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { db, dedicatedConnection } from "../../db";

/** A row to lock, and a change to make meanwhile. Both statements take the row's key as `$1`. */
type Held = { key: string | number; from: string; change: string };

/**
 * Sends a request while the row is locked, and changes the row once the request waits for the lock: after its checks,
 * before it writes.
 */
export async function whileRowLocked<T>({ key, from, change }: Held, ask: () => Promise<T>): Promise<T> {
  const other = await dedicatedConnection("holder");
  try {
    await other.query("begin");
    const { rows } = await other.query<{ pid: number }>(`select pg_backend_pid() as pid ${from} for update`, [key]);
    const answer = ask();
    await vi.waitFor(
      async () => {
        const waiting = await db.execute(
          sql`select 1 from pg_stat_activity where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`,
        );
        if (waiting.rows.length === 0) throw new Error("no transaction waits for the row");
      },
      { timeout: 45_000, interval: 20 },
    );
    await other.query(change, [key]);
    await other.query("commit");
    return await answer;
  } finally {
    await other.end();
  }
}
