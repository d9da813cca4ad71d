import { fork } from "node:child_process";
import { resolve } from "node:path";
import { env } from "../env";

/**
 * Starts the sandbox networks, in a process of their own and outside our process group: Ctrl-C must not end them before
 * the worker. They end by themselves when this process does, however it dies. Returns how to stop them.
 * @throws Error where they do not start (they say why on standard error)
 */
export async function startSandbox(port: number): Promise<() => Promise<void>> {
  const child = fork(resolve("dist/sandbox.js"), [], {
    detached: true,
    env: { NODE_ENV: "production", SANDBOX_PORT: String(port), DATA_DIR: env.dataDir },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  child.on("error", () => {}); // its end shows as "exit"
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

/** The sandbox did not start; its own line on standard error says why. */
class SandboxFailed extends Error {
  constructor() {
    super("The sandbox networks did not start. SANDBOX=off leaves them out");
    this.name = "SandboxFailed";
  }
}
