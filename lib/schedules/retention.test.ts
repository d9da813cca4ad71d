import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import {
  db,
  deletedCalls,
  events,
  type PublicationStatus,
  partners,
  posts,
  publications,
  publishAttempts,
  publishSteps,
  type ScheduleStatus,
  schedules,
  users,
} from "../db";
import { listPartnerUsage } from "../partners";
import { as, connectAccount, inAnHour, newOwner, newPartner, schedule } from "../testing";
import { deleteUnneededCalls } from "./publish/lookup";
import { deleteExpired } from "./retention";

const MONTH = { schedulesDays: 30 };

type Past = { status?: ScheduleStatus; post?: PublicationStatus; days: number; likeness?: string };

/** A schedule of two posts on X that ended some days ago, with a final call and an attempt. */
async function past({ status = "COMPLETED", post = "PUBLISHED", days, likeness }: Past, owner?: string) {
  const ownerId = owner ?? (await newOwner());
  const { id: socialMediaAccountId } = await connectAccount(ownerId, "X_TWITTER");
  const twoPosts = [{ content: "One" }, { content: "Two" }];
  const on = { socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: twoPosts };
  const { id, publications: [made] = [] } = await schedule(as(ownerId), [on], inAnHour());
  const [publicationId, postId] = [made?.id ?? 0, made?.posts[0]?.id ?? 0];
  const at = sql`now() - make_interval(days => ${days})`;
  await db.update(schedules).set({ status, createdAt: at, updatedAt: at }).where(eq(schedules.id, id));
  await db.update(publications).set({ status: post, dueAt: null }).where(eq(publications.id, publicationId));
  await db.update(posts).set({ status: post }).where(eq(posts.publicationId, publicationId));
  const step = { postId, name: "send", state: "SENDING", workerId: randomUUID(), sentAt: at } as const;
  await db.insert(publishSteps).values({ ...step, startedAt: at, lookalikeKey: likeness });
  await addAttempts(publicationId, days, 1);
  return { id, publicationId, ownerId };
}

/** At the beginning of the table, where old attempts are. */
const addAttempts = (publicationId: number, days: number, count: number) =>
  db.execute(sql`
    insert into publish_attempts (id, publication_id, post_id, outcome, message, started_at, ended_at)
    overriding system value
    select -(random() * 1e12)::bigint - 1, ${publicationId}, 1, 'PUBLISHED', 'The post is out', at, at
    from generate_series(1, ${count}::int), (select now() - make_interval(days => ${days})) t (at)`);

async function left(...made: { id: number }[]): Promise<number[]> {
  const ids = made.map(({ id }) => id);
  const rows = await db.select({ id: schedules.id }).from(schedules).where(inArray(schedules.id, ids));
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

const attemptsOf = ({ publicationId }: { publicationId: number }) =>
  db.$count(publishAttempts, eq(publishAttempts.publicationId, publicationId));

describe("finished schedules", () => {
  test("are deleted with their attempts after the limit, and without an event", async () => {
    const [gone, kept] = [await past({ days: 31 }), await past({ days: 29 })];
    const before = await db.$count(events, eq(events.ownerId, gone.ownerId));
    expect((await deleteExpired(MONTH)).schedules).toBeGreaterThan(0);
    expect(await left(gone, kept)).toEqual([kept.id]);
    expect([await attemptsOf(gone), await attemptsOf(kept)]).toEqual([0, 1]);
    expect(await db.$count(events, eq(events.ownerId, gone.ownerId))).toBe(before);
  });

  test("are kept without a limit", async () => {
    const old = await past({ days: 10_000 });
    expect(await deleteExpired()).toEqual({ schedules: 0, attempts: 0 });
    expect([await left(old), await attemptsOf(old)]).toEqual([[old.id], 1]);
  });

  test.each<[ScheduleStatus, boolean]>([
    ["DRAFT", true],
    ["AWAITING_MEDIA", true],
    ["SCHEDULED", true],
    ["MEDIA_IMPORT_FAILED", true],
    ["IN_PROGRESS", true],
    ["PARTIALLY_COMPLETED", false],
    ["FAILED", false],
  ])("only: an old schedule that is %s is kept: %s", async (status, isKept) => {
    const old = await past({ status, days: 31 });
    await deleteExpired(MONTH);
    expect(await left(old)).toEqual(isKept ? [old.id] : []);
  });

  test("are kept while a publication is still looked up", async () => {
    const old = await past({ status: "FAILED", post: "UNKNOWN", days: 31 });
    const of = eq(publications.id, old.publicationId);
    await db.update(publications).set({ dueAt: sql`now() + interval '1 hour'` }).where(of);
    await deleteExpired(MONTH);
    expect(await left(old)).toEqual([old.id]);
    await db.update(publications).set({ dueAt: null }).where(of);
    await deleteExpired(MONTH);
    expect(await left(old)).toEqual([]);
  });

  test("are remembered while the outcome of a post that looks the same may still be looked up", async () => {
    const likeness = randomUUID();
    const old = await past({ days: 31, likeness });
    const unknown = await past({ status: "FAILED", post: "UNKNOWN", days: 29, likeness });
    const remembered = () => db.$count(deletedCalls, eq(deletedCalls.lookalikeKey, likeness));
    await deleteExpired(MONTH);
    await deleteUnneededCalls();
    expect([await left(old, unknown), await remembered()]).toEqual([[unknown.id], 1]);
    await db.update(schedules).set({ updatedAt: sql`now() - interval '31 days'` }).where(eq(schedules.id, unknown.id));
    await deleteExpired(MONTH);
    await deleteUnneededCalls();
    expect([await left(old, unknown), await remembered()]).toEqual([[], 0]);
  });

  test("still count as used by the partner, in the month in which they were created", async () => {
    const partner = await newPartner();
    const { uuid } = (await (
      await partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" })
    ).json()) as { uuid: string };
    const [{ id: partnerId } = { id: "" }] = await db
      .select({ id: partners.id })
      .from(partners)
      .innerJoin(users, eq(users.partnerId, partners.id))
      .where(eq(users.id, uuid));
    const postsByMonth = async () => (await listPartnerUsage(partnerId)).map((month) => month.posts);
    const made = [await past({ days: 65 }, uuid), await past({ days: 65 }, uuid), await past({ days: 1 }, uuid)];
    const before = await postsByMonth();
    await deleteExpired(MONTH);
    expect(await left(...made)).toHaveLength(1);
    expect(before.reduce((sum, count) => sum + count)).toBe(6);
    expect(await postsByMonth()).toEqual(before);
  });
});

test("attempts are deleted after their own limit, also many of them, and their schedules are kept", async () => {
  const old = await past({ days: 8 });
  await addAttempts(old.publicationId, 8, 2_500);
  const recent = await past({ days: 6 });
  expect((await deleteExpired({ attemptsDays: 7 })).attempts).toBeGreaterThan(2_500);
  expect([await attemptsOf(old), await attemptsOf(recent)]).toEqual([0, 1]);
  expect(await left(old, recent)).toEqual([old.id, recent.id]);
});
