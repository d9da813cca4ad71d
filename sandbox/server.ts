import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { getRequestListener } from "@hono/node-server";
import { bluesky } from "./bluesky";
import { createSandbox, type Sandbox } from "./core/app";
import { isLoopback } from "./core/consent";
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

type SandboxOptions = { port: number; dir: string; host?: string };
export type RunningSandbox = {
  url: string;
  port: number;
  /** Calls the control API without a connection, as a program on this computer: it costs a fraction of a call by HTTP. */
  control(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
};

/**
 * Starts the sandbox. Port 0 picks a free port. Without a host it listens on loopback: IPv4, and IPv6 if the machine has it. With
 * the address of a network interface, the control API answers everybody who reaches it, so that a test in another container can
 * use it.
 */
export async function startSandbox({ port, dir, host }: SandboxOptions): Promise<RunningSandbox> {
  const isShared = host !== undefined && !isLoopback(host);
  fs.mkdirSync(dir, { recursive: true });
  const sandbox = createSandbox(openWorld(dir), networks, isShared);
  const answer = listenerFor(sandbox);
  const running = new Set<http.ServerResponse>();
  const create = () =>
    http.createServer((request, response) => {
      running.add(response.once("close", () => running.delete(response)));
      void answer(request, response);
    });
  const servers = [create()];
  try {
    const bound = await listen(servers[0] as http.Server, port, isShared ? host : "127.0.0.1");
    const second = create();
    if (!isShared && (await listensOnIPv6(second, bound))) servers.push(second);
    const url = `http://${isShared ? nameOf(host) : "localhost"}:${bound}`;
    return { url, port: bound, control: sandbox.control, close: () => close(servers, running, sandbox) };
  } catch (error) {
    await close(servers, running, sandbox);
    throw error;
  }
}

/** Loads the adapter at the first request: it needs Node's `fetch` and HTTP/2, which took a third of the start's CPU time. */
function listenerFor({ app }: Sandbox): (...call: Parameters<http.RequestListener>) => Promise<void> {
  let listener: Promise<ReturnType<typeof getRequestListener>> | undefined;
  return async (request, response) => {
    listener ??= import("@hono/node-server").then((adapter) =>
      adapter.getRequestListener(app.fetch, { overrideGlobalObjects: false }),
    );
    await (await listener)(request, response);
  };
}

/** The host under which this computer reaches an address that it listens on. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * How long a connection may be idle. After Node's default of 5 s, a program that is busy for longer and then sends a request would find its
 * connection closed.
 */
const IDLE_MS = 65_000;

function listen(server: http.Server, port: number, host: string): Promise<number> {
  server.keepAliveTimeout = IDLE_MS;
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

/** When the sandbox stops: how long requests that are being answered may take, also on a busy machine. */
const ENDING_MS = 10_000;
/** How long connections may stay open on which no request is being answered, such as those that a browser opens in advance. */
const SILENT_MS = 1_000;
const LOOK_MS = 50;

/**
 * Lets running requests end, as a network does, so that a worker that outlives the sandbox learns the outcome of its calls. Answers
 * that a fault delays are not sent any more.
 */
async function close(servers: http.Server[], running: Set<unknown>, sandbox: Sandbox): Promise<void> {
  const begun = performance.now();
  const all = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  sandbox.stopWaiting();
  const timer = setInterval(() => {
    const longest = running.size > 0 ? ENDING_MS : SILENT_MS;
    if (performance.now() - begun < longest) return;
    for (const server of servers) server.closeAllConnections();
  }, LOOK_MS);
  await Promise.all(all);
  clearInterval(timer);
  sandbox.close();
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
