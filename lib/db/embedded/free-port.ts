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
