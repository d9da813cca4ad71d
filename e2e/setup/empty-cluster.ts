import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { existingDir, password, prepareLocation } from "../../lib/db/embedded/location";
import { createCluster } from "../../lib/db/embedded/postmaster";

/** The environment variable that names the DATA_DIR with the empty cluster to the test processes. */
const EMPTY_CLUSTER = "EMPTY_CLUSTER";

/**
 * Creates a DATA_DIR with an empty cluster that does not run. Most products of the run start with a copy of it, because creating a
 * cluster takes as long as the rest of a start. Returns a function that removes it.
 */
export default async function createEmptyCluster(): Promise<() => Promise<void>> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "carillon-empty-")));
  await createCluster(await prepareLocation(folder), await password(folder));
  // If the folder is not accessible to PostgreSQL's user, the cluster is elsewhere, and each product creates its own.
  if ((await existingDir(folder)) === join(folder, "postgres")) process.env[EMPTY_CLUSTER] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/** Copies the empty cluster of the run into a new DATA_DIR, if there is one. */
export async function copyEmptyCluster(dataDir: string): Promise<void> {
  const folder = process.env[EMPTY_CLUSTER];
  if (folder) await promisify(execFile)("cp", ["-a", `${folder}/.`, dataDir]);
}
