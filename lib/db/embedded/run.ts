import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * The range is below the ephemeral ports of Linux (from 32768), macOS and Windows (from 49152, RFC 6335) and above the ports of
 * the tests. So the system does not assign a free port to another process before it is used.
 */
const FIRST = 26_000;
const PAST = 32_000;
const TRIES = 50;

/** Returns a free port, for a process that needs its port as an argument. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(FIRST, PAST);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port between ${FIRST} and ${PAST} is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ port, exclusive: true });
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

/** The unprivileged user that runs PostgreSQL if Carillon runs as root. */
export type SystemUser = { uid: number; gid: number };

type Options = { user?: SystemUser; input?: string; timeoutMs?: number };

// Our own environment is not passed on: it contains secrets, and a locale or library path would affect PostgreSQL.
const surroundings = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
  NODE_ENV: "production",
} as const;

/** Runs a program, optionally as another user. Returns its exit code and its output. */
export async function run(program: string, args: string[], { user, input, timeoutMs = 120_000 }: Options = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    // PostgreSQL's programs fail in a working directory that their user cannot access.
    const child = spawn(program, args, {
      ...user,
      cwd: "/",
      env: { ...surroundings },
      signal: AbortSignal.timeout(timeoutMs),
    });
    let output = "";
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stderr.on("data", (data) => {
      output += data;
    });
    child.on("error", (error) => resolve({ code: 127, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output: output.trim() }));
    child.stdin.on("error", () => {}); // the program may exit before it has read all input
    child.stdin.end(input);
  });
}

/** Like `run`. @throws Error with the output if the exit code is not 0 */
export async function runOrThrow(program: string, args: string[], options?: Options): Promise<string> {
  const { code, output } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} failed (${code}): ${output}`);
  return output;
}
