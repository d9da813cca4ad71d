import { and, eq, sql } from "drizzle-orm";
import { dbOrTransaction, mails, type QuietHours, users } from "../db";
import { NotFound } from "../errors";
import { enqueue } from "../jobs";
import { firstInstantAt, instantsAt, zoneOf } from "../time/zone";
import { mailDue, mailJobKey } from "./queue";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Returns when the quiet hours around an instant end, or undefined if it lies outside them. They follow the wall clock: an
 * hour that the clock shows twice is quiet both times, and if the clock skips the end, it is the first instant after.
 */
export function quietHoursEnd({ from, to, timeZone }: QuietHours, now: number): number | undefined {
  const zone = zoneOf(timeZone);
  const wall = now + zone.offsetAt(now);
  const today = Math.floor(wall / DAY_MS) * DAY_MS;
  const minute = Math.floor((wall - today) / MINUTE_MS);
  const isQuiet = from < to ? from <= minute && minute < to : from <= minute || minute < to;
  if (!isQuiet) return undefined;
  const ends = [0, 1].flatMap((days) => {
    const end = today + days * DAY_MS + to * MINUTE_MS;
    return [firstInstantAt(zone, end), ...instantsAt(zone, end)];
  });
  return Math.min(...ends.filter((end) => end > now));
}

/** @throws NotFound */
export async function getQuietHours(userId: string): Promise<QuietHours | null> {
  const [row] = await dbOrTransaction.select({ quietHours: users.quietHours }).from(users).where(eq(users.id, userId));
  if (!row) throw new NotFound("User", userId);
  return row.quietHours;
}

/** Sets or removes the quiet hours. Notices that wait for the end of the old ones are checked again. */
export async function setQuietHours(userId: string, quietHours: QuietHours | null): Promise<void> {
  await dbOrTransaction.transaction(async (tx) => {
    await tx.update(users).set({ quietHours }).where(eq(users.id, userId));
    const held = await tx
      .select({ id: mails.id })
      .from(mails)
      .where(and(eq(mails.ownerId, userId), eq(mails.attempts, 0), sql`${mails.state} = 'WAITING'`));
    for (const { id } of held) await enqueue(tx, mailDue, { mailId: id }, { key: mailJobKey(id) });
  });
}

/** `{ from: "22:00", to: "07:00", timeZone: "Europe/Berlin" }` */
export function presentQuietHours({ from, to, timeZone }: QuietHours) {
  return { from: clockOf(from), to: clockOf(to), timeZone };
}

/** Formats minutes since 00:00 as `22:00`. */
export function clockOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0")).join(":");
}
