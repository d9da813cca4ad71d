import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { openCluster } from "../../lib/db/cluster";
import { existingDir } from "../../lib/db/embedded/location";
import type { OwnProduct } from "../setup/product";

/** Runs SQL on a product's embedded database, on a separate connection with another application name. */
export async function onDatabase(product: OwnProduct, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: await addressOf(product), application_name: "trial" });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Returns the first value of a query on a product's embedded database, as a number. */
export async function countOf(product: OwnProduct, text: string): Promise<number> {
  const client = new pg.Client({ connectionString: await addressOf(product), application_name: "trial" });
  await client.connect();
  try {
    return Number(Object.values((await client.query(text)).rows[0] ?? {})[0]);
  } finally {
    await client.end();
  }
}

/** Kills the database, as a crash would. Does nothing if it is down. The product restarts it. */
export async function killDatabase({ dataDir }: OwnProduct): Promise<void> {
  const file = join((await existingDir(dataDir)) ?? "", "postmaster.pid");
  const [pid] = (await readFile(file, "utf8")).split("\n");
  try {
    process.kill(Number(pid), "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const addresses = new Map<string, string>();

/** The database's address. The cluster is released immediately, because restarting it is the product's task. */
export async function addressOf({ dataDir }: OwnProduct): Promise<string> {
  const known = addresses.get(dataDir);
  if (known) return known;
  const cluster = await openCluster({ dataDir, purpose: "command" });
  await cluster.release();
  addresses.set(dataDir, cluster.url);
  return cluster.url;
}
