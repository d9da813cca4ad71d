import { eq, sql } from "drizzle-orm";
import ICAL from "ical.js";
import { expect, test } from "vitest";
import { calendarAddresses, db, users } from "../db";
import { as, connectAccount, newOwner, readResponse } from "../testing";
import {
  createCalendarAddress,
  findCalendar,
  findCalendarAddress,
  removeCalendarAddress,
  removeCalendarAddressOfUser,
} from ".";
import { writeCalendar } from "./calendar-address";

const tokenIn = (address: string) => /\/calendars\/([\w-]{43})\.ics$/.exec(address)?.[1] ?? "";

/** The events of a calendar, as a calendar program reads them. */
function eventsIn(text: string | undefined) {
  const calendar = new ICAL.Component(ICAL.parse(text ?? ""));
  return calendar.getAllSubcomponents("vevent").map((one) => {
    const { uid, summary, description, startDate, endDate } = new ICAL.Event(one);
    const status = one.getFirstPropertyValue("status");
    return {
      uid,
      summary,
      description,
      start: startDate.toJSDate().toISOString(),
      end: endDate.toJSDate().toISOString(),
      status,
    };
  });
}

async function plan(
  owner: string,
  content: string,
  scheduledTime: string | undefined,
  isDraft = false,
): Promise<number> {
  const { id } = await connectAccount(owner, "X_TWITTER");
  const publication = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content }] };
  const [status, answer] = await readResponse(
    as(owner).post("/v1/posts", { scheduledTime, isDraft, publications: [publication] }),
  );
  expect(status).toBe(201);
  return (answer as { id: number }).id;
}

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Math.floor((Date.now() + days * DAY_MS) / 60_000) * 60_000).toISOString();

test("a calendar program reads the posts of the next year at the secret address, with every character of their texts", async () => {
  const owner = await newOwner();
  const soon = inDays(2);
  const text = 'Bells; ring, again\\ and "loud"\nThe second line 🔔 of the post';
  const id = await plan(owner, text, soon);
  const draft = await plan(owner, "A draft", inDays(3), true);
  await plan(owner, "In two years", inDays(700));
  await plan(owner, "Without a time", undefined, true);
  await plan(await newOwner(), "Somebody else's", soon);
  const events = eventsIn(await findCalendar(tokenIn(await createCalendarAddress(owner))));
  expect(events).toEqual([
    {
      uid: `post-${id}@localhost`,
      summary: 'X: Bells; ring, again\\ and "loud"',
      description: expect.stringContaining(text),
      start: soon,
      end: new Date(Date.parse(soon) + 900_000).toISOString(),
      status: "CONFIRMED",
    },
    expect.objectContaining({ uid: `post-${draft}@localhost`, summary: "X: A draft", status: "TENTATIVE" }),
  ]);
});

test("shows the beginning of a long text", async () => {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "LINKEDIN");
  const publication = { socialMediaAccountId: id, platformSettings: { type: "LINKEDIN" } };
  const publications = [{ ...publication, posts: [{ content: "bells ".repeat(100) }] }];
  const [status] = await readResponse(as(owner).post("/v1/posts", { scheduledTime: inDays(2), publications }));
  expect(status).toBe(201);
  const [event] = eventsIn(await findCalendar(tokenIn(await createCalendarAddress(owner))));
  expect(event?.description).toMatch(/^(bells ){49}bells…\n\nhttp\S+$/);
});

test("other work runs between the events of a large calendar", async () => {
  const posts = Array.from({ length: 500 }, (_, n) => ({
    ...{ id: n, at: inDays(2), updatedAt: inDays(0), status: "SCHEDULED", platforms: ["X_TWITTER" as const] },
    text: "ü".repeat(300),
  }));
  let turns = 0;
  let next = setImmediate(function count() {
    turns += 1;
    next = setImmediate(count);
  });
  const text = await writeCalendar(posts);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(2);
  expect(eventsIn(text).map(({ uid }) => uid)).toEqual(posts.map(({ id }) => `post-${id}@localhost`));
});

test("a new address ends the one before, only hashes are stored, and a removed one is gone", async () => {
  const owner = await newOwner();
  expect(await findCalendarAddress(owner)).toBeUndefined();
  const [first, second] = [tokenIn(await createCalendarAddress(owner)), tokenIn(await createCalendarAddress(owner))];
  expect([await findCalendar(first), eventsIn(await findCalendar(second))]).toEqual([undefined, []]);
  const [row] = await db.select().from(calendarAddresses).where(eq(calendarAddresses.ownerId, owner));
  expect(JSON.stringify(row)).not.toContain(second);
  await removeCalendarAddress(owner);
  expect([await findCalendar(second), await findCalendarAddress(owner)]).toEqual([undefined, undefined]);
  expect(await findCalendar("../../etc/passwd")).toBeUndefined();
});

test("it ends with a password reset and rests while the person is suspended", async () => {
  const owner = await newOwner();
  const token = tokenIn(await createCalendarAddress(owner));
  const suspend = (at: ReturnType<typeof sql> | null) =>
    db.update(users).set({ suspendedAt: at }).where(eq(users.id, owner));
  await suspend(sql`now()`);
  expect(await findCalendar(token)).toBeUndefined();
  await suspend(null);
  expect(eventsIn(await findCalendar(token))).toEqual([]);
  const said = await db.transaction((tx) => removeCalendarAddressOfUser(tx, owner, { isFirstConfirmation: false }));
  expect(said).toEqual([expect.stringMatching(/^The secret address of your calendar was removed/)]);
  expect(await findCalendar(token)).toBeUndefined();
});
