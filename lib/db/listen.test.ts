import { sql } from "drizzle-orm";
import { afterEach, expect, test, vi } from "vitest";
import { db } from ".";
import "../testing"; // opens the database
import { listenOn } from "./listen";

afterEach(() => void vi.restoreAllMocks());

async function listening(channel: string) {
  const heard: string[] = [];
  const lost = vi.fn();
  const listener = listenOn(channel, { notice: (payload) => heard.push(payload), lost });
  await vi.waitFor(() => expect(listener.isLive()).toBe(true), { timeout: 45_000 });
  return { listener, heard, lost };
}

/** Simulates a process that was too busy to read notifications for this long. */
function busyFor(milliseconds: number): void {
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + milliseconds);
}

test("a busy process is not live; after catching up it has received every earlier notification", async () => {
  const { listener, heard, lost } = await listening("late");
  busyFor(10_000);
  expect(listener.isLive()).toBe(false);
  await db.execute(sql`select pg_notify('late', 'something')`);
  expect(await listener.catchUp()).toBe(true);
  expect([listener.isLive(), heard, lost.mock.calls.length]).toEqual([true, ["something"], 0]);
});

test("concurrent calls to catch up share one query", async () => {
  const { listener } = await listening("shared");
  busyFor(10_000);
  const first = listener.catchUp();
  expect(await Promise.all([first, listener.catchUp(), listener.catchUp()])).toEqual([true, true, true]);
});

test("reports a broken connection and is not live until a new one is open", async () => {
  const { listener, lost } = await listening("broken");
  await db.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${`carillon ${process.pid} listen`}`);
  await vi.waitFor(() => expect(lost).toHaveBeenCalled(), 45_000);
  await vi.waitFor(() => expect(listener.isLive()).toBe(true), { timeout: 45_000 });
  const { heard } = await listening("broken");
  await db.execute(sql`select pg_notify('broken', 'again')`);
  await vi.waitFor(() => expect(heard).toEqual(["again"]), 45_000);
});
