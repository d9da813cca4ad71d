import { appendFile, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, openCluster } from "./cluster";
import { prepareLocation } from "./embedded/location";
import { runOrThrow } from "./embedded/run";
import { migrate } from "./migrate";
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
    "select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'",
  );
  expect(rows.map(({ name }) => String(name)).toSorted()).toEqual(expected.toSorted());
});

test("migrating again changes nothing", async () => {
  await ask("insert into users (email, name) values ('a@example.com', 'A')");
  await migrate(cluster.url);
  expect(await ask("select name from users")).toEqual([{ name: "A" }]);
});

test("with the audit log under another role, as docs/operate.md says, the product only reads and adds lines", async () => {
  const [, section = ""] = (await readFile("docs/operate.md", "utf8")).split("### Audit log under another role");
  const [, statements = ""] = section.split(/```(?:sql)?/);
  await queryRows(await superuserUrl(), statements);
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

/** Gives the cluster a superuser, whom the product does not have, and returns the address with that user. */
async function superuserUrl(): Promise<string> {
  await cluster.release();
  const { dir, user, binaries } = await prepareLocation(folder);
  await appendFile(join(dir, "pg_hba.conf"), "host carillon admin 127.0.0.1/32 trust\n");
  const input = "create role admin login superuser;\n";
  await runOrThrow(binaries.postgres, ["--single", "-D", dir, "-c", "exit_on_error=true", "postgres"], { user, input });
  cluster = await openCluster({ dataDir: folder, purpose: "command" });
  const url = new URL(cluster.url);
  url.username = "admin";
  return url.href;
}
