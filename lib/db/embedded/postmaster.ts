import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readdir, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterLocation } from "./location";
import { freePort, run, runOrThrow } from "./run";

const LOG_BYTES = 1024 * 1024;
const STOP_PATIENCE_MS = 60_000;

// Errors of single statements stay out of the log, because they quote values; starts, stops and crashes are in it.
const SETTINGS = `# Written by Carillon at every start.
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
password_encryption = 'scram-sha-256'
fsync = on
synchronous_commit = on
full_page_writes = on
shared_buffers = '64MB'
io_method = 'sync'
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
`;

/** Makes the cluster when there is none: in a folder of another name first, so that a kill half-way leaves nothing half. */
export async function createCluster(place: ClusterLocation, password: string): Promise<void> {
  await sweepUnfinished(place);
  if (await isFolder(place.dir)) return;
  const unfinished = `${place.dir}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  const data = join(unfinished, "data");
  const secret = join(unfinished, "password");
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await writeFile(secret, randomBytes(32).toString("hex"), { mode: 0o600 });
    await handOver(place, unfinished, secret);
    await runOrThrow(
      place.binaries.initdb,
      // The superuser's password is forgotten at once: Carillon works as an ordinary role that owns one database.
      ["-D", data, "-U", "postgres", `--pwfile=${secret}`, "--auth=scram-sha-256", ...FLAGS, "--no-instructions"],
      { user: place.user },
    );
    await writeFile(join(data, "pg_hba.conf"), "host carillon carillon 127.0.0.1/32 scram-sha-256\n");
    await writeFile(join(data, "postgresql.conf"), "\ninclude_if_exists 'carillon.conf'\n", { flag: "a" });
    await runOrThrow(place.binaries.postgres, ["--single", "-D", data, "-c", "exit_on_error=true", "postgres"], {
      user: place.user,
      input: `CREATE ROLE carillon LOGIN PASSWORD '${password}';\nCREATE DATABASE carillon OWNER carillon;\n`,
    });
    await rename(data, place.dir).catch(async (error) => {
      if (!(await isFolder(place.dir))) throw error; // another start was quicker: its cluster is the one
    });
    await syncFolder(dirname(place.dir));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const FLAGS = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-locale"];

/** Starts PostgreSQL on a port of its own choice, or on the given one, and waits until it serves. */
export async function startPostmaster(place: ClusterLocation, port?: number): Promise<void> {
  await writeSettings(place);
  await openLog(place);
  await clearForeignLock(place.dir);
  // pg_ctl starts it in a session of its own, so that Ctrl-C reaches Carillon only, which stops it in order.
  const options = ["-w", "-t", "90", "-s", "-l", place.log, "-o", `-p ${port ?? (await freePort())}`];
  await runOrThrow(place.binaries.pgCtl, ["start", "-D", place.dir, ...options], { user: place.user });
}

/**
 * Stops PostgreSQL: sessions end, everything committed is on disk. pg_ctl's own waiting would take a successor that
 * another process starts at once for the one that does not end.
 */
export async function stopPostmaster(place: ClusterLocation): Promise<void> {
  const lock = await readLock(place.dir);
  if (!lock) return;
  const { output } = await run(place.binaries.pgCtl, ["stop", "-D", place.dir, "-m", "fast", "-W", "-s"], {
    user: place.user,
  });
  const since = Date.now();
  while ((await readLock(place.dir))?.pid === lock.pid) {
    if (Date.now() - since > STOP_PATIENCE_MS) throw new Error(`PostgreSQL does not stop. ${output} See ${place.log}`);
    await sleep(20);
  }
}

/** The port of the PostgreSQL that runs (or is about to run, or was killed) on this folder, as its lock file says. */
export async function runningPort(dir: string): Promise<number | undefined> {
  const lock = await readLock(dir);
  if (!lock || (await isForeign(lock, dir))) return undefined;
  return lock.port;
}

type Lock = { pid: number; dir: string; port: number };

async function readLock(dir: string): Promise<Lock | undefined> {
  const lines = (await readFile(join(dir, "postmaster.pid"), "utf8").catch(() => "")).split("\n");
  const [pid, where, , port] = lines;
  return pid && where && port ? { pid: Number(pid), dir: where, port: Number(port) } : undefined;
}

/**
 * Whether the lock file names a process that is not this folder's PostgreSQL: a copied DATA_DIR, or a container started
 * again in which another process has the old number. PostgreSQL works in its data folder, which tells it apart.
 */
async function isForeign(lock: Lock, dir: string): Promise<boolean> {
  const cwd = await readlink(`/proc/${lock.pid}/cwd`).catch(() => undefined);
  return cwd === undefined ? lock.dir !== dir : cwd !== dir;
}

/** PostgreSQL refuses to start while its lock file names any living process; a foreign one must not keep it out. */
async function clearForeignLock(dir: string): Promise<void> {
  const lock = await readLock(dir);
  if (process.platform !== "linux" || !lock || !(await isForeign(lock, dir))) return;
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const inUse = await Promise.all(processes.map((pid) => mayWorkIn(dir, pid)));
  if (!inUse.includes(true)) await rm(join(dir, "postmaster.pid"), { force: true });
}

async function mayWorkIn(dir: string, pid: string): Promise<boolean> {
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (cwd !== undefined) return cwd === dir;
  return (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim() === "postgres"; // not ours to look into
}

async function writeSettings(place: ClusterLocation): Promise<void> {
  const path = join(place.dir, "carillon.conf");
  if ((await readFile(path, "utf8").catch(() => "")) === SETTINGS) return;
  const unfinished = `${path}.new-${process.pid}`; // another start must not read half of it
  await writeFile(unfinished, SETTINGS, { mode: 0o600 });
  await handOver(place, unfinished);
  await rename(unfinished, path);
}

async function openLog(place: ClusterLocation): Promise<void> {
  const { log } = place;
  const { size } = await stat(log).catch(() => ({ size: 0 }));
  if (size > LOG_BYTES) await rename(log, `${log}.1`).catch(() => {});
  await writeFile(log, "", { flag: "a", mode: 0o600 });
  await handOver(place, log);
}

async function handOver({ user }: ClusterLocation, ...paths: string[]): Promise<void> {
  if (user) await Promise.all(paths.map((path) => chown(path, user.uid, user.gid)));
}

/** Removes what a start that was killed while it made the cluster has left behind. */
async function sweepUnfinished({ dir }: ClusterLocation): Promise<void> {
  const root = dirname(dir);
  for (const name of await readdir(root)) {
    const pid = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    // The initdb of a killed start goes on for a moment and puts files into folders that have just been emptied.
    await rm(join(root, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Whether a process of this number exists on this machine. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  await folder.sync().finally(() => folder.close());
}
