import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { attachToCluster, DataDirInUse, openCluster } from "./cluster";
import { makeFolder, postmasterPid, queryValue, startHolder } from "./testing/clusters";

const KEEP = "DROP TABLE IF EXISTS kept; CREATE TABLE kept AS SELECT 42 AS answer";

// These tests create, kill and restart whole servers, which takes long on a busy machine.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

let folder: string;
let dataDir: string;

beforeAll(async () => {
  folder = await makeFolder();
  dataDir = join(folder, "data");
});

afterEach(async () => {
  if (await attachToCluster(dataDir)) await (await openCluster({ dataDir, purpose: "command" })).release();
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe("the service that owns a DATA_DIR", () => {
  test("prevents a second service, which reports the first one and changes nothing", async () => {
    const first = startHolder(dataDir, "service");
    const url = await first.url();
    const refusal = await openCluster({ dataDir, purpose: "service" }).catch((error) => error);
    expect(refusal).toBeInstanceOf(DataDirInUse);
    expect(refusal.message).toContain(`${dataDir} is in use by another Carillon (process ${first.pid})`);
    expect(await queryValue(url, "SELECT 1")).toBe(1);
    await first.release();
  });

  test("if killed, leaves its data, and the next start takes over at once", async () => {
    const first = startHolder(dataDir, "service");
    await queryValue(await first.url(), KEEP);
    await first.kill();
    const second = await openCluster({ dataDir, purpose: "service" });
    expect(await queryValue(second.url, "SELECT answer FROM kept")).toBe(42);
    await second.release();
  });

  test("if killed together with PostgreSQL, loses no committed data", async () => {
    const first = startHolder(dataDir, "service");
    await queryValue(await first.url(), KEEP);
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await first.kill();
    const second = await openCluster({ dataDir, purpose: "service" });
    expect(await queryValue(second.url, "SELECT answer FROM kept")).toBe(42);
    await second.release();
  });

  test("commands run next to the service and each other, and the last one to leave stops PostgreSQL", async () => {
    const service = startHolder(dataDir, "service");
    const command = startHolder(dataDir, "command");
    const other = startHolder(dataDir, "command");
    const url = await command.url();
    expect([await service.url(), await other.url()]).toEqual([url, url]);
    await other.release();
    await service.release();
    expect(await queryValue(url, "SELECT 1")).toBe(1);
    await command.release();
    expect(await attachToCluster(dataDir)).toBeUndefined();
  });

  test("a service can start while a command uses the cluster", async () => {
    const command = startHolder(dataDir, "command");
    const url = await command.url();
    const service = await openCluster({ dataDir, purpose: "service" });
    await command.release();
    expect(service.url).toBe(url);
    expect(await queryValue(url, "SELECT 1")).toBe(1);
    await service.release();
  });

  test("a killed PostgreSQL is restarted at the same address", async () => {
    const lost = vi.fn();
    const service = await openCluster({ dataDir, purpose: "service", onLost: lost });
    await queryValue(service.url, KEEP);
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await vi.waitFor(async () => expect(await queryValue(service.url, "SELECT answer FROM kept")).toBe(42), {
      timeout: 45_000,
      interval: 100,
    });
    await service.release();
    expect(lost).not.toHaveBeenCalled();
    expect(await attachToCluster(dataDir)).toBeUndefined();
  });
});
