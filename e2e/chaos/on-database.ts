import pg from "pg";
import { openCluster } from "../../lib/db/cluster";
import type { Product } from "../setup/product";

/** Asks a product's embedded database, on a connection of its own and by another name than the product's. */
export async function onDatabase(product: Product, text: string): Promise<{ [column: string]: unknown }[]> {
  const client = new pg.Client({ connectionString: await addressOf(product), application_name: "trial" });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Ends the database at once, as a crash would. Whoever uses it brings it back. */
export async function killDatabase(product: Product): Promise<void> {
  const [row] = await onDatabase(product, "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid");
  process.kill(Number(row?.pid), "SIGKILL");
}

const addresses = new Map<string, string>();

/** Asked for once, and given back at once: bringing a killed database back is the product's own duty. */
async function addressOf({ dataDir }: Product): Promise<string> {
  const known = addresses.get(dataDir);
  if (known) return known;
  const cluster = await openCluster({ dataDir, purpose: "command" });
  await cluster.release();
  addresses.set(dataDir, cluster.url);
  return cluster.url;
}
