import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openCluster } from "../../lib/db/cluster";
import { existingDir } from "../../lib/db/embedded/location";
import { migrate } from "../../lib/db/migrate";

/** The environment variable that names the DATA_DIR with the empty cluster to the test processes. */
const EMPTY_CLUSTER = "EMPTY_CLUSTER";

/**
 * Creates a DATA_DIR with a cluster that does not run and has the schema, but no data. Most products of the run start with a copy of
 * it, because creating and migrating a cluster takes as long as the rest of a start. The shared product starts before, with nothing.
 * Returns a function that removes it.
 */
export default async function createEmptyCluster(): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "carillon-empty-")));
  const cluster = await openCluster({ dataDir: folder, purpose: "command" });
  await migrate(cluster.url);
  await cluster.release();
  // If the folder is not accessible to PostgreSQL's user, the cluster is elsewhere, and each product creates its own.
  if ((await existingDir(folder)) === join(folder, "postgres")) process.env[EMPTY_CLUSTER] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** Copies the empty cluster of the run into a new DATA_DIR, if there is one. */
export async function copyEmptyCluster(dataDir: string): Promise<void> {
  const folder = process.env[EMPTY_CLUSTER];
  if (folder) await promisify(execFile)("cp", ["-a", `${folder}/.`, dataDir]);
}
