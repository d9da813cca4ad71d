import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { run, runOrThrow, type SystemUser } from "../../lib/db/embedded/run";
import { ownPort } from "../../lib/testing/own-port";
import { pause } from "./rig";

// PostgreSQL servers from Debian's packages, on loopback and with streaming replication or snapshots. The embedded PostgreSQL has no
// pg_basebackup.

const PACKAGES = "/usr/lib/postgresql";
/** So that a standby that was cut off for a while can still catch up. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
wal_keep_size = '256MB'
wal_receiver_timeout = '5s'
wal_retrieve_retry_interval = '500ms'
`;

export type Server = {
  /** For the product: an ordinary role that owns its database. */
  url: string;
  /** Runs SQL as the superuser, in the product's database by default, and returns the first column of the first row. */
  query(text: string, database?: string): Promise<unknown>;
  /** Ends all of its processes with SIGKILL, as when its machine dies. */
  kill(): Promise<void>;
  /**
   * Copies its files as they are at one instant, as a snapshot of its disk does. The returned function kills the server and
   * starts one with the copy on the same port.
   */
  takeSnapshot(): Promise<() => Promise<Server>>;
};

/** The servers of a trial, and the folder that contains their data. */
export type Servers = {
  createPrimary(): Promise<Server>;
  /** A server with nothing but the superuser and the database `postgres`. Its `url` leads to what a recipe creates there. */
  createEmpty(): Promise<Server>;
  /** Copies a running server and follows it through an address of it. Returns once it streams. */
  createStandby(of: Server, through: string): Promise<Server>;
  close(): Promise<void>;
};

/** @throws Error if Debian's PostgreSQL is not installed */
export async function openServers(): Promise<Servers> {
  const versions = await readdir(PACKAGES).catch(() => []);
  const newest = versions.toSorted((one, other) => Number(other) - Number(one))[0];
  if (!newest) throw new Error(`${PACKAGES} has no server. Install Debian's package postgresql`);
  const program = (name: string) => join(PACKAGES, newest, "bin", name);
  const user = process.getuid?.() === 0 ? await postgresUser() : undefined;
  const folder = await mkdtemp(join(tmpdir(), "carillon-servers-"));
  await chmod(folder, 0o777);
  const running: Server[] = [];

  async function start(dir: string, port?: number): Promise<Server> {
    port ??= await ownPort();
    // The kernel ends it if the trial is killed.
    const args = ["--pdeathsig", "KILL", program("postgres"), "-D", dir, "-p", String(port)];
    const child = spawn("setpriv", args, { ...user, cwd: "/", stdio: "ignore" });
    const ended = once(child, "close");
    const server: Server = {
      url: `postgres://carillon:-@127.0.0.1:${port}/carillon`,
      query: (text, database = "carillon") => firstValue(`postgres://postgres@127.0.0.1:${port}/${database}`, text),
      async kill() {
        if (child.exitCode !== null || child.signalCode !== null || !child.pid) return;
        for (const pid of await withChildren(child.pid)) trySignal(pid, "SIGKILL");
        await ended;
      },
      async takeSnapshot() {
        const copy = await mkdtemp(`${dir}-`);
        const processes = await withChildren(child.pid ?? 0);
        for (const pid of processes) trySignal(pid, "SIGSTOP");
        await runOrThrow("cp", ["-a", "--no-target-directory", dir, copy]);
        for (const pid of processes) trySignal(pid, "SIGCONT");
        return async () => {
          await server.kill();
          await rm(join(copy, "postmaster.pid"));
          return start(copy, port);
        };
      },
    };
    running.push(server);
    const isUp = () =>
      server.query("select 1", "postgres").then(
        () => true,
        () => false,
      );
    while (!(await isUp())) {
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}`);
      await pause(50);
    }
    return server;
  }

  async function createEmpty(): Promise<Server> {
    const dir = join(folder, "primary");
    const flags = ["-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-instructions"];
    await runOrThrow(program("initdb"), ["-D", dir, ...flags], { user });
    await writeFile(join(dir, "postgresql.conf"), SETTINGS, { flag: "a" });
    return start(dir);
  }

  return {
    createEmpty,
    async createPrimary() {
      const server = await createEmpty();
      await server.query("create role carillon login", "postgres");
      await server.query("create database carillon owner carillon", "postgres");
      return server;
    },
    async createStandby(of, through) {
      const dir = join(folder, `standby-${running.length}`);
      const { port } = new URL(through);
      const source = `host=127.0.0.1 port=${port} user=postgres`;
      await runOrThrow(program("pg_basebackup"), ["-D", dir, "-d", source, "-R", "-c", "fast", "-X", "stream"], {
        user,
      });
      const server = await start(dir);
      await untilTrue(() => of.query("select exists (select from pg_stat_replication where state = 'streaming')"));
      return server;
    },
    async close() {
      await Promise.all(running.map((server) => server.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
async function postgresUser(): Promise<SystemUser> {
  const [uid, gid] = await Promise.all(["-u", "-g"].map((which) => run("id", [which, "postgres"])));
  return { uid: Number(uid?.output), gid: Number(gid?.output) };
}

async function firstValue(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, application_name: "trial" });
  client.on("error", () => {});
  await client.connect();
  try {
    return Object.values((await client.query(text)).rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

/** Waits until the answer is true. @throws Error after a minute */
export async function untilTrue(ask: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + 60_000;
  while ((await ask()) !== true) {
    if (performance.now() > until) throw new Error(`still not true after a minute: ${ask}`);
    await pause(50);
  }
}

/** A process and its children, the process first. */
export async function withChildren(pid: number): Promise<number[]> {
  const all = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(all.map((one) => readFile(`/proc/${one}/stat`, "utf8").catch(() => "")));
  return [pid, ...all.filter((_, n) => stats[n]?.split(") ")[1]?.split(" ")[1] === String(pid)).map(Number)];
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
