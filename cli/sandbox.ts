import { env } from "../lib/env";
import { BadRequest } from "../lib/errors";
import { startSandbox } from "../lib/jobs/sandbox-process";

/**
 * Does work that needs the simulated networks; on a stopped service they are started for as long as it takes.
 * @throws BadRequest where they are off
 */
export async function withSandbox<T>(work: () => Promise<T>): Promise<T> {
  if (!env.sandbox) throw new BadRequest("the sandbox networks are off here");
  const runs = await fetch(env.sandbox.url).then(
    (answer) => answer.ok,
    () => false,
  );
  const stop = runs ? async () => {} : await startSandbox(env.sandbox.port);
  try {
    return await work();
  } finally {
    await stop();
  }
}
