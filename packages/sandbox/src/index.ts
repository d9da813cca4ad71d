import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as server from "../../../sandbox/server";
import { helpersFor, SandboxError } from "./client.js";
import type { RunningSandbox, StartOptions } from "./types.js";

export { connectSandbox, SandboxError } from "./client.js";
export type * from "./types.js";

/**
 * Starts the simulated networks in this process.
 * @returns the helpers, and `close`, which ends the networks
 * @throws SandboxError if the port is in use or the address cannot be listened on
 */
export async function startSandbox({ port = 0, host, dir }: StartOptions = {}): Promise<RunningSandbox> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new SandboxError(`port must be a whole number from 0 to 65535, not ${port}.`);
  const folder = dir ?? (await mkdtemp(join(tmpdir(), "carillon-sandbox-")));
  const removeFolder = async () => {
    if (dir === undefined) await rm(folder, { recursive: true, force: true });
  };
  const running = await server.startSandbox({ port, host, dir: folder }).catch(async (cause: NodeJS.ErrnoException) => {
    await removeFolder();
    throw new SandboxError(reasonOf(cause, port, host), { cause });
  });
  return {
    ...helpersFor(running.url),
    port: running.port,
    async close() {
      await running.close();
      await removeFolder();
    },
  };
}

function reasonOf({ code, message }: NodeJS.ErrnoException, port: number, host = "localhost"): string {
  if (code === "EADDRINUSE") return `Port ${port} is in use. Choose another one, or 0 for any free port.`;
  if (code === "EACCES") return `Port ${port} needs rights that this process does not have. Choose one from 1024 on.`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `${host} is not an address of this computer. Use 127.0.0.1 for this computer only, or 0.0.0.0 for every address.`;
  return `The sandbox networks cannot start: ${message}`;
}
