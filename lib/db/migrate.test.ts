import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as migrateWithDrizzle } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { root, surroundings } from "../../e2e/setup/service";
import { env } from "../env";
import { type Cluster, openCluster } from "./cluster";
import { prepareLocation } from "./embedded/location";
import { runOrThrow } from "./embedded/run";
import { MIGRATION_LOCK } from "./locks";
import { migrate, prepareSchema, schemaProblem, WrongSchema } from "./migrate";
import { type Migration, readMigrations } from "./migration-files";
import { migrateData } from "./open";
import * as schema from "./schema";
import { makeFolder, queryRows } from "./testing/clusters";

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  folder = await makeFolder();
  cluster = await openCluster({ dataDir: folder, purpose: "command" });
}, 60_000);

afterAll(async () => {
  await cluster?.release();
  await rm(folder, { recursive: true, force: true });
});

const ask = (sql: string) => queryRows(cluster.url, sql);

const META = "lib/db/migrations/meta";

async function migrationEntries(): Promise<{ idx: number }[]> {
  return JSON.parse(await readFile(`${META}/_journal.json`, "utf8")).entries;
}

async function newestSnapshot() {
  const newest = String((await migrationEntries()).at(-1)?.idx).padStart(4, "0");
  return JSON.parse(await readFile(`${META}/${newest}_snapshot.json`, "utf8"));
}

test("the newest migration has every change to the schema", async () => {
  const snapshot = await newestSnapshot();
  expect(await generateMigration(snapshot, generateDrizzleJson(schema, snapshot.id))).toEqual([]);
});

test("a server that accepts the connection and never answers is given up after 10 s, with the reason", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await expect(migrate(`postgres://carillon@127.0.0.1:${port}/carillon`)).rejects.toThrow(/timeout/);
}, 20_000);

describe("SIGTERM, while another process migrates the database, ends at once, with the reason,", () => {
  const web = 'const { main } = await import("./dist/server.js"); await main({ dev: false });';

  test.each([
    ["npm run carillon -- migrate", ["bin/carillon.mjs", "migrate"], 1, "Stopped by SIGTERM"],
    ["npm run worker", ["bin/start.mjs", "--worker"], 0, "told to stop before the database was migrated"],
    ["npm start", ["--input-type=module", "-e", web], 0, "told to stop before the database was migrated"],
  ])("%s", async (_, args, code, says) => {
    const holder = new pg.Client({ connectionString: cluster.url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    const settings = { DATABASE_URL: cluster.url, DATA_DIR: `${folder}/waits`, SANDBOX: "off" };
    const child = spawn(process.execPath, args, { cwd: root, env: { ...surroundings, ...settings } });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "close");
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
    await expect.poll(() => said).toContain("Waiting for another process that migrates the database");
    child.kill("SIGTERM");
    expect(await ended).toEqual([code, null]);
    expect(said).toContain(says);
    expect(said).not.toMatch(/\n +at /);
  });
});

test("six processes migrate a new database at the same time: all succeed and each migration runs once", async () => {
  await Promise.all(Array.from({ length: 6 }, () => migrate(cluster.url)));
  const migrations = await ask("select hash from drizzle.__drizzle_migrations");
  expect(migrations).toHaveLength((await migrationEntries()).length);
  expect(new Set(migrations.map(({ hash }) => hash)).size).toBe(migrations.length);
  expect(await ask("select count(*)::int as jobs from graphile_worker.jobs")).toEqual([{ jobs: 0 }]);
  expect(await ask("select count(*)::int as owners from users")).toEqual([{ owners: 0 }]);
});

test("a migrated database has exactly the tables and columns of the snapshot", async () => {
  const { tables } = await newestSnapshot();
  const expected = Object.values<{ name: string; columns: object }>(tables).flatMap(({ name, columns }) =>
    Object.keys(columns).map((column) => `${name}.${column}`),
  );
  const rows = await ask(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and not exists (select from pg_class where oid = table_name::regclass and relispartition)`,
  );
  expect(rows.map(({ name }) => String(name)).toSorted()).toEqual(expected.toSorted());
});

test("migrating again changes nothing", async () => {
  await ask("insert into users (email, name) values ('a@example.com', 'A')");
  await migrate(cluster.url);
  expect(await ask("select name from users")).toEqual([{ name: "A" }]);
});

describe("a database that another release has migrated", () => {
  const migrations = readMigrations();

  /** The migrations of a later release: those of this one and one more. */
  function later(name: string, statements: string[], marks: Partial<Migration> = {}): Migration[] {
    const when = 4_000_000_000_000 + Number(name);
    return [
      ...migrations,
      { name, when, hash: name, statements, isContract: false, isOutsideTransaction: false, ...marks },
    ];
  }

  async function forget(name: string): Promise<void> {
    await ask(`delete from drizzle.__drizzle_migrations where hash = '${name}'`);
  }

  /** Runs `work` on a connection of its own, which is closed afterwards. */
  async function connected(work: (client: pg.Client) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: cluster.url, application_name: "the holder" });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }

  /** Collects what a migration says. `heard` waits for a line that contains the text. */
  function listener() {
    const said: string[] = [];
    const heard = (text: string) => expect.poll(() => said.join("\n")).toContain(text);
    return { say: (line: string) => void said.push(line), said, heard };
  }

  test("an older schema is refused with the command to run, and `migrate` applies only what is missing", async () => {
    const newer = {
      migrations: later("1001", ["create schema later", "create table later.one (id int)"]),
      say: () => {},
    };
    const refused = prepareSchema(cluster.url, false, newer);
    await expect(refused).rejects.toThrow(WrongSchema);
    await expect(refused).rejects.toThrow(
      "(missing: 1001). Run this once, then start again: npm run carillon -- migrate",
    );
    expect(await ask("select to_regclass('later.one') as found")).toEqual([{ found: null }]);
    expect(await migrate(cluster.url, newer)).toEqual(["1001"]);
    expect(await migrate(cluster.url, newer)).toEqual([]);
    await prepareSchema(cluster.url, false, newer);
  });

  test("a health check says that the schema is older, or newer and unusable", async () => {
    await connected(async (client) => {
      expect(await schemaProblem(client, migrations)).toBeUndefined();
      expect(await schemaProblem(client, later("1003", []))).toBe(
        "The schema is that of an older release. Run migrate",
      );
      await ask(
        "insert into drizzle.__drizzle_migrations (hash, created_at, is_contract) values ('1004', 4000000001004, true)",
      );
      const newer = "The schema is that of a newer release that this one does not fit";
      expect(await schemaProblem(client, migrations)).toBe(newer);
      await forget("1004");
    });
  });

  test("with the embedded database, the start applies what is missing", async () => {
    const newer = { migrations: later("1002", ["create table later.two (id int)"]), say: () => {} };
    await prepareSchema(cluster.url, true, newer);
    expect(await ask("select to_regclass('later.two')::text as found")).toEqual([{ found: "later.two" }]);
  });

  test("a newer schema is accepted unless a migration is marked as contract", async () => {
    await prepareSchema(cluster.url, false);
    expect(await migrate(cluster.url)).toEqual([]);
    await migrate(cluster.url, {
      migrations: later("1003", ["drop table later.two"], { isContract: true }),
      say: () => {},
    });
    for (const refused of [() => prepareSchema(cluster.url, true), () => migrate(cluster.url)]) {
      await expect(refused()).rejects.toThrow("The database has the schema of a newer release");
    }
    await forget("1003");
  });

  test("the first release, which runs Drizzle's migrator at its start, changes nothing in a newer schema", async () => {
    const rows = () => ask("select * from drizzle.__drizzle_migrations order by id");
    const before = await rows();
    await connected((client) => migrateWithDrizzle(drizzle(client), { migrationsFolder: "lib/db/migrations" }));
    expect(await rows()).toEqual(before);
    expect(before.length).toBeGreaterThan(migrations.length);
  });

  test("a process that waits for another one's migration says so, names it, and then starts", async () => {
    const { say, said, heard } = listener();
    await connected(async (client) => {
      await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
      const waiting = migrate(cluster.url, { say });
      await heard('Waiting for another process that migrates the database: "the holder" on 127.0.0.1');
      await client.query("select pg_advisory_unlock($1)", [MIGRATION_LOCK]);
      expect(await waiting).toEqual([]);
    });
    expect(said).toHaveLength(1);
  });

  test("an index is built outside a transaction while another process waits for the migration", async () => {
    const statements = [
      "drop index concurrently if exists later.one_by_id",
      "create index concurrently one_by_id on later.one (id)",
    ];
    const newer = later("1004", statements, { isOutsideTransaction: true });
    const { say, heard } = listener();
    await connected(async (client) => {
      await client.query("begin isolation level repeatable read");
      await client.query("select 1 from later.one"); // the index waits until this transaction ends
      const both = Promise.all([
        migrate(cluster.url, { migrations: newer, say }),
        migrate(cluster.url, { migrations: newer, say }),
      ]);
      await heard("Waiting for another process");
      await client.query("commit");
      expect((await both).toSorted()).toEqual([[], ["1004"]]);
    });
    const valid = "select indisvalid as valid from pg_index where indexrelid = 'later.one_by_id'::regclass";
    expect(await ask(valid)).toEqual([{ valid: true }]);
  });

  test("a change of a table that a transaction uses gives way to that transaction and is tried again", async () => {
    const { say, heard } = listener();
    const newer = later("1005", ["alter table later.one add column name text"]);
    await connected(async (client) => {
      await client.query("begin; select * from later.one");
      const migrated = migrate(cluster.url, { migrations: newer, say });
      await heard("1005 waits until other transactions release their locks");
      await client.query("commit");
      expect(await migrated).toEqual(["1005"]);
    });
  });
});

test("with the audit log under another role, as docs/operate.md says, the product only reads and adds lines", async () => {
  const [, section = ""] = (await readFile("docs/operate.md", "utf8")).split("### Audit log under another role");
  const [, statements = ""] = section.split(/```(?:sql)?/);
  superuser = await superuserUrl();
  await queryRows(superuser, statements);
  await migrate(cluster.url);
  await ask("insert into audit_log (action, subject) values ('user.created', 'one')");
  expect(await ask("select subject from audit_log")).toEqual([{ subject: "one" }]);
  for (const change of [
    "update audit_log set subject = 'two'",
    "delete from audit_log",
    "truncate audit_log",
    "alter table audit_log disable trigger all",
    "create or replace function reject_audit_log_change() returns trigger language plpgsql as 'begin return new; end'",
    "drop table audit_log",
  ]) {
    const result = await ask(change).catch(({ message }: Error) => message);
    expect([change, result]).toEqual([change, expect.stringMatching(/^(permission denied|must be owner)/)]);
  }
});

let superuser: string;

describe("the request log, when its table gets partitions", () => {
  const insert = (path: string, at: string) =>
    `insert into request_log (at, request_id, grant_id, method, path, status, ms)
     values (${at}, gen_random_uuid(), gen_random_uuid(), 'GET', '${path}', 200, 1)`;

  test("keeps its rows, which the release before deletes only when they are old", async () => {
    await queryRows(superuser, "create database older");
    const older = new URL(superuser);
    older.pathname = "/older";
    const run = (statement: string) => queryRows(older.href, statement);
    const migrations = readMigrations();
    const first = migrations.findIndex(({ name }) => name.endsWith("request_log_bound"));
    await migrate(older.href, { migrations: migrations.slice(0, first) });
    await run(insert("/old", "now() - interval '169 hours'"));
    await run(insert("/before", "now()"));
    // If the migration is interrupted here for more than a week, requests are not logged, and inserts do not fail.
    await migrate(older.href, { migrations: migrations.slice(0, first + 1) });
    await run(insert("/a week later", "now() + interval '8 days'"));
    await migrate(older.href, { say: () => {} });
    await run(insert("/after", "now()"));
    await run(insert("/next month", "now() + interval '30 days'"));
    const paths = async () => (await run("select path from request_log order by id")).map(({ path }) => path);
    expect(await paths()).toEqual(["/old", "/before", "/after", "/next month"]);
    expect(
      await run("select count(distinct id)::int as ids, count(distinct tableoid)::int as parts from request_log"),
    ).toEqual([{ ids: 4, parts: 2 }]);
    await run(`delete from request_log where ctid in
      (select ctid from request_log where at < now() - interval '7 days' limit 1000 for update skip locked)`);
    expect(await paths()).toEqual(["/before", "/after", "/next month"]);
  });
});

/** Gives the cluster a superuser, whom the product does not have, and returns the address with that user. */
async function superuserUrl(): Promise<string> {
  await cluster.release();
  const { dir, user, binaries } = await prepareLocation(folder);
  const access = join(dir, "with-admin.conf"); // the product writes its own pg_hba.conf at every start
  const own = await readFile(join(dir, "pg_hba.conf"), "utf8");
  await writeFile(access, `${own}host all admin 127.0.0.1/32 trust\n`);
  const input = `create role admin login superuser;\nalter system set hba_file = '${access}';\n`;
  await runOrThrow(binaries.postgres, ["--single", "-D", dir, "-c", "exit_on_error=true", "postgres"], { user, input });
  cluster = await openCluster({ dataDir: folder, purpose: "command" });
  const url = new URL(cluster.url);
  url.username = "admin";
  return url.href;
}

test("a DATABASE_DIRECT_URL of another database is refused: with the locks there, living workers would seem dead", async () => {
  onTestFinished(() => void Object.assign(env, { databaseDirectUrl: undefined }));
  Object.assign(env, { databaseDirectUrl: cluster.url });
  await expect(migrateData(() => {})).rejects.toThrow("DATABASE_DIRECT_URL: leads to another database");
});

test("a question about the schema that gets no answer is given up, with the reason, and the connection is closed", async () => {
  await migrate(cluster.url);
  const holder = new pg.Client(cluster.url);
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin; lock table drizzle.__drizzle_migrations in access exclusive mode");
  await expect(prepareSchema(cluster.url, true, { answerMs: 100 })).rejects.toThrow(/timeout/);
  await holder.query("rollback");
  await prepareSchema(cluster.url, true, { answerMs: 10_000 });
});
