import { randomUUID } from "node:crypto";
import { eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import {
  dbOrTransaction,
  networkHealth,
  publications,
  publishingPause,
  schedules,
  shareTransaction,
  users,
} from "../../db";
import { PUBLICATION_PICK_LOCK_CLASS } from "../../db/locks";
import type { Worker } from "../../jobs";
import type { Platform } from "../../platforms";
import { as, connectAccount, newOwner, schedule } from "../../testing";
import { claimDue, newPickState } from "./pick";

const worker: Worker = { id: randomUUID(), assertAlive() {} };
const ACCOUNTS = 500;
const PER_ACCOUNT = 40;
const MANY = ACCOUNTS * PER_ACCOUNT;
const WINDOW = 2_000;
/** Three windows, and two rows of each of their accounts. */
const MOST_ROWS = 3 * WINDOW + 2 * 3 * 200;

class Undone extends Error {}

type Look = { claimed: number[]; inOrder: number; byIndex: number };
/** `quiet`: before the many publications; what it reads are entries of other tests' rows that PostgreSQL has not removed yet. */
let looks: { quiet: Look; closed: Look; paused: Look; suspended: Look; between: Look[]; newest: Look; among: Look[] };
let onX: number;
let onBluesky: number;

beforeAll(async () => {
  const [flooding, small] = [await newOwner(), await newOwner()];
  const x = await lone(small, "X_TWITTER", "TWITTER");
  const bluesky = await lone(small, "BLUE_SKY", "BLUE_SKY");
  [onX, onBluesky] = [x.id, bluesky.id];
  let isFree = false;
  const attempt = () =>
    shareTransaction(async () => {
      isFree = await canPick();
      if (!isFree) throw new Undone(); // another process is picking
      await calm();
      await becomeDue([bluesky], sql`now() - interval '1 second'`);
      const quiet = await look(newPickState());
      await claimable(bluesky);
      await flood(flooding);
      await becomeDue([x, bluesky], sql`now() - interval '1 second'`);
      await dbOrTransaction.execute(sql`analyze publications`); // as autovacuum does for a table that has grown
      looks = { quiet, ...(await lookAtFlood(flooding, x)) };
      throw new Undone(); // no other worker sees any of this
    });
  while (!isFree) await expect(attempt()).rejects.toThrow(Undone);
});

async function lone(owner: string, platform: Platform, type: string) {
  const { id } = await connectAccount(owner, platform);
  const part = { socialMediaAccountId: id, platformSettings: { type }, posts: [{ content: "a" }] };
  const made = await schedule(as(owner), [part], new Date(Date.now() + 3_600_000));
  return { id: made.publications[0]?.id ?? 0, scheduleId: made.id };
}

async function canPick(): Promise<boolean> {
  const { rows } = await dbOrTransaction.execute<{ free: boolean }>(sql`
    select bool_and(pg_try_advisory_xact_lock(${PUBLICATION_PICK_LOCK_CLASS}, hashtext(n))) as free
    from unnest(array['X_TWITTER', 'BLUE_SKY']) n`);
  return rows[0]?.free === true;
}

/** Leaves nothing due, on networks that are open. */
async function calm(): Promise<void> {
  await dbOrTransaction.delete(networkHealth);
  await dbOrTransaction.update(publications).set({ dueAt: null }).where(lte(publications.dueAt, sql`now()`));
}

async function claimable({ id }: { id: number }): Promise<void> {
  await dbOrTransaction
    .update(publications)
    .set({ claimUntil: null, status: "PENDING" })
    .where(eq(publications.id, id));
}

/** Makes many publications due on X, half of them at one time and the others before. */
async function flood(owner: string): Promise<void> {
  await dbOrTransaction.execute(sql`
    with made as (
      insert into accounts (owner_id, platform, network_account_id, username, display_name)
      select ${owner}, 'X_TWITTER', gen_random_uuid(), 'many', 'many' from generate_series(1, ${ACCOUNTS}::int) returning id
    ), one as (
      insert into schedules (owner_id, status, scheduled_time) values (${owner}, 'SCHEDULED', now() - interval '1 hour') returning id
    )
    insert into publications (schedule_id, account_id, platform, position, settings, due_at)
    select one.id, made.id, 'X_TWITTER', 0, '{"type":"TWITTER"}',
      now() - interval '10 minutes' - greatest(0, n - ${PER_ACCOUNT / 2}::int) * interval '1 second'
    from one, made, generate_series(1, ${PER_ACCOUNT}::int) n`);
}

async function becomeDue(some: { id: number; scheduleId: number }[], at: SQL): Promise<void> {
  const [ids, scheduleIds] = [some.map(({ id }) => id), some.map(({ scheduleId }) => scheduleId)];
  await dbOrTransaction
    .update(schedules)
    .set({ scheduledTime: sql`now() - interval '1 hour'` })
    .where(inArray(schedules.id, scheduleIds));
  await dbOrTransaction.update(publications).set({ dueAt: at }).where(inArray(publications.id, ids));
}

async function lookAtFlood(
  flooding: string,
  x: { id: number; scheduleId: number },
): Promise<Omit<typeof looks, "quiet">> {
  const memory = newPickState();
  await dbOrTransaction.insert(publishingPause).values({ id: 1 }).onConflictDoNothing();
  const paused = await look(memory);
  await dbOrTransaction.delete(publishingPause);
  const closedUntil = sql`now() + interval '1 minute'`;
  await dbOrTransaction
    .insert(networkHealth)
    .values({ platform: "X_TWITTER", consecutiveFailures: 10, allowance: 1, closedUntil });
  const closed = await look(memory);
  await dbOrTransaction.delete(networkHealth);
  await dbOrTransaction.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, flooding));
  const suspended = await look(memory);
  await claimable(x);
  await becomeDue([x], sql`now() - interval '10 minutes'`);
  const between: Look[] = [];
  for (let n = 0; n < MANY / WINDOW + 1; n++) between.push(await look(memory));
  await oneOfEach(x);
  await becomeDue([x], sql`now() - interval '1 second'`);
  const newest = await look(newPickState());
  await oneOfEach(x);
  await becomeDue([x], sql`now() - interval '20 minutes' + ${ACCOUNTS / 2} * interval '1 second'`);
  const among: Look[] = [];
  for (let n = 0; n < 50; n++) among.push(await look(memory));
  return { closed, paused, suspended, between, newest, among };
}

/** Leaves one due publication of each account, in the order of the accounts, and makes the lone one claimable again. */
async function oneOfEach(lone: { id: number }): Promise<void> {
  await dbOrTransaction.execute(sql`
    update publications p set due_at = case when first then now() - interval '20 minutes' + place * interval '1 second' end
    from (
      select p.id, row_number() over (partition by p.account_id order by p.id) = 1 as first,
        dense_rank() over (order by p.account_id) as place
      from publications p join accounts a on a.id = p.account_id where a.username = 'many'
    ) one where one.id = p.id`);
  await claimable(lone);
}

async function look(memory: ReturnType<typeof newPickState>): Promise<Look> {
  const before = await rowsRead();
  const { claims } = await claimDue(worker, [], memory);
  const after = await rowsRead();
  return {
    claimed: claims.map(({ publicationId }) => publicationId),
    inOrder: after.inOrder - before.inOrder,
    byIndex: after.byIndex - before.byIndex,
  };
}

/** Rows of publications that this transaction has read from the table in order, and by its indexes. */
async function rowsRead(): Promise<{ inOrder: number; byIndex: number }> {
  const { rows } = await dbOrTransaction.execute<{ inOrder: number; byIndex: number }>(sql`
    select pg_stat_get_xact_tuples_returned('publications'::regclass)::float8 as "inOrder",
      (select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = 'publications'::regclass)::float8 as "byIndex"`);
  if (!rows[0]) throw new Error("no statistics");
  return rows[0];
}

describe(`while ${MANY} publications are due on one network`, () => {
  test("which is closed, a publication elsewhere is claimed by a look that reads a few rows", () => {
    expect(looks.closed.claimed).toEqual([onBluesky]);
    expect(looks.closed.byIndex - looks.quiet.byIndex).toBeLessThan(200);
  });

  test("and publishing is paused, a look reads a few rows and claims none", () => {
    expect(looks.paused.claimed).toEqual([]);
    expect(looks.paused.byIndex).toBeLessThan(200);
  });

  test("of a suspended owner, the newest of another owner on that network is claimed by the next look", () => {
    expect(looks.suspended.claimed).toEqual([onX]);
  });

  test("at one time, one between them is claimed after a few looks", () => {
    expect(looks.between.flatMap(({ claimed }) => claimed)).toEqual([onX]);
  });

  test("of more accounts than a window takes, the newest of another owner is claimed by the next look", () => {
    expect(looks.newest.claimed).toEqual([onX]);
  });

  test("of more accounts than a window takes, one between them is claimed after a few looks", () => {
    expect(looks.among.flatMap(({ claimed }) => claimed)).toEqual([onX]);
  });

  test("a look reads a limited number of rows, and only by indexes", () => {
    const all = [looks.closed, looks.paused, looks.suspended, ...looks.between];
    expect(Math.max(...all.map(({ byIndex }) => byIndex))).toBeLessThan(looks.quiet.byIndex + MOST_ROWS);
    expect(all.map(({ inOrder }) => inOrder)).toEqual(all.map(() => 0));
  });
});
