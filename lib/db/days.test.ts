import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOwner } from "../testing";
import { addDayPartitions, deleteOldDays } from "./days";
import { db, dedicatedConnection, requestLog, users } from "./index";

let client: pg.Client;
beforeAll(async () => {
  client = await dedicatedConnection("days test");
});
afterAll(() => client.end());

/** Logs a request some days from now, and returns how to find the partition that has it. */
async function logged(days: number, ownerId?: string) {
  const row = { requestId: randomUUID(), grantId: randomUUID(), method: "GET", path: "/", status: 200, ms: 1, ownerId };
  const at = sql`now() + make_interval(days => ${days})`;
  await db.insert(requestLog).values({ ...row, at });
  return async (): Promise<string | undefined> => {
    const { rows } = await db.execute<{ part: string }>(
      sql`select tableoid::regclass::text as part from request_log where request_id = ${row.requestId}`,
    );
    return rows[0]?.part;
  };
}

/** `request_log_20261124` */
async function partitionOf(days: number): Promise<string> {
  const { rows } = await db.execute<{ name: string }>(
    sql`select to_char((now() + make_interval(days => ${days})) at time zone 'UTC', '"request_log_"YYYYMMDD') as name`,
  );
  return rows[0]?.name ?? "";
}

/** Creates the partition of a day in the past with a row, as if it had been created in time. Other tests may purge meanwhile. */
async function createPast(days: number): Promise<string> {
  const name = await partitionOf(days);
  const day = `${name.slice(-8)} 00:00+00`;
  const { rows } = await client.query("select ($1::timestamptz + interval '1 day')::text as next", [day]);
  await client.query("begin");
  await client.query(
    `create table "${name}" partition of request_log for values from ('${day}') to ('${rows[0].next}')`,
  );
  await client.query(
    `insert into request_log (at, request_id, grant_id, method, path, status, ms)
     values ($1, gen_random_uuid(), gen_random_uuid(), 'GET', '/', 200, 1)`,
    [day],
  );
  expect((await client.query(`select count(*)::int as rows from only "${name}"`)).rows).toEqual([{ rows: 1 }]);
  await client.query("commit");
  return name;
}

async function exists(partition: string): Promise<boolean> {
  return (await client.query("select to_regclass($1) as name", [partition])).rows[0].name !== null;
}

describe("a table with a partition for each day", () => {
  test("stores a row in the partition of its day, which exists for the next seven days", async () => {
    await addDayPartitions(client); // adds a day if midnight has passed since the database was created
    expect(await addDayPartitions(client)).toEqual([]);
    for (const days of [0, 1, 7]) {
      const part = await logged(days);
      expect(await part()).toBe(await partitionOf(days));
    }
  });

  test("loses a day as a whole when all of its rows are too old", async () => {
    const [old, older, today] = [await createPast(-30), await createPast(-31), await partitionOf(0)];
    await deleteOldDays(client);
    expect([await exists(old), await exists(older), await exists(today)]).toEqual([false, false, true]);
    const { rows } = await client.query("select from request_log where at < now() - interval '29 days'");
    expect(rows).toEqual([]);
  });

  test("stores rows of a day without a partition too, and deletes them when they are old", async () => {
    const [old, future] = [await logged(-20), await logged(40)];
    expect([await old(), await future()]).toEqual(["request_log_default", "request_log_default"]);
    await deleteOldDays(client);
    expect([await old(), await future()]).toEqual([undefined, "request_log_default"]);
  });

  test("gets no partition for a day whose rows are already elsewhere, and gets those of the days after it", async () => {
    await logged(8);
    expect(await addDayPartitions(client, 9)).toEqual([await partitionOf(9)]);
    await client.query(`drop table "${await partitionOf(9)}"`);
  });

  test("drops an old day later if the table is in use", async () => {
    const old = await createPast(-33);
    const reader = await dedicatedConnection("days test");
    await reader.query("begin; select from request_log limit 1");
    await deleteOldDays(client);
    expect(await exists(old)).toBe(true);
    await reader.end();
    await deleteOldDays(client);
    expect(await exists(old)).toBe(false);
  });

  test("loses the rows of a deleted user in every partition", async () => {
    const owner = await newOwner();
    const parts = [await logged(0, owner), await logged(41, owner)];
    await db.delete(users).where(eq(users.id, owner));
    expect(await Promise.all(parts.map((part) => part()))).toEqual([undefined, undefined]);
  });

  test("is read by index in every partition, and only in the partitions of the time that is asked for", async () => {
    const plan = async (query: string) =>
      ((await client.query(`set enable_seqscan = off; explain ${query}`)) as unknown as { rows: object[] }[])[1]?.rows
        .map((row) => Object.values(row)[0])
        .join("\n") ?? "";
    const owner = randomUUID();
    for (const where of [`owner_id = '${owner}' and id < 1000`, `partner_id = '${owner}'`, `request_id = '${owner}'`]) {
      expect(await plan(`select * from request_log where ${where} order by id desc limit 51`)).not.toContain(
        "Seq Scan",
      );
    }
    const past = await createPast(-3);
    const recent = await plan("select * from request_log where at >= now() - interval '1 hour'");
    expect(recent).toContain(await partitionOf(0));
    expect(recent).not.toContain(past);
  });
});
