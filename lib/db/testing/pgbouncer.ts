import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ownPort } from "../../testing/own-port";

export const PGBOUNCER = "/usr/sbin/pgbouncer";

/**
 * Starts PgBouncer in transaction mode in front of a database, with two connections to it. The connections change hands after
 * each transaction, so anything that belongs to a session is lost or reaches another client. Their time zone is not UTC.
 */
export async function startPgBouncer(to: string): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port: target, username, password, pathname } = new URL(to);
  const [dir, port] = await Promise.all([mkdtemp(join(tmpdir(), "carillon-pgbouncer-")), ownPort()]);
  await chmod(dir, 0o755);
  const file = join(dir, "pgbouncer.ini");
  await writeFile(
    file,
    `[databases]
carillon = host=${hostname} port=${target} dbname=${pathname.slice(1)} user=${username} password=${password} connect_query='set timezone to -3'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
`,
  );
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(PGBOUNCER, ["-q", ...user, file], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const isUp = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.unref().once("connect", () => socket.destroy());
    });
  while (!(await isUp())) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    url: `postgres://carillon:-@127.0.0.1:${port}/carillon`,
    async stop() {
      child.kill("SIGKILL");
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
