import pg from "pg";
import { expect, onTestFinished, test } from "vitest";

// The tests of this file have a process of their own, because they open the database as a process does that starts.

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

test("on a database that answers after more than 5 s, a process starts, and its requests have their limits", {
  timeout: 120_000,
}, async () => {
  const { openData } = await import("./open");
  const { databasePool } = await import(".");
  const [slow, observer] = [await connected(), await connected()];
  await slow.query("begin");
  await slow.query("select from installation for update");
  const opened = openData("service").then(
    ({ close }) => ({ close, error: undefined }),
    (error) => ({ close: async () => {}, error }),
  );
  const hasWaited = async () => {
    const { rows } = await observer.query(
      `select from pg_stat_activity where application_name = $1 and wait_event_type = 'Lock'
         and clock_timestamp() - query_start > interval '5 s'`,
      [`carillon ${process.pid}`],
    );
    return rows.length > 0;
  };
  await Promise.race([opened, expect.poll(hasWaited).toBe(true)]);
  await slow.query("rollback");
  const { close, error } = await opened;
  expect(error).toBeUndefined();
  const { rows } = await databasePool().query(
    "select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l",
  );
  expect(rows).toEqual([{ s: "4500ms", l: "2s" }]);
  await close();
  await observer.query("update installation set key_checks = null, store_id = null, addresses = null, notifies = null");
});

test("limits of the role do not end commands, backups and migrations", async () => {
  const { closeDatabase, databasePool, dedicatedConnection, openDatabase } = await import(".");
  const { migrate } = await import("./migrate");
  const { readMigrations } = await import("./migration-files");
  const url = process.env.DATABASE_URL ?? "";
  const role = await connected();
  const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const read = `select ${names.map((name) => `current_setting('${name}') as ${name}`).join(", ")}`;
  const isApplied = { name: "limits", when: 4_000_000_000_000, hash: "limits" };
  for (const name of names) await role.query(`alter role current_user set ${name} = '7s'`);
  onTestFinished(async () => {
    await closeDatabase();
    for (const name of names) await role.query(`alter role current_user reset ${name}`);
    await role.query("drop table if exists limits_of_migration");
    await role.query(`delete from drizzle.__drizzle_migrations where hash = '${isApplied.hash}'`);
  });

  openDatabase(url, { limits: "command" });
  const own = await dedicatedConnection("backup");
  const marks = { isContract: false, isOutsideTransaction: true };
  const migration = { ...isApplied, ...marks, statements: [`create table limits_of_migration as ${read}`] };
  await migrate(url, { migrations: [...readMigrations(), migration] });
  const found = [databasePool().query(read), own.query(read), role.query("select * from limits_of_migration")];
  const [inPool, alone, inMigration] = (await Promise.all(found)).map(({ rows }) => rows[0]);
  await own.end();
  const none = Object.fromEntries(names.map((name) => [name, "0"]));
  expect(inPool).toEqual({ ...none, idle_in_transaction_session_timeout: "30s" });
  expect([alone, inMigration]).toEqual([none, none]);
});
