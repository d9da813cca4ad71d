import { chmod, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { attachToCluster, DataDirInUse, openCluster } from "./cluster";
import { startHolder } from "./testing/holder";

let folder: string;
let dataDir: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "carillon cluster ")));
  await chmod(folder, 0o755); // as root PostgreSQL runs as another user, who must get in
  dataDir = join(folder, "data");
});

afterEach(async () => {
  if (await attachToCluster(dataDir)) await (await openCluster({ dataDir, purpose: "command" })).release();
  await rm(folder, { recursive: true, force: true });
});

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query({ text: sql, rowMode: "array" });
  await client.end();
  return rows[0]?.[0];
}

async function postmasterPid(): Promise<number> {
  return Number((await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n")[0]);
}

describe("the embedded PostgreSQL", () => {
  test("is made on first use, UTF-8 and durable, and stopped by the last to leave", async () => {
    const cluster = await openCluster({ dataDir, purpose: "command" });
    expect(await ask(cluster.url, "SHOW server_encoding")).toBe("UTF8");
    expect(await ask(cluster.url, "SHOW fsync")).toBe("on");
    expect(await ask(cluster.url, "SHOW synchronous_commit")).toBe("on");
    expect(await ask(cluster.url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user")).toBe(false);
    expect(await attachToCluster(dataDir)).toBe(cluster.url);
    await cluster.release();
    expect(await attachToCluster(dataDir)).toBeUndefined();
  });

  test("looking for a running one makes nothing", async () => {
    expect(await attachToCluster(dataDir)).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  test("works in a folder with a long path", async () => {
    const long = join(dataDir, "a long name ".repeat(10), "another ".repeat(12), "data");
    const cluster = await openCluster({ dataDir: long, purpose: "command" });
    expect(await ask(cluster.url, "SELECT 1")).toBe(1);
    await cluster.release();
  });

  test("three first starts at once share one cluster", async () => {
    const holders = [1, 2, 3].map(() => startHolder(dataDir, "command"));
    const urls = await Promise.all(holders.map((holder) => holder.url()));
    expect(new Set(urls).size).toBe(1);
    await Promise.all(holders.map((holder) => holder.release()));
    expect(await attachToCluster(dataDir)).toBeUndefined();
    expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres-password", "postgres.log"]);
  });

  test("a start killed while it makes the cluster leaves nothing half", async () => {
    const holder = startHolder(dataDir, "command");
    await vi.waitFor(
      async () => {
        const made = (await readdir(dataDir)).find((name) => name.startsWith("postgres.new-"));
        await readFile(join(dataDir, made ?? "", "data", "PG_VERSION"));
      },
      { timeout: 10_000, interval: 5 },
    );
    await holder.kill();
    const cluster = await openCluster({ dataDir, purpose: "command" });
    expect(await ask(cluster.url, "SELECT 1")).toBe(1);
    await cluster.release();
    expect((await readdir(dataDir)).filter((name) => name.includes("new"))).toEqual([]);
  });
});

describe("the owner of a DATA_DIR", () => {
  test("a second service is refused, names the first, and harms nothing", async () => {
    const first = startHolder(dataDir, "service");
    const url = await first.url();
    const refusal = await openCluster({ dataDir, purpose: "service" }).catch((error) => error);
    expect(refusal).toBeInstanceOf(DataDirInUse);
    expect(refusal.message).toContain(`${dataDir} is in use by another Carillon (process ${first.pid})`);
    expect(await ask(url, "SELECT 1")).toBe(1);
    await first.release();
  });

  test("a killed service leaves its data, and the next start takes over at once", async () => {
    const first = startHolder(dataDir, "service");
    await ask(await first.url(), "CREATE TABLE kept AS SELECT 42 AS answer");
    await first.kill();
    const second = await openCluster({ dataDir, purpose: "service" });
    expect(await ask(second.url, "SELECT answer FROM kept")).toBe(42);
    await second.release();
  });

  test("a killed service and a killed PostgreSQL: nothing acknowledged is lost", async () => {
    const first = startHolder(dataDir, "service");
    await ask(await first.url(), "CREATE TABLE kept AS SELECT 42 AS answer");
    process.kill(await postmasterPid(), "SIGKILL");
    await first.kill();
    const second = await openCluster({ dataDir, purpose: "service" });
    expect(await ask(second.url, "SELECT answer FROM kept")).toBe(42);
    await second.release();
  });

  test("commands work beside the service and beside each other; the last to leave stops it", async () => {
    const service = startHolder(dataDir, "service");
    const command = startHolder(dataDir, "command");
    const other = startHolder(dataDir, "command");
    const url = await command.url();
    expect([await service.url(), await other.url()]).toEqual([url, url]);
    await other.release();
    await service.release();
    expect(await ask(url, "SELECT 1")).toBe(1);
    await command.release();
    expect(await attachToCluster(dataDir)).toBeUndefined();
  });

  test("a service starts while a command holds the cluster", async () => {
    const command = startHolder(dataDir, "command");
    const url = await command.url();
    const service = await openCluster({ dataDir, purpose: "service" });
    await command.release();
    expect(service.url).toBe(url);
    expect(await ask(url, "SELECT 1")).toBe(1);
    await service.release();
  });

  test("a PostgreSQL that is killed comes back at the same address", async () => {
    const lost = vi.fn();
    const service = await openCluster({ dataDir, purpose: "service", onLost: lost });
    await ask(service.url, "CREATE TABLE kept AS SELECT 42 AS answer");
    process.kill(await postmasterPid(), "SIGKILL");
    await vi.waitFor(async () => expect(await ask(service.url, "SELECT answer FROM kept")).toBe(42), {
      timeout: 15_000,
      interval: 100,
    });
    await service.release();
    expect(lost).not.toHaveBeenCalled();
    expect(await attachToCluster(dataDir)).toBeUndefined();
  });
});
