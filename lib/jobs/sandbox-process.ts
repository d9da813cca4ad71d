import { fork } from "node:child_process";
import { resolve } from "node:path";
import { env } from "../env";

/**
 * Starts the simulated networks in a process outside our process group, so that Ctrl-C does not end them before the worker.
 * They end on their own when this process dies. Returns a function that stops them.
 * @throws SandboxFailed if they do not start; the reason is on standard error
 */
export async function startSandbox(port: number): Promise<() => Promise<void>> {
  const child = fork(resolve("dist/sandbox.js"), [], {
    detached: true,
    env: { NODE_ENV: "production", SANDBOX_PORT: String(port), DATA_DIR: env.dataDir },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("error", () => {}); // "exit" follows
  await new Promise<void>((started, failed) => {
    child.once("message", () => started());
    child.once("exit", () => failed(new SandboxFailed()));
  });
  child.removeAllListeners("exit");
  return () =>
    new Promise((stopped) => {
      child.once("exit", () => stopped());
      if (child.connected) child.disconnect();
      else stopped();
    });
}

/** The sandbox did not start. The reason is on standard error. */
class SandboxFailed extends Error {
  constructor() {
    super("The sandbox networks did not start. Set SANDBOX=off to run without them");
    this.name = "SandboxFailed";
  }
}
