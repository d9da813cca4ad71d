import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, type QuietHours, shareTransaction, users } from "../db";
import { removeJob } from "../jobs";
import { newOwner } from "../testing";
import { mailJobKey, queueMail } from "./queue";
import { quietHoursEnd, setQuietHours } from "./quiet";
import { sendDue } from "./send";
import { mailsOf } from "./testing/queued";

const night: QuietHours = { from: 22 * 60, to: 7 * 60, timeZone: "Europe/Berlin" };
const noon: QuietHours = { from: 12 * 60, to: 13 * 60 + 30, timeZone: "UTC" };

describe("quiet hours", () => {
  test.each<[what: string, quiet: QuietHours, now: string, end: string | undefined]>([
    ["before", night, "2030-01-10T20:59:59Z", undefined],
    ["at the beginning", night, "2030-01-10T21:00:00Z", "2030-01-11T06:00:00Z"],
    ["before midnight", night, "2030-01-10T22:59:00Z", "2030-01-11T06:00:00Z"],
    ["after midnight", night, "2030-01-11T05:59:59Z", "2030-01-11T06:00:00Z"],
    ["at the end", night, "2030-01-11T06:00:00Z", undefined],
    ["by day", noon, "2030-01-10T12:30:00Z", "2030-01-10T13:30:00Z"],
    ["by day, at the end", noon, "2030-01-10T13:30:00Z", undefined],
    ["in a night that is an hour shorter", night, "2030-03-30T22:00:00Z", "2030-03-31T05:00:00Z"],
    ["in a night that is an hour longer", night, "2030-10-26T21:00:00Z", "2030-10-27T06:00:00Z"],
    ["to an end that the clock skips", { ...night, to: 150 }, "2030-03-30T23:00:00Z", "2030-03-31T01:00:00Z"],
    ["to an end that the clock shows twice", { ...night, to: 150 }, "2030-10-26T23:00:00Z", "2030-10-27T00:30:00Z"],
    ["again, in the repeated hour", { ...night, to: 150 }, "2030-10-27T01:10:00Z", "2030-10-27T01:30:00Z"],
  ])("%s", (_, quiet, now, end) => {
    const found = quietHoursEnd(quiet, Date.parse(now));
    expect(found && new Date(found).toISOString()).toBe(end && new Date(end).toISOString());
  });
});

/** A person with a confirmed address and quiet hours. */
async function newSleeper(quietHours: QuietHours | null = night): Promise<string> {
  const id = await newOwner();
  await db.update(users).set({ emailConfirmedAt: sql`now()`, quietHours }).where(eq(users.id, id));
  return id;
}

const shares = [{ name: "@ada on X", says: "View the post" }];
const notice = (ownerId: string) =>
  mailsOf(ownerId, () =>
    queueMail(db, { kind: "postPublished", ownerId, about: randomUUID(), facts: { scheduleId: 7, text: "x", shares } }),
  );
const AT_NIGHT = new Date("2090-01-10T23:00:00Z");
const IN_THE_MORNING = new Date("2090-01-11T06:00:00Z");

/** Runs a mail's job at this time. Returns its state and when its next job is due, and withdraws that job. */
async function sentAt(id: string, now: Date): Promise<{ state: string; due: string | null }> {
  return shareTransaction(async (tx) => {
    await sendDue(id, now);
    const { rows } = await tx.execute<{ state: string; due: string | null }>(sql`
      select m.state, (select to_char(run_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI"Z"')
        from graphile_worker.jobs where key = ${mailJobKey(id)}) as due
      from mails m where m.id = ${id}`);
    await removeJob(tx, mailJobKey(id));
    return rows[0] ?? { state: "gone", due: null };
  });
}

describe("a notice in quiet hours", () => {
  test("waits until they end, and is sent once", async () => {
    const [mail] = await notice(await newSleeper());
    const id = mail?.id ?? "";
    expect(await sentAt(id, AT_NIGHT)).toEqual({ state: "WAITING", due: "2090-01-11T06:00Z" });
    expect(await sentAt(id, AT_NIGHT)).toEqual({ state: "WAITING", due: "2090-01-11T06:00Z" }); // a job may run twice
    expect(await sentAt(id, IN_THE_MORNING)).toEqual({ state: "KEPT", due: null });
    expect(await sentAt(id, IN_THE_MORNING)).toEqual({ state: "KEPT", due: null });
  });

  test("is not delayed without quiet hours", async () => {
    const [mail] = await notice(await newSleeper(null));
    expect(await sentAt(mail?.id ?? "", AT_NIGHT)).toEqual({ state: "KEPT", due: null });
  });

  test.each(["confirmAddress", "resetPassword"] as const)("%s is never delayed", async (kind) => {
    const ownerId = await newSleeper();
    const [mail] = await mailsOf(ownerId, () => queueMail(db, { kind, ownerId, about: randomUUID(), facts: {} }));
    expect(await sentAt(mail?.id ?? "", AT_NIGHT)).toEqual({ state: "KEPT", due: null });
  });

  test("is checked again when they change or are removed", async () => {
    const ownerId = await newSleeper();
    const [mail] = await notice(ownerId);
    const id = mail?.id ?? "";
    await shareTransaction(async (tx) => {
      await sendDue(id, AT_NIGHT);
      const due = async () =>
        (
          await tx.execute<{ isDue: boolean }>(sql`
          select run_at <= clock_timestamp() as "isDue" from graphile_worker.jobs where key = ${mailJobKey(id)}`)
        ).rows;
      expect(await due()).toEqual([{ isDue: false }]);
      await setQuietHours(ownerId, null);
      expect(await due()).toEqual([{ isDue: true }]);
      await removeJob(tx, mailJobKey(id));
    });
    expect(await sentAt(id, AT_NIGHT)).toEqual({ state: "KEPT", due: null });
  });
});
