import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, db, idempotencyKeys, media, schedules, users } from "../db";
import { connectAccount, newOwner, picture } from "../testing";
import { checkInput } from "./check/check-input";
import { storeWithImports, toSchedule } from "./store";

/** A checked schedule of a new owner that is about to be stored, with a key. */
async function checkedSchedule() {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const image = await picture(owner);
  const publication = {
    socialMediaAccountId: account,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: "a", attachmentPaths: [image] }],
  };
  const input = { scheduledTime: "2031-05-01T12:00:00Z", isDraft: false, publications: [publication] };
  const { problems, ...rest } = await checkInput(owner, input, { ids: "schedule" });
  expect(problems).toEqual([]);
  const ticket = { ownerId: owner, route: "POST /v1/posts", key: "k", bodyHash: randomBytes(32) };
  const first = { ticket, of: () => ({ status: 201, body: {} }) };
  const schedule = toSchedule(rest.ids.schedule, false, rest);
  return { owner, account, image, schedule, store: () => storeWithImports(db, owner, schedule, first) };
}

async function left(owner: string) {
  const kept = await db.select().from(idempotencyKeys).where(eq(idempotencyKeys.ownerId, owner));
  const stored = await db.select().from(schedules).where(eq(schedules.ownerId, owner));
  return { keys: kept.length, schedules: stored.length };
}

/** Returns how many of its publications have a due time. */
async function dueOf(publicationId = 0): Promise<number> {
  const { rows } = await db.execute(sql`select 1 from publications where id = ${publicationId} and due_at is not null`);
  return rows.length;
}

type CheckedSchedule = Awaited<ReturnType<typeof checkedSchedule>>;

describe("a change since the schedule was checked", () => {
  test.each<[what: string, change: (made: CheckedSchedule) => Promise<unknown>, says: string]>([
    [
      "a user who is being deleted",
      ({ owner }) => db.update(users).set({ deletingAt: sql`now()` }).where(eq(users.id, owner)),
      "User deletion is in progress",
    ],
    [
      "an account that was disconnected",
      ({ account }) => db.update(accounts).set({ disconnectedAt: sql`now()` }).where(eq(accounts.id, account)),
      "An account was just disconnected. Send the request again",
    ],
    [
      "an account of another user",
      async ({ account }) =>
        db
          .update(accounts)
          .set({ ownerId: await newOwner() })
          .where(eq(accounts.id, account)),
      "An account was just disconnected. Send the request again",
    ],
    [
      "a file that was deleted",
      ({ image }) => db.delete(media).where(eq(media.key, image)),
      "A file was just deleted. Send the request again",
    ],
  ])("%s: 409, and nothing is stored", async (_, change, says) => {
    const made = await checkedSchedule();
    await change(made);
    await expect(made.store()).rejects.toMatchObject({ status: 409, message: says });
    expect(await left(made.owner)).toEqual({ keys: 0, schedules: 0 });
    expect(await dueOf(made.schedule.publications[0]?.id)).toBe(0);
  });

  test("without a change, the schedule, its due time and the answer are stored together", async () => {
    const made = await checkedSchedule();
    await made.store();
    expect(await left(made.owner)).toEqual({ keys: 1, schedules: 1 });
    expect(await dueOf(made.schedule.publications[0]?.id)).toBe(1);
  });

  test("a second request with the same key gets the first one's answer and stores no second schedule", async () => {
    const made = await checkedSchedule();
    await made.store();
    await expect(made.store()).rejects.toMatchObject({ name: "AlreadyAnswered", answer: { status: 201 } });
    expect(await left(made.owner)).toEqual({ keys: 1, schedules: 1 });
  });
});
