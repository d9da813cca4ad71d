import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import ical, { foldLines, ICalCalendarMethod, ICalEvent, type ICalEventData, ICalEventStatus } from "ical-generator";
import { calendarAddresses, db, type Tx, users } from "../db";
import { auditForUser } from "../db/audit";
import { statement, value } from "../db/statement";
import { env } from "../env";
import { networkOf } from "../networks";
import type { Platform } from "../platforms";
import { randomToken, sha256 } from "../secrets";
import { giveWay } from "../time/give-way";
import { assertStillAllowed, isOwnerActive, type Lockout } from "../users";

// A secret address at which calendar programs read a person's posts (RFC 5545). The address contains its token, which is stored as
// a hash: the person sees the address once, and a new one replaces it.

const TOKEN = /^[\w-]{43}$/;
const [PAST_DAYS, AHEAD_DAYS] = [31, 366];
const MAX_EVENTS = 2_000;
/** A post has no length. Calendars show this much of the day for it. */
const MINUTES = 15;
const MAX_TITLE = 80;
/** The post's page shows the rest of its text. Folding the lines of a calendar takes 0.3 ms for 1,000 characters. */
const MAX_TEXT = 300;

/**
 * Creates the person's address, in place of an earlier one. Returns it; it cannot be read again.
 * @param sessionEpoch the person's when the request was authenticated
 * @throws Unauthorized if the password was reset since then
 */
export async function createCalendarAddress(ownerId: string, sessionEpoch?: number): Promise<string> {
  const token = randomToken();
  await db.transaction(async (tx) => {
    await assertStillAllowed(tx, { id: ownerId, sessionEpoch });
    await tx
      .insert(calendarAddresses)
      .values({ ownerId, tokenHash: sha256(token) })
      .onConflictDoUpdate({
        target: calendarAddresses.ownerId,
        set: { tokenHash: sha256(token), createdAt: sql`now()` },
      });
    await auditForUser(tx, ownerId, {
      action: "token.created",
      subject: ownerId,
      details: { kind: "calendar address" },
    });
  });
  return `${env.appUrl}/calendars/${token}.ics`;
}

/** Ends the person's address, if there is one. */
export async function removeCalendarAddress(ownerId: string): Promise<void> {
  await db.transaction((tx) => remove(tx, ownerId));
}

async function remove(tx: Tx, ownerId: string): Promise<boolean> {
  const gone = await tx
    .delete(calendarAddresses)
    .where(eq(calendarAddresses.ownerId, ownerId))
    .returning({ ownerId: calendarAddresses.ownerId });
  if (gone.length === 0) return false;
  await auditForUser(tx, ownerId, { action: "token.revoked", subject: ownerId, details: { kind: "calendar address" } });
  return true;
}

/** Ends the address of a person who reset their password: an intruder may know it. */
export const removeCalendarAddressOfUser: Lockout = async (tx, userId) =>
  (await remove(tx, userId))
    ? ["The secret address of your calendar was removed. Create a new one in the settings."]
    : [];

/** Whether the person has an address, and since when. */
export async function findCalendarAddress(ownerId: string): Promise<{ createdAt: string } | undefined> {
  const [row] = await db
    .select({ createdAt: calendarAddresses.createdAt })
    .from(calendarAddresses)
    .where(eq(calendarAddresses.ownerId, ownerId));
  return row;
}

type Planned = { id: number; at: string; updatedAt: string; status: string; platforms: Platform[]; text: string };

const planned = statement<{ ownerId: string }, Planned>(
  "schedules.calendar",
  sql`
  select s.id, to_json(s.scheduled_time)#>>'{}' as at, to_json(s.updated_at)#>>'{}' as "updatedAt", s.status,
    (select coalesce(json_agg(distinct a.platform), '[]') from publications p join accounts a on a.id = p.account_id
      where p.schedule_id = s.id) as platforms,
    coalesce((select left(q.content, ${sql.raw(String(MAX_TEXT + 1))}) from publications p join posts q on q.publication_id = p.id
      where p.schedule_id = s.id and q.content <> '' order by p.position, q.position limit 1), '') as text
  from schedules s
  where s.owner_id = ${value("ownerId", "uuid")}
    and s.scheduled_time > now() - make_interval(days => ${sql.raw(String(PAST_DAYS))})
    and s.scheduled_time < now() + make_interval(days => ${sql.raw(String(AHEAD_DAYS))})
  order by s.scheduled_time limit ${sql.raw(String(MAX_EVENTS))}`,
);

const u = alias(users, "u"); // the name in isOwnerActive

/**
 * The posts of the last month and the next year, as an iCalendar document (RFC 5545).
 * @returns undefined if no address has this token, or its person is suspended or being deleted
 */
export async function findCalendar(token: string): Promise<string | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const [owner] = await db
    .select({ id: u.id })
    .from(calendarAddresses)
    .innerJoin(u, eq(u.id, calendarAddresses.ownerId))
    .where(and(eq(calendarAddresses.tokenHash, sha256(token)), isOwnerActive));
  if (!owner) return undefined;
  return writeCalendar(await planned(db, { ownerId: owner.id }));
}

/** Writes one event at a time between the calendar's own lines: all 2,000 at once would hold the event loop for half a second. */
export async function writeCalendar(posts: Planned[]): Promise<string> {
  const calendar = ical({ name: "Carillon", prodId: { company: "Carillon", product: "Carillon" }, ttl: 900 });
  calendar.method(ICalCalendarMethod.PUBLISH);
  const empty = calendar.toString();
  const end = empty.lastIndexOf("END:VCALENDAR");
  const parts = [empty.slice(0, end)];
  for (const post of posts) {
    await giveWay();
    parts.push(foldLines(new ICalEvent(eventOf(post), calendar).toString()));
  }
  return [...parts, empty.slice(end)].join("");
}

function eventOf(post: Planned): ICalEventData {
  const start = new Date(post.at);
  const networks = post.platforms.map((platform) => networkOf(platform).name).join(", ");
  const [line = ""] = post.text.trim().split("\n");
  const url = `${env.appUrl}/posts/${post.id}`;
  return {
    id: `post-${post.id}@${new URL(env.appUrl).hostname}`,
    start,
    end: new Date(start.getTime() + MINUTES * 60_000),
    lastModified: new Date(post.updatedAt),
    summary: `${networks}: ${shortened(line, MAX_TITLE)}`,
    description: `${shortened(post.text, MAX_TEXT)}\n\n${url}`,
    url,
    status: post.status === "DRAFT" ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
  };
}

function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed().trimEnd()}…` : text;
}
