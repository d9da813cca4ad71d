import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { becomeService, type ClusterRole, DataDirInUse, joinCluster, leaveCluster } from "./cluster-users";
import { type ClusterLocation, existingDir, existingPassword, password, prepareLocation } from "./embedded/location";
import {
  createCluster,
  hasProcesses,
  runningPort,
  socketDirOf,
  startPostmaster,
  stopPostmaster,
} from "./embedded/postmaster";

export { type ClusterRole, DataDirInUse };

/** The embedded PostgreSQL of a DATA_DIR, used by this process until it calls `release`. */
export type Cluster = {
  /** `postgres://carillon:…@127.0.0.1:port/carillon` */
  url: string;
  /** The same over the Unix socket, which costs less CPU: `url` with `?host=` and the socket's folder. Or `url` if it has none. */
  socketUrl: string;
  /** Ends the use of the cluster. The last process to do so stops PostgreSQL. */
  release(): Promise<void>;
};

type Options = {
  dataDir: string;
  purpose: ClusterRole;
  /** Called if the database was lost and could not be restarted, so that this process can no longer store anything. */
  onLost?: (reason: Error) => void;
};

type Opened = { url: string; socketUrl: string; location: ClusterLocation; client: pg.Client };

const START_TIMEOUT_MS = 15_000;
/** With the time in which PostgreSQL recovers, or in which processes of a killed one still run. */
const RECOVERY_TIMEOUT_MS = 120_000;

/**
 * Opens the embedded PostgreSQL of a DATA_DIR: creates it on first use, starts it unless it is running, and joins its users.
 * If PostgreSQL is killed, it is restarted on the same port, so that the URL stays valid.
 * @throws DataDirInUse for a second service on one DATA_DIR
 */
export async function openCluster(options: Options): Promise<Cluster> {
  let opened = await open(options);
  const { url, socketUrl } = opened;
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
    if (opened.url === url && opened.socketUrl === socketUrl) return watch(opened.client);
    await close(opened);
    throw new Error("Another process restarted the embedded PostgreSQL on another port or without its socket");
  }

  return {
    url,
    socketUrl,
    release() {
      released ??= Promise.resolve(reopening).then(() => close(opened));
      return released;
    },
  };
}

/** Returns the URL through the cluster's socket, or the TCP URL if it has no socket or does not answer there. */
async function findSocket(url: string, clusterDir: string): Promise<string> {
  const dir = socketDirOf(clusterDir);
  const socketUrl = `${url}?host=${encodeURIComponent(dir ?? "")}`;
  return dir && (await connects(socketUrl)) === true ? socketUrl : url;
}

/** Returns the URL of the embedded PostgreSQL of a DATA_DIR if it is running. Creates and starts nothing. */
export async function attachToCluster(dataDir: string): Promise<string | undefined> {
  const [dir, secret] = await Promise.all([existingDir(dataDir), existingPassword(dataDir)]);
  if (!dir || !secret) return undefined;
  const found = await probe(dir, secret);
  return found === "recovering" ? undefined : found;
}

async function open(options: Options, port?: number): Promise<Opened> {
  const location = await prepareLocation(options.dataDir);
  const secret = await password(options.dataDir);
  await createCluster(location, secret);

  const begun = Date.now();
  let lastBusy = begun;
  for (;;) {
    const found = await probe(location.dir, secret);
    if (found && found !== "recovering") {
      const socketUrl = await findSocket(found, location.dir);
      const client = await joinCluster(socketUrl, options.purpose).catch(() => undefined);
      if (client) return await claimIfService({ url: found, socketUrl, location, client }, options);
    }
    const problem = found ? undefined : await tryStart(location, port);
    const now = Date.now();
    if (found === "recovering" || (problem && (await hasProcesses(location.dir)))) lastBusy = now;
    if (now - lastBusy > START_TIMEOUT_MS || now - begun > RECOVERY_TIMEOUT_MS) {
      throw new Error(`The embedded PostgreSQL does not start. ${problem ?? ""} See ${location.log}`);
    }
    if (problem || found) await sleep(100);
  }
}

/** Returns the error, if any. Another process may start PostgreSQL at the same time, so the caller checks and tries again. */
async function tryStart(location: ClusterLocation, port: number | undefined): Promise<string | undefined> {
  return startPostmaster(location, port).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

async function claimIfService(opened: Opened, { purpose, dataDir }: Options): Promise<Opened> {
  if (purpose !== "service") return opened;
  try {
    await becomeService(opened.client, dataDir);
    return opened;
  } catch (error) {
    await close(opened);
    throw error;
  }
}

async function close({ client, location }: Opened): Promise<void> {
  const last = await leaveCluster(client).catch(() => false);
  if (last) await stopPostmaster(location);
  await client.end().catch(() => {});
}

/** Returns the URL if PostgreSQL runs on this folder and accepts the password of this DATA_DIR. */
async function probe(dir: string, secret: string): Promise<string | "recovering" | undefined> {
  const port = await runningPort(dir);
  if (!port) return undefined;
  const url = `postgres://carillon:${secret}@127.0.0.1:${port}/carillon`;
  const answer = await connects(url);
  return answer === true ? url : answer;
}

async function connects(url: string): Promise<true | "recovering" | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    return (error as { code?: string }).code === "57P03" ? "recovering" : undefined;
  }
}
