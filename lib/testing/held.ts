import { sql } from "drizzle-orm";
import { vi } from "vitest";
import { db, dedicatedConnection } from "../db";

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
    await waitersOf(rows[0]?.pid, 1);
    await other.query(change, [key]);
    await other.query("commit");
    return await answer;
  } finally {
    await other.end();
  }
}

/**
 * Sends requests while another connection holds their advisory lock, and releases it when all of them wait for it. So they
 * always meet, however fast each of them is.
 * @param lock a number or a text of `lib/db/locks.ts`
 * @throws Error if the requests end without waiting
 */
export async function whileTurnTaken<T>(lock: string | number, ask: (() => Promise<T>)[]): Promise<T[]> {
  const other = await dedicatedConnection("holder");
  try {
    await other.query("begin");
    const key = typeof lock === "number" ? "$1" : "hashtextextended($1, 0)";
    const { rows } = await other.query<{ pid: number }>(
      `select pg_backend_pid() as pid, pg_advisory_xact_lock(${key})`,
      [lock],
    );
    const answers = Promise.all(ask.map((one) => one()));
    const endedEarly = answers.then(() => Promise.reject(new Error("the requests did not wait for their turn")));
    await Promise.race([waitersOf(rows[0]?.pid, ask.length), endedEarly]);
    await other.query("commit");
    return await answers;
  } finally {
    await other.end();
  }
}

/** Waits until this many transactions wait for a lock of this one. */
async function waitersOf(pid: number | undefined, count: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const waiting = await db.execute(sql`select 1 from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`);
      if (waiting.rows.length < count) throw new Error(`${waiting.rows.length} of ${count} transactions wait`);
    },
    { timeout: 45_000, interval: 20 },
  );
}
