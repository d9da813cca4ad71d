import { sql } from "drizzle-orm";
import { beforeClosing, db, partnerCalls } from "../db";
import { once } from "../db/per-process";
import { log } from "../log";

const WRITE_EVERY_MS = 5_000;

type Counting = { calls: Map<string, number>; timer?: NodeJS.Timeout; isClosing: boolean };
const counting = once<Counting>("connect.calls", () => ({ calls: new Map(), isClosing: false }));

/**
 * Counts a call of a partner. Counts are added up in this process and written a few seconds later, so that no call waits for
 * it; a process that is killed takes the last seconds' with it.
 */
export function countCall(partnerId: string): void {
  counting.calls.set(partnerId, (counting.calls.get(partnerId) ?? 0) + 1);
  if (!counting.isClosing) {
    counting.isClosing = true;
    beforeClosing(async () => {
      clearTimeout(counting.timer);
      await writeCalls();
      counting.isClosing = false;
    });
  }
  counting.timer ??= setTimeout(() => void writeCalls(), WRITE_EVERY_MS).unref();
}

/** Writes down what was counted since the last time. */
export async function writeCalls(): Promise<void> {
  clearTimeout(counting.timer);
  counting.timer = undefined;
  const counted = [...counting.calls];
  counting.calls.clear();
  if (counted.length === 0) return;
  const month = sql`date_trunc('month', now() at time zone 'UTC')::date`;
  try {
    await db
      .insert(partnerCalls)
      .values(counted.map(([partnerId, calls]) => ({ partnerId, month, calls })))
      .onConflictDoUpdate({
        target: [partnerCalls.partnerId, partnerCalls.month],
        set: { calls: sql`${partnerCalls.calls} + excluded.calls` },
      });
  } catch (error) {
    log.warn({ error: String(error) }, "the calls of partners could not be counted");
  }
}
