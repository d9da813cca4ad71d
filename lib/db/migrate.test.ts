import { readFile, rm } from "node:fs/promises";
import { generateDrizzleJson, generateMigration } from "drizzle-kit/api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, openCluster } from "./cluster";
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
