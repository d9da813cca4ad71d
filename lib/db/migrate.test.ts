import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, openCluster } from "./cluster";
import { migrate } from "./migrate";

let folder: string;
let cluster: Cluster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-migrate-"));
  await chmod(folder, 0o755); // as root PostgreSQL runs as another user, who must get in
  cluster = await openCluster({ dataDir: join(folder, "data"), purpose: "command" });
}, 60_000);

afterAll(async () => {
  await cluster?.release();
  await rm(folder, { recursive: true, force: true });
});

async function ask(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

test("however many processes migrate a fresh database at once, all succeed and each step is done once", async () => {
  await Promise.all(Array.from({ length: 6 }, () => migrate(cluster.url)));
  const steps = await ask("select hash from drizzle.__drizzle_migrations");
  expect(steps).toEqual([...new Set(steps.map((row) => (row as { hash: string }).hash))].map((hash) => ({ hash })));
  expect(await ask("select count(*)::int as jobs from graphile_worker.jobs")).toEqual([{ jobs: 0 }]);
  expect(await ask("select count(*)::int as owners from users")).toEqual([{ owners: 0 }]);
});

test("migrating again changes nothing", async () => {
  await ask("insert into users (email, name) values ('a@example.com', 'A')");
  await migrate(cluster.url);
  expect(await ask("select name from users")).toEqual([{ name: "A" }]);
});
