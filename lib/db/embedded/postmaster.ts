import { randomBytes } from "node:crypto";
import { chown, mkdir, open, readdir, readFile, readlink, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClusterLocation } from "./location";
import { freePort, run, runOrThrow } from "./run";

const LOG_BYTES = 1024 * 1024;
const STOP_TIMEOUT_MS = 60_000;

// The log has starts, stops and crashes, but no errors of statements, because those quote values. Each process opens up to 20
// connections and a few for locks and notifications, so a hundred would not be enough for four workers.
const settings = (socketDir: string | undefined) => `# Written by Carillon at every start.
listen_addresses = '127.0.0.1'
unix_socket_directories = '${socketDir ?? ""}'
unix_socket_permissions = 0700
max_connections = 300
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

// Every user of the machine can reach both addresses, so both need the password.
const ACCESS = `local carillon carillon scram-sha-256
host carillon carillon 127.0.0.1/32 scram-sha-256
`;

/** The longest path of a Unix socket, in bytes (unix(7), sun_path of 108 with its end; macOS has 104). */
const SOCKET_PATH_BYTES = 103;

/**
 * Returns the folder of the Unix socket of the cluster in this folder: the same folder, which only PostgreSQL's user and root can
 * enter. Undefined where it cannot have one: on Windows, or if its path is too long or has characters that mean something in the setting.
 */
export function socketDirOf(dir: string, platform = process.platform): string | undefined {
  const isShort = Buffer.byteLength(`${dir}/.s.PGSQL.65535`) <= SOCKET_PATH_BYTES;
  return platform !== "win32" && isShort && !/[,'"\\\n]/.test(dir) ? dir : undefined;
}

/** Creates the cluster if there is none. It is built in a temporary folder, so that an interrupted start leaves no partial cluster. */
export async function createCluster(location: ClusterLocation, password: string): Promise<void> {
  await removeUnfinished(location);
  if (await isFolder(location.dir)) return;
  const unfinished = `${location.dir}.new-${process.pid}-${randomBytes(4).toString("hex")}`;
  const data = join(unfinished, "data");
  const secret = join(unfinished, "password");
  await mkdir(unfinished, { mode: 0o700 });
  try {
    await writeFile(secret, randomBytes(32).toString("hex"), { mode: 0o600 });
    await giveToUser(location, unfinished, secret);
    await runOrThrow(
      location.binaries.initdb,
      // The superuser's password is not kept. Carillon uses an ordinary role that owns one database.
      ["-D", data, "-U", "postgres", `--pwfile=${secret}`, "--auth=scram-sha-256", ...FLAGS, "--no-instructions"],
      { user: location.user },
    );
    await writeFile(join(data, "pg_hba.conf"), ACCESS);
    await writeFile(join(data, "postgresql.conf"), "\ninclude_if_exists 'carillon.conf'\n", { flag: "a" });
    await runOrThrow(location.binaries.postgres, ["--single", "-D", data, "-c", "exit_on_error=true", "postgres"], {
      user: location.user,
      input: `CREATE ROLE carillon LOGIN PASSWORD '${password}';\nCREATE DATABASE carillon OWNER carillon;\n`,
    });
    await rename(data, location.dir).catch(async (error) => {
      if (!(await isFolder(location.dir))) throw error; // another process created the cluster first; use that one
    });
    await syncFolder(dirname(location.dir));
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const FLAGS = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--no-locale"];

/** Starts PostgreSQL on a free port, or on the given one, and waits until it accepts connections. */
export async function startPostmaster(location: ClusterLocation, port?: number): Promise<void> {
  await writeSettings(location);
  await openLog(location);
  await clearForeignLock(location.dir);
  // pg_ctl starts it in a new session, so that Ctrl-C reaches only Carillon, which then stops it properly.
  const options = ["-w", "-t", "90", "-s", "-l", location.log, "-o", `-p ${port ?? (await freePort())}`];
  await runOrThrow(location.binaries.pgCtl, ["start", "-D", location.dir, ...options], { user: location.user });
}

/**
 * Stops PostgreSQL: ends its sessions and writes everything to disk. It does not use pg_ctl's own waiting, which would mistake
 * a new PostgreSQL of another process for the one that is stopping.
 */
export async function stopPostmaster(location: ClusterLocation): Promise<void> {
  const lock = await readLock(location.dir);
  if (!lock) return;
  const { output } = await run(location.binaries.pgCtl, ["stop", "-D", location.dir, "-m", "fast", "-W", "-s"], {
    user: location.user,
  });
  const since = Date.now();
  while ((await readLock(location.dir))?.pid === lock.pid) {
    if (Date.now() - since > STOP_TIMEOUT_MS)
      throw new Error(`PostgreSQL did not stop in time. ${output} See ${location.log}`);
    await sleep(20);
  }
}

/** Returns the port from the lock file of this folder: of a PostgreSQL that runs, is starting or was killed. */
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
 * True if the lock file names a process that is not this folder's PostgreSQL: in a copied DATA_DIR, or in a restarted container
 * in which another process has the same PID. PostgreSQL's working directory is its data folder. Also true if PostgreSQL ended and
 * is a zombie: in a container whose PID 1 is node, nothing collects it, because pg_ctl started it.
 */
async function isForeign(lock: Lock, dir: string): Promise<boolean> {
  if (await isZombie(lock.pid)) return true;
  const cwd = await readlink(`/proc/${lock.pid}/cwd`).catch(() => undefined);
  return cwd === undefined ? lock.dir !== dir : cwd !== dir;
}

/** Removes a lock file that names an unrelated process. PostgreSQL does not start if its lock file names any live process. */
async function clearForeignLock(dir: string): Promise<void> {
  const lock = await readLock(dir);
  if (process.platform !== "linux" || !lock || !(await isForeign(lock, dir))) return;
  const inUse = await Promise.all((await processes()).map((pid) => mayUseFolder(dir, pid)));
  if (!inUse.includes(true)) await rm(join(dir, "postmaster.pid"), { force: true });
}

/**
 * True if processes of this folder's PostgreSQL run: it is starting or stopping, or it was killed and its processes have not ended
 * yet. As long as one of them writes to a busy disk, PostgreSQL does not start again. Linux only; false elsewhere.
 */
export async function hasProcesses(dir: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const places = (await processes()).map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => undefined));
  return (await Promise.all(places)).includes(dir);
}

const processes = async () => (await readdir("/proc")).filter((name) => /^\d+$/.test(name));

/** The state is the field after the name, which is in parentheses (proc_pid_stat(5)). */
async function isZombie(pid: number | string): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return /\) Z [^)]*$/.test(stat);
}

async function mayUseFolder(dir: string, pid: string): Promise<boolean> {
  const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  if (cwd !== undefined) return cwd === dir;
  if (await isZombie(pid)) return false;
  return (await readFile(`/proc/${pid}/comm`, "utf8").catch(() => "")).trim() === "postgres"; // we may not read its working directory
}

/** Written at each start, so that an existing cluster gets changed settings too. */
async function writeSettings(location: ClusterLocation): Promise<void> {
  await writeIfDifferent(location, "carillon.conf", settings(socketDirOf(location.dir)));
  await writeIfDifferent(location, "pg_hba.conf", ACCESS);
}

async function writeIfDifferent(location: ClusterLocation, name: string, content: string): Promise<void> {
  const path = join(location.dir, name);
  if ((await readFile(path, "utf8").catch(() => "")) === content) return;
  const unfinished = `${path}.new-${process.pid}`; // another process must not read a partial file
  await writeFile(unfinished, content, { mode: 0o600 });
  await giveToUser(location, unfinished);
  await rename(unfinished, path);
}

async function openLog(location: ClusterLocation): Promise<void> {
  const { log } = location;
  const { size } = await stat(log).catch(() => ({ size: 0 }));
  if (size > LOG_BYTES) await rename(log, `${log}.1`).catch(() => {});
  await writeFile(log, "", { flag: "a", mode: 0o600 });
  await giveToUser(location, log);
}

async function giveToUser({ user }: ClusterLocation, ...paths: string[]): Promise<void> {
  if (user) await Promise.all(paths.map((path) => chown(path, user.uid, user.gid)));
}

/** Removes the temporary folders of starts that were killed while they created the cluster. */
async function removeUnfinished({ dir }: ClusterLocation): Promise<void> {
  const root = dirname(dir);
  for (const name of await readdir(root)) {
    const pid = Number(/^postgres\.new-(\d+)-/.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    // The initdb of a killed start may continue for a moment and create more files.
    await rm(join(root, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** True if a process with this PID exists on this machine. */
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
