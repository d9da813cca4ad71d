import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

const KEPT = ["PATH", "HOME", "TMPDIR", "LANG", "TZ", "SystemRoot", "npm_execpath"];

/** What a process of the product inherits: no setting that happens to be in the shell that runs the tests. */
export const surroundings = {
  ...Object.fromEntries(KEPT.map((name) => [name, process.env[name]])),
  NODE_ENV: "production",
} satisfies NodeJS.ProcessEnv;

/** A running process of the product. */
export type Service = {
  pid: number;
  output(): string;
  /** Whether it still runs. */
  isUp(): boolean;
  /** Closes what reads its output, as where a log collector ends. */
  leaveUnread(): void;
  /** Asks it to end, as Ctrl-C does, and waits. Harmless on one that has ended. */
  stop(): Promise<void>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
};

/** Long, because the machine may be busy with the other tests; a start alone takes a few seconds. */
export const READY_MS = 120_000;
/** Longer than a worker takes for what it has begun (`lib/jobs/runner.ts`): stopped in order, nothing is left half-way. */
const STOP_MS = 60_000;

/** Starts a script of the product and waits until it says that it is ready. */
export async function startService(
  args: string[],
  settings: { [name: string]: string },
  ready: string,
  node = process.execPath,
): Promise<Service> {
  const child = spawn(node, args, {
    cwd: root,
    env: { ...surroundings, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let output = "";
  const says = new Promise<void>((resolve) => {
    const keep = (data: Buffer) => {
      output += data;
      if (output.includes(ready)) resolve();
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
  });
  const end = async (signal: "SIGINT" | "SIGKILL") => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(timer);
  };

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`was not ready within ${READY_MS / 1000} s`), READY_MS);
  });
  const problem = await Promise.race([says, late, ended.then(() => "ended before it was ready")]);
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
    kill: () => end("SIGKILL"),
  };
}
