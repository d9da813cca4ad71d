import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { posts, publications, schedules, shareTransaction, type Tx } from "../../db";
import { createSchedule, listSchedules, listSchedulesByTime, type PageByTime } from "../../schedules";
import { connectAccount, newOwner, picture } from "../../testing";

/** PostgreSQL plans a prepared statement five times, then uses one generic plan unless that seems too expensive. */
test("the statements of a create are planned once per connection, not per request", async () => {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "X_TWITTER");
  const part = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" as const } };
  const posts = [{ content: "a", attachmentPaths: [] }];
  const input = { scheduledTime: "2031-05-01T12:00:00Z", isDraft: false, publications: [{ ...part, posts }] };
  const plans = await shareTransaction(async (tx) => {
    for (let count = 0; count < 8; count++) await createSchedule(owner, input);
    return tx.execute(
      sql`select name, generic_plans > 0 as once from pg_prepared_statements where name ~ '^schedules'`,
    );
  });
  expect(plans.rows).toEqual(
    expect.arrayContaining(["schedules.facts", "schedules.store"].map((name) => ({ name, once: true }))),
  );
});

const BATCH = 2_000; // all rows at once could exceed the time limit of a statement

async function give(tx: Tx, ownerId: string, count: number, status = "SCHEDULED", days = 365): Promise<void> {
  for (let first = 1; first <= count; first += BATCH) {
    const last = Math.min(count, first + BATCH - 1);
    await tx.execute(sql`
      insert into ${schedules} (owner_id, status, scheduled_time)
      select ${ownerId}, ${status}, now() + make_interval(days => ${days}, secs => n)
      from generate_series(${first}::int, ${last}::int) n`);
  }
}

/** Index entries of schedules that this transaction has read. */
async function entriesRead(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`select sum(pg_stat_get_xact_tuples_returned(indexrelid))::int as count
      from pg_index where indrelid = 'schedules'::regclass`,
  );
  return rows[0]?.count ?? Number.NaN;
}

/**
 * Runs `work` in a transaction that is rolled back. The other tests of this database would read its rows too, and the tests of the
 * backup would copy them.
 */
async function rolledBack<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const end = new Error("rolled back");
  let done: { result: T } | undefined;
  await shareTransaction(async (tx) => {
    done = { result: await work(tx) };
    throw end;
  }).catch((error: unknown) => {
    if (error !== end) throw error;
  });
  if (!done) throw new Error("the transaction did not run");
  return done.result;
}

describe("a page of the owner with most schedules reads only its own index entries", () => {
  const bySort = (sort: PageByTime["sort"], status?: PageByTime["status"]) => (owner: string) =>
    listSchedulesByTime(owner, { limit: 50, sort, status });
  type Page = [order: string, list: (owner: string) => Promise<{ items: unknown[] }>, limit: number];
  // The planner reads a few entries at the ends of an index. Without a status, equal times are sorted after a few more entries.
  const pages: Page[] = [
    ["newest first", (owner) => listSchedules(owner, { limit: 50 }), 60],
    ["newest first, with a status", (owner) => listSchedules(owner, { limit: 50, status: ["SCHEDULED"] }), 60],
    ["by scheduledTime, with a status", bySort("scheduledTime", ["SCHEDULED"]), 120],
    ["by -scheduledTime, with a status", bySort("-scheduledTime", ["COMPLETED"]), 120],
    ["by -scheduledTime, with statuses", bySort("-scheduledTime", ["COMPLETED", "FAILED", "SCHEDULED"]), 220],
    ["by scheduledTime", bySort("scheduledTime"), 120],
  ];
  const found = new Map<string, { items: number; read: number }>();

  beforeAll(async () => {
    const [one, other] = [await newOwner(), await newOwner()];
    await rolledBack(async (tx) => {
      await give(tx, one, 30_000, "COMPLETED", -365);
      await give(tx, one, 30_000);
      await give(tx, other, 200);
      await tx.execute(sql`analyze ${schedules}`);
      for (const [order, list] of pages) {
        const before = await entriesRead(tx);
        const { items } = await list(one);
        found.set(order, { items: items.length, read: (await entriesRead(tx)) - before });
      }
    });
  });

  test.each(pages)("%s", (order, _, limit) => {
    const { items, read } = found.get(order) ?? { items: 0, read: 0 };
    expect(items).toBe(50);
    expect(read).toBeGreaterThan(50); // one more shows whether there is a next page
    expect(read).toBeLessThan(limit);
  });
});

const USED = 10_000;

/** Inserts `USED` finished schedules, each with its own text and a file that no longer exists. */
async function giveUsed(tx: Tx, ownerId: string, accountId: number): Promise<void> {
  for (let given = 0; given < USED; given += BATCH) await giveBatch(tx, ownerId, accountId);
}

async function giveBatch(tx: Tx, ownerId: string, accountId: number): Promise<void> {
  await tx.execute(sql`
    with s as (
      insert into ${schedules} (owner_id, status, scheduled_time)
      select ${ownerId}, 'COMPLETED', now() from generate_series(1, ${BATCH}::int) returning id
    ), p as (
      insert into ${publications} (schedule_id, account_id, position, settings) select id, ${accountId}, 0, '{}' from s
      returning id
    )
    insert into ${posts} (publication_id, position, content, attachment_paths)
    select id, 0, 'Bell ' || id, array[${ownerId} || '/' || gen_random_uuid() || '.jpg'] from p`);
}

/** Rows of a table that this transaction has read, sequentially or with an index. */
async function rowsRead(tx: Tx, table: string): Promise<number> {
  const { rows } = await tx.execute<{ count: number }>(
    sql`select (pg_stat_get_xact_tuples_returned(${table}::regclass) + pg_stat_get_xact_tuples_fetched(${table}::regclass)
        + sum(pg_stat_get_xact_tuples_fetched(indexrelid)))::int as count
      from pg_index where indrelid = ${table}::regclass`,
  );
  return rows[0]?.count ?? Number.NaN;
}

const TABLES = ["schedules", "publications", "posts"];

/** Rows read per table. */
async function readBy(tx: Tx, work: () => Promise<void>): Promise<number[]> {
  const all = async () => Promise.all(TABLES.map((table) => rowsRead(tx, table)));
  const before = await all();
  await work();
  return (await all()).map((count, index) => count - (before[index] ?? 0));
}

describe("with many finished schedules", () => {
  const found = new Map<string, { ids: number[]; read: number[] }>();
  let usingFile: number;

  beforeAll(async () => {
    const owner = await newOwner();
    const { id } = await connectAccount(owner, "X_TWITTER");
    const path = await picture(owner);
    const part = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" as const } };
    const ofFile = [{ content: "a", attachmentPaths: [path] }];
    const input = { scheduledTime: "2031-05-01T12:00:00Z", isDraft: false, publications: [{ ...part, posts: ofFile }] };
    usingFile = (await createSchedule(owner, input)).id;
    const lists = {
      file: { attachment: path },
      text: { text: "bell" },
      "text and status": { text: "bell", status: ["COMPLETED" as const] },
    };
    await rolledBack(async (tx) => {
      await giveUsed(tx, owner, id);
      for (const table of [schedules, publications, posts]) await tx.execute(sql`analyze ${table}`);
      for (const [name, filters] of Object.entries(lists)) {
        let ids: number[] = [];
        const read = await readBy(tx, async () => {
          const { items } = await listSchedules(owner, { limit: 20, ...filters });
          ids = items.map((item) => item.id);
        });
        found.set(name, { ids, read });
      }
    });
  });

  test("those that use a file are found with an index, not by scanning the owner's posts", () => {
    const { ids = [], read = [] } = found.get("file") ?? {};
    expect(ids).toEqual([usingFile]);
    expect(Math.max(...read)).toBeGreaterThan(0);
    expect(Math.max(...read)).toBeLessThan(100);
  });

  test.each(["text", "text and status"])(
    "a search for a word that all texts have looks up a limited number of them: %s",
    (name) => {
      const { ids = [], read = [] } = found.get(name) ?? {};
      expect(ids).toHaveLength(20);
      expect(Math.min(...read)).toBeGreaterThan(20); // one more shows whether there is a next page
      expect(Math.max(...read)).toBeLessThan(5_100); // the look-up ends after 5,000, and the comparison when the page is full
    },
  );
});
