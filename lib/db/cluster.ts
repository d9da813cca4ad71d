import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { becomeService, type ClusterRole, DataDirInUse, joinCluster, leaveCluster } from "./cluster-users";
import { type ClusterLocation, existingDir, existingPassword, password, prepareLocation } from "./embedded/location";
import { createCluster, runningPort, startPostmaster, stopPostmaster } from "./embedded/postmaster";

export { type ClusterRole, DataDirInUse };

/** The embedded PostgreSQL of one DATA_DIR, in use by this process until it releases it. */
export type Cluster = {
  /** `postgres://carillon:…@127.0.0.1:port/carillon` */
  url: string;
  /** Gives it up; the last process to do so stops PostgreSQL. */
  release(): Promise<void>;
};

type Options = {
  dataDir: string;
  purpose: ClusterRole;
  /** The database was lost and could not be had back: what this process does from now on cannot be stored. */
  onLost?: (reason: Error) => void;
};

type Opened = { url: string; place: ClusterLocation; client: pg.Client };

const PATIENCE_MS = 15_000;
const RECOVERY_PATIENCE_MS = 120_000;

/**
 * Opens the embedded PostgreSQL of a DATA_DIR: makes it on first use, starts it unless it runs, and joins its users.
 * When PostgreSQL itself is killed it is brought back on the same port, so the address stays good.
 * @throws DataDirInUse for a second service on one DATA_DIR
 */
export async function openCluster(options: Options): Promise<Cluster> {
  let opened = await open(options);
  const { url } = opened;
  let released: Promise<void> | undefined;
  let reopening: Promise<void> | undefined;
  watch(opened.client);

  function watch(client: pg.Client): void {
    client.once("end", () => {
      if (!released) reopening = reopen().catch((error) => options.onLost?.(error));
    });
  }

  async function reopen(): Promise<void> {
    opened = await open(options, Number(new URL(url).port));
    if (opened.url === url) return watch(opened.client);
    await close(opened);
    throw new Error("The embedded PostgreSQL was started again elsewhere, on another port");
  }

  return {
    url,
    release() {
      released ??= Promise.resolve(reopening).then(() => close(opened));
      return released;
    },
  };
}

/** The address of the embedded PostgreSQL of a DATA_DIR if it is running; nothing is made or started. */
export async function attachToCluster(dataDir: string): Promise<string | undefined> {
  const [dir, secret] = await Promise.all([existingDir(dataDir), existingPassword(dataDir)]);
  if (!dir || !secret) return undefined;
  const found = await probe(dir, secret);
  return found === "recovering" ? undefined : found;
}

async function open(options: Options, port?: number): Promise<Opened> {
  const place = await prepareLocation(options.dataDir);
  const secret = await password(options.dataDir);
  await createCluster(place, secret);

  const since = Date.now();
  for (;;) {
    const found = await probe(place.dir, secret);
    if (found && found !== "recovering") {
      const client = await joinCluster(found, options.purpose).catch(() => undefined);
      if (client) return await enter({ url: found, place, client }, options);
    }
    const problem = found ? undefined : await tryStart(place, port);
    if (Date.now() - since > (found === "recovering" ? RECOVERY_PATIENCE_MS : PATIENCE_MS)) {
      throw new Error(`The embedded PostgreSQL does not start. ${problem ?? ""} See ${place.log}`);
    }
    if (problem || found) await sleep(100);
  }
}

/** Another process may start it at the same moment, or its port be taken: the next look or attempt shows. */
async function tryStart(place: ClusterLocation, port: number | undefined): Promise<string | undefined> {
  return startPostmaster(place, port).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

async function enter(opened: Opened, { purpose, dataDir }: Options): Promise<Opened> {
  if (purpose !== "service") return opened;
  try {
    await becomeService(opened.client, dataDir);
    return opened;
  } catch (error) {
    await close(opened);
    throw error;
  }
}

async function close({ client, place }: Opened): Promise<void> {
  const last = await leaveCluster(client).catch(() => false);
  if (last) await stopPostmaster(place);
  await client.end().catch(() => {});
}

/** Whether PostgreSQL answers on this folder, and knows the password of this DATA_DIR as only its own can. */
async function probe(dir: string, secret: string): Promise<string | "recovering" | undefined> {
  const port = await runningPort(dir);
  if (!port) return undefined;
  const url = `postgres://carillon:${secret}@127.0.0.1:${port}/carillon`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return url;
  } catch (error) {
    return (error as { code?: string }).code === "57P03" ? "recovering" : undefined;
  }
}
