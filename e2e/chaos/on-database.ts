import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { attachToCluster } from "../../lib/db/cluster";
import { existingDir } from "../../lib/db/embedded/location";
import type { OwnProduct, Product } from "../setup/product";

/** Runs SQL on a product's database, on a separate connection with another application name. */
export async function onDatabase(product: Product, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: await addressOf(product), application_name: "trial" });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Returns the first value of a query on a product's database, as a number. */
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
  try {
    const [pid] = (await readFile(file, "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
  } catch (error) {
    // While PostgreSQL restarts after an earlier kill, it has no file for a moment.
    if (!/^(ESRCH|ENOENT)$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

/** The address of the product's database. It is read each time, because a restart moves the embedded database to another port. */
export async function addressOf({ dataDir, settings }: Product): Promise<string> {
  const address = settings.DATABASE_URL ?? (await attachToCluster(dataDir));
  if (!address) throw new Error("the product's database is not running");
  return address;
}
