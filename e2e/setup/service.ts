import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

const KEPT = ["PATH", "HOME", "TMPDIR", "LANG", "TZ", "SystemRoot", "npm_execpath"];

/**
 * The environment that a process of the product inherits: no other setting of the shell that runs the tests. With huge pages, a
 * check of a password, which uses 32 MB, takes half of the CPU on a virtual machine (measured). Other C libraries ignore this.
 */
export const surroundings = {
  ...Object.fromEntries(KEPT.map((name) => [name, process.env[name]])),
  NODE_ENV: "production",
  GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
} satisfies NodeJS.ProcessEnv;

/** A running process of the product. */
export type Service = {
  pid: number;
  output(): string;
  /** Whether the process is still running. */
  isUp(): boolean;
  /** Closes the pipe that reads its output, as when a log collector ends. */
  leaveUnread(): void;
  /** Sends SIGINT, as Ctrl-C does, and waits for the end. Does nothing if the process has ended. */
  stop(): Promise<void>;
  /** Sends SIGTERM, as a service manager does, and waits for the end. */
  terminate(): Promise<void>;
  /** Sends SIGKILL, as a crash would, and waits for the end. */
  kill(): Promise<void>;
};

/** A start takes a few seconds, but the machine may be busy with other tests. */
export const READY_MS = 120_000;
/** Longer than a worker takes to finish its running jobs (`lib/jobs/runner.ts`). */
const STOP_MS = 60_000;

/**
 * Starts a script of the product and waits until it prints `ready`.
 * @throws Error with its output if it ends before that or is not ready within `readyMs`
 */
export async function startService(
  args: string[],
  settings: { [name: string]: string },
  ready: string,
  {
    node = process.execPath,
    outputFile,
    cwd = root,
    readyMs = READY_MS,
  }: { node?: string; outputFile?: string; cwd?: string; readyMs?: number } = {},
): Promise<Service> {
  const child = spawn(node, args, {
    cwd,
    env: { ...surroundings, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let output = "";
  const isReady = new Promise<void>((resolve) => {
    const keep = (data: Buffer) => {
      output += data;
      if (outputFile) appendFileSync(outputFile, data);
      if (output.includes(ready)) resolve();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
  });
  const end = async (signal: "SIGINT" | "SIGTERM" | "SIGKILL") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(timer);
  };

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`was not ready within ${readyMs / 1000} s`), readyMs);
  });
  const problem = await Promise.race([isReady, late, ended.then(() => "ended before it was ready")]);
  clearTimeout(timer);
  if (problem) {
    await end("SIGKILL");
    throw new Error(`${args.join(" ")} ${problem}:\n${output}`);
  }
  return {
    pid: child.pid ?? 0,
    output: () => output,
    isUp: () => child.exitCode === null && child.signalCode === null,
    leaveUnread: () => {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    stop: () => end("SIGINT"),
    terminate: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}
