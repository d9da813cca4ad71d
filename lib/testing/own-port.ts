import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Below the ports of `lib/db/embedded/run.ts`. */
const FIRST = 20_000;
const PAST = 26_000;
const TRIES = 50;

/**
 * Returns a port that no other test process gets while this one lives, even while nothing listens on it. To reserve it, this
 * process listens on the odd port next to it.
 */
export async function ownPort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = 2 * randomInt(FIRST / 2, PAST / 2);
    const guard = await listenOn(port + 1);
    const probe = guard && (await listenOn(port));
    if (probe) {
      probe.close();
      await once(probe, "close");
      return port;
    }
    guard?.close();
  }
  throw new Error(`no two ports in a row between ${FIRST} and ${PAST} are free`);
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().listen({ port, exclusive: true }).unref();
  return once(server, "listening").then(
    () => server,
    () => undefined,
  );
}
