import { fork } from "node:child_process";
import { resolve } from "node:path";
import { env } from "../env";
import { log } from "../log";

/** Longer than a running sandbox needs to answer. */
const RUNNING_MS = 2_000;

/**
 * Starts the simulated networks in a process outside our process group, so that Ctrl-C does not end them before the worker.
 * They end on their own when this process dies. Returns a function that stops them. Of several web processes on one database
 * and one machine, the first one starts them and the others use them.
 * @throws SandboxFailed if they do not start; the reason is on standard error
 */
export async function startSandbox(port: number): Promise<() => Promise<void>> {
  if (await isRunning(port)) return joinRunning(port);
  const child = fork(resolve("dist/sandbox.js"), [], {
    detached: true,
    env: { NODE_ENV: "production", SANDBOX_PORT: String(port), DATA_DIR: env.dataDir },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("error", () => {}); // "exit" follows
  const isStarted = await new Promise<boolean>((resolve) => {
    child.once("message", () => resolve(true));
    child.once("exit", () => resolve(false));
  });
  child.removeAllListeners("exit");
  if (!isStarted) {
    if (await isRunning(port)) return joinRunning(port); // two web processes started at the same moment
    throw new SandboxFailed();
  }
  return () =>
    new Promise((stopped) => {
      child.once("exit", () => stopped());
      if (child.connected) child.disconnect();
      else stopped();
    });
}

function joinRunning(port: number): () => Promise<void> {
  log.warn({ port }, "the simulated networks of another process are used, until that process stops");
  return async () => {};
}

/** True if the simulated networks of another web process on our database answer at this port. */
async function isRunning(port: number): Promise<boolean> {
  if (!env.databaseUrl) return false; // an embedded database has no other web process
  const signal = AbortSignal.timeout(RUNNING_MS);
  const url = `http://127.0.0.1:${port}/_control/calls?network=x`;
  const answer = await fetch(url, { signal, headers: { connection: "close" } }).catch(() => undefined);
  const calls = await answer?.json().catch(() => undefined);
  return answer?.ok === true && Array.isArray(calls);
}

/** The sandbox did not start. The reason is on standard error. */
class SandboxFailed extends Error {
  constructor() {
    super("The sandbox networks did not start. Set SANDBOX=off to run without them");
    this.name = "SandboxFailed";
  }
}
