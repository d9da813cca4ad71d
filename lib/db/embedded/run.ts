import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Ports below those that systems hand to outgoing connections and to listeners that ask for any (from 32768 on Linux, 49152
 * on macOS and Windows, RFC 6335), above those of the tests: between finding one free and listening on it nobody else is given
 * it by chance.
 */
const FIRST = 26_000;
const PAST = 32_000;
const TRIES = 50;

/** A port on which nothing listens right now, for a process that has to be told its port. */
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

/** The unprivileged user that PostgreSQL runs as when Carillon itself runs as root. */
export type SystemUser = { uid: number; gid: number };

type Options = { user?: SystemUser; input?: string; timeoutMs?: number };

// Nothing of our own environment is passed on: it holds secrets, and a locale or library path would change PostgreSQL.
const surroundings = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
  NODE_ENV: "production",
} as const;

/** Runs a program to its end, optionally as another user, and answers its exit code and all that it printed. */
export async function run(program: string, args: string[], { user, input, timeoutMs = 120_000 }: Options = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    // From "/": PostgreSQL's programs fail in a working directory that their user cannot reach.
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
    child.stdin.on("error", () => {}); // it may end before it has read everything
    child.stdin.end(input);
  });
}

/** As `run`, but anything other than success is thrown with what the program said. */
export async function runOrThrow(program: string, args: string[], options?: Options): Promise<string> {
  const { code, output } = await run(program, args, options);
  if (code !== 0) throw new Error(`${program} failed (${code}): ${output}`);
  return output;
}
