import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Purpose } from "../cluster";

const script = fileURLToPath(new URL("hold.ts", import.meta.url));

/** Starts a real process that opens the cluster of a folder; `said` is the first thing that it says. */
export function startHolder(dataDir: string, purpose: Purpose) {
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir, purpose], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const said = new Promise<{ url?: string; name?: string; message?: string }>((resolve) => {
    createInterface(child.stdout).once("line", (line) => resolve(JSON.parse(line)));
  });
  return {
    pid: child.pid ?? 0,
    said,
    async url(): Promise<string> {
      const { url, message } = await said;
      if (!url) throw new Error(message);
      return url;
    },
    async release(): Promise<void> {
      child.stdin.end();
      await exited;
    },
    async kill(): Promise<void> {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
