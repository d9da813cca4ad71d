import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import pg from "pg";
import { describe, expect, test, vi } from "vitest";
import { databasePool, db, publications, schedules } from "../../db";
import type { Worker } from "../../jobs";
import { as, connectAccount, newOwner, postsOn, read, schedule } from "../../testing";
import { type Claim, ClaimLost, claimPublication } from "./claim";
import { publish } from "./publish";
import { settleFailed, settlePublished } from "./settle";

const newWorker = (): Worker => ({ id: randomUUID(), assertAlive() {} });

/** A schedule with one post on each of this many new accounts, all claimed by one worker of this test. */
async function claimed(count: number, platform: "X_TWITTER" | "LINKEDIN" = "X_TWITTER") {
  const owner = await newOwner();
  const client = as(owner);
  const people = await Promise.all(Array.from({ length: count }, () => connectAccount(owner, platform)));
  const parts = people.map(({ id }) => ({
    socialMediaAccountId: id,
    platformSettings: { type: platform },
    posts: [{ content: "at once" }],
  }));
  const made = await schedule(client, parts, new Date(Date.now() + 3_600_000));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const worker = newWorker();
  const claims: Claim[] = [];
  for (const { id } of made.publications) {
    const claim = await claimPublication(id, worker);
    if (claim) claims.push(claim);
  }
  return { client, id: made.id, people, claims, seen: () => read(client, made.id) };
}

const end = (claim: Claim, isOut: boolean) => {
  const [post] = claim.posts;
  if (!post) throw new Error("there is no post");
  return isOut
    ? settlePublished(claim, post, { id: "1", permalink: "https://x.com/1" })
    : settleFailed(claim, post, { status: "FAILED", message: "refused" });
};

describe("posts of one schedule that end at the same moment", () => {
  test("are all considered: the schedule's status results from all of them", async () => {
    const { claims, seen } = await claimed(3);
    await Promise.all(claims.map((claim, index) => end(claim, index > 0)));
    expect(await seen()).toMatchObject({
      overallStatus: "PARTIALLY_COMPLETED",
      publications: [
        { status: "FAILED", posts: [{ status: "FAILED", error: "refused" }] },
        { status: "PUBLISHED", posts: [{ status: "PUBLISHED", networkPostId: "1" }] },
        { status: "PUBLISHED", posts: [{ status: "PUBLISHED", networkPostId: "1" }] },
      ],
    });
  });

  test.each<[how: string, lose: { [column: string]: unknown }]>([
    ["ran out", { claimUntil: sql`now()` }],
    ["is another worker's", { claimWorker: randomUUID() }],
    ["is a later one of the same worker", { claimFence: 2 }],
  ])("a post whose claim %s records nothing, and the others are not affected", async (_, lose) => {
    const { claims, seen } = await claimed(2);
    const [first, second] = claims;
    if (!first || !second) throw new Error("not claimed");
    await db.update(publications).set(lose).where(eq(publications.id, first.publicationId));
    const ends = await Promise.allSettled([end(first, true), end(second, true)]);
    expect(ends).toMatchObject([{ status: "rejected", reason: expect.any(ClaimLost) }, { status: "fulfilled" }]);
    expect(await seen()).toMatchObject({
      overallStatus: "IN_PROGRESS",
      publications: [{ status: "IN_PROGRESS", posts: [{ status: "PENDING" }] }, { status: "PUBLISHED" }],
    });
    await db.delete(schedules).where(eq(schedules.id, first.scheduleId));
  });
});

/** Counts how often the work runs each of the named statements. */
async function counted(work: () => Promise<unknown>): Promise<(name: string) => number> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  try {
    await work();
    const named = spy.mock.calls.map(([query]) => (query as { name?: string }).name);
    return (name) => named.filter((one) => one === name).length;
  } finally {
    spy.mockRestore();
  }
}

describe("twelve publications at the same moment", () => {
  test("are announced by one statement, and each is called once", async () => {
    // LinkedIn is not read before the call, so all calls are announced at the same moment.
    const { claims, people, seen } = await claimed(12, "LINKEDIN");
    const times = await counted(() => Promise.all(claims.map(publish)));
    expect(times("publish-steps.announce")).toBe(1);
    expect((await seen()).overallStatus).toBe("COMPLETED");
    for (const { person } of people) expect(await postsOn("linkedin", person)).toHaveLength(1);
  });

  test("end in one transaction", async () => {
    const { claims, seen } = await claimed(12);
    const times = await counted(() => Promise.all(claims.map((claim) => end(claim, true))));
    expect(times("publications.settle")).toBe(1);
    expect((await seen()).overallStatus).toBe("COMPLETED");
  });
});

test("an intent that cannot be stored does not prevent other posts from being sent", async () => {
  const { claims, people, seen } = await claimed(3);
  const doomed = claims[1]?.posts[0]?.id ?? 0;
  const name = sql.identifier(`broken_${doomed}`);
  await db.execute(
    sql`create function ${name}() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  );
  await db.execute(sql`create trigger ${name} before insert on publish_steps for each row
    when (new.post_id = ${sql.raw(String(doomed))}) execute function ${name}()`);
  await Promise.all(claims.map(publish));
  await db.execute(sql`drop function ${name} cascade`);
  expect((await seen()).publications.map(({ status }) => status)).toEqual(["PUBLISHED", "IN_PROGRESS", "PUBLISHED"]);
  const counts = await Promise.all(people.map(async ({ person }) => (await postsOn("x", person)).length));
  expect(counts).toEqual([1, 0, 1]);
  await db.delete(schedules).where(eq(schedules.id, claims[0]?.scheduleId ?? 0));
});

describe("with thousands of stored posts", () => {
  test("settling reads rows by index, not whole tables", async () => {
    const { claims, people } = await claimed(1);
    const [claim] = claims;
    if (!claim) throw new Error("nothing was claimed");
    await db.execute(sql`
      with made as (
        insert into schedules (owner_id, status, scheduled_time)
        select ${claim.ownerId}, 'SCHEDULED', now() + interval '1 year' from generate_series(1, 5000) returning id
      ), parts as (
        insert into publications (schedule_id, account_id, platform, position, settings)
        select id, ${people[0]?.id}::bigint, 'X_TWITTER', 0, '{"type":"TWITTER"}' from made returning id
      )
      insert into posts (publication_id, owner_id, position, content, attachment_paths)
      select id, ${claim.ownerId}, 0, '', '{}' from parts`);
    await db.execute(sql`analyze schedules, publications, posts`); // as autovacuum does for tables that have grown
    await end(claim, true);
    const plan = (await planOf("publications.settle")).join("\n");
    expect(plan).toContain("Update on posts");
    expect(plan).not.toMatch(/Seq Scan on (schedules|publications|posts)/);
    await db.delete(schedules).where(eq(schedules.ownerId, claim.ownerId));
  });
});

/** The plan of a statement that this process has prepared. Each connection of the pool knows only its own statements. */
async function planOf(name: string): Promise<string[]> {
  const clients = await Promise.all(Array.from({ length: 10 }, () => databasePool().connect()));
  try {
    for (const client of clients) {
      const { rows } = await client.query("select statement from pg_prepared_statements where name = $1", [name]);
      if (rows.length === 0) continue;
      const plan = await client.query(`explain (generic_plan, costs off) ${rows[0].statement}`);
      return plan.rows.map((row) => row["QUERY PLAN"]);
    }
    throw new Error(`${name} was not prepared`);
  } finally {
    for (const client of clients) client.release();
  }
}
