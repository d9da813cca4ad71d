import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { bluesky } from "./bluesky";
import { createSandbox } from "./core/app";
import type { NetworkDefinition } from "./core/network";
import { openWorld } from "./core/world";
import { facebook } from "./facebook";
import { instagram } from "./instagram";
import { linkedin } from "./linkedin";
import { pinterest } from "./pinterest";
import { telegram } from "./telegram";
import { threads } from "./threads";
import { tiktok } from "./tiktok";
import { x } from "./x";
import { youtube } from "./youtube";

export type RunningSandbox = { url: string; port: number; close(): Promise<void> };

/** Starts the sandbox on loopback: IPv4, and IPv6 if the machine has it. Port 0 picks a free port. */
export async function startSandbox({ port, dir }: { port: number; dir: string }): Promise<RunningSandbox> {
  fs.mkdirSync(dir, { recursive: true });
  const sandbox = createSandbox(openWorld(dir), networks);
  const listener = getRequestListener(sandbox.app.fetch, { overrideGlobalObjects: false });
  const servers = [http.createServer(listener)];
  try {
    const bound = await listen(servers[0] as http.Server, port, "127.0.0.1");
    const second = http.createServer(listener);
    if (await listensOnIPv6(second, bound)) servers.push(second);
    return { url: `http://localhost:${bound}`, port: bound, close: () => close(servers, sandbox.close) };
  } catch (error) {
    await close(servers, sandbox.close);
    throw error;
  }
}

function listen(server: http.Server, port: number, host: string): Promise<number> {
  // Uploads may take long, and `late_response` is one of the faults.
  server.requestTimeout = 0;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function listensOnIPv6(server: http.Server, port: number): Promise<boolean> {
  try {
    await listen(server, port, "::1");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") throw error;
    return false;
  }
}

async function close(servers: http.Server[], closeSandbox: () => void): Promise<void> {
  closeSandbox();
  await Promise.all(
    servers.map((server) => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      return closed;
    }),
  );
}

/** All simulated networks, in the order of the feed. */
export const networks: NetworkDefinition[] = [
  x,
  youtube,
  threads,
  tiktok,
  instagram,
  linkedin,
  bluesky,
  telegram,
  facebook,
  pinterest,
];
