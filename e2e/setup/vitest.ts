import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openCluster } from "../../lib/db/cluster";
import { ownPort } from "../../lib/testing/own-port";
import { isLastShard } from "./sequencer";
import { startSwift } from "./swift";

/** Test files that may serve files to be imported (lib/testing/files.ts). */
const FILE_SERVERS = 15;

/**
 * The environment of all tests of a run: one real database, one sandbox and their settings. The test processes inherit it, so
 * nothing is set up twice; each test creates its own owner instead of a database.
 */
export default async function setup({ vitest }: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), "carillon-test-"));
  const [cluster, sandbox, swift, port, ...filePorts] = await Promise.all([
    openCluster({ dataDir, purpose: "service" }),
    startSandbox(join(dataDir, "sandbox")),
    isLastShard(vitest) ? startSwift(join(dataDir, "swift")) : undefined,
    ownPort(),
    ...Array.from({ length: FILE_SERVERS }, ownPort),
  ]);
  Object.assign(process.env, {
    DATA_DIR: dataDir,
    DATABASE_URL: cluster.socketUrl, // as the product with an embedded database; a query by TCP costs the system more
    SECRETS_KEY: randomBytes(32).toString("base64url"),
    PORT: String(port),
    SANDBOX_PORT: String(sandbox.port),
    TIME_FACTOR: "60",
    LOG_LEVEL: "silent",
    EGRESS_ALLOW: filePorts.map((filePort) => `127.0.0.1+127.0.0.1+${filePort}`).join(","),
    FAIL_POINTS: "on",
    PINTEREST_CAROUSEL: "on",
    RATE_LIMIT_API: "1000000",
    RATE_LIMIT_AUTH: "1000000",
    // For the test files that use it; the others store their objects in DATA_DIR.
    TEST_BUCKET: swift ? JSON.stringify(swift.settings) : "",
  });
  // Imported only now, because the settings are read on import.
  const { migrate } = await import("../../lib/db/migrate");
  await migrate(cluster.url);
  await commitWithoutWaiting(cluster.url);

  return async () => {
    swift?.stop();
    await sandbox.close();
    await cluster.release();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/**
 * No test lets this database crash, so nothing waits for the disk. The tests of durability (lib/db/cluster*.test.ts) start
 * databases of their own with the product's settings.
 */
async function commitWithoutWaiting(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("alter role carillon set synchronous_commit = off");
  await client.end();
}

/** If the sandbox does not start, prints the error and continues, so that tests without it still report their results. */
async function startSandbox(dir: string): Promise<{ port: number; close(): Promise<void> }> {
  try {
    const sandbox = await import("../../sandbox/server");
    return await sandbox.startSandbox({ port: 0, dir });
  } catch (error) {
    console.error("The sandbox does not start; every test that needs it will fail.", error);
    return { port: 9, close: async () => {} };
  }
}
