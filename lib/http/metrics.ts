import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { databasePool } from "../db";
import { env } from "../env";
import { eventLoopDelay } from "../jobs/event-loop";
import { defineGauge, registry } from "../metrics";
import { sha256 } from "../secrets";
import { freeDiskBytes } from "../storage/free-space";
import { isFromThisMachine } from "./client-address";
import { forwardedHeaderOf } from "./forwarders";
import { bind } from "./server";

defineGauge({
  name: "carillon_event_loop_delay_seconds",
  help: "How long the event loop of this process was blocked in the last complete ten seconds.",
  labelNames: ["statistic"],
  collect() {
    const { meanMs, p99Ms, maxMs } = eventLoopDelay();
    this.set({ statistic: "mean" }, meanMs / 1000);
    this.set({ statistic: "p99" }, p99Ms / 1000);
    this.set({ statistic: "max" }, maxMs / 1000);
  },
});

defineGauge({
  name: "carillon_database_connections",
  help: "Connections in this process's pool, and requests that wait for one.",
  labelNames: ["state"],
  collect() {
    const { totalCount, idleCount, waitingCount } = databasePool();
    this.set({ state: "used" }, totalCount - idleCount);
    this.set({ state: "idle" }, idleCount);
    this.set({ state: "waiting" }, waitingCount);
  },
});

defineGauge({
  name: "carillon_disk_free_bytes",
  help: "Free space on the disk of DATA_DIR.",
  async collect() {
    this.set(await freeDiskBytes());
  },
});

/** Answers a request for `/metrics`: 200, or a refusal that names the setting to change. */
export async function answerMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refusal = refusalOf(request);
  if (refusal) {
    const { status, headers, message } = refusal;
    response.writeHead(status, { "content-type": "text/plain", ...headers }).end(`${message}\n`);
    return;
  }
  const text = await registry.metrics();
  const headers = { "content-type": registry.contentType, "cache-control": "no-store" };
  response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : text);
}

type Refusal = { status: number; headers?: { [name: string]: string }; message: string };

function refusalOf({ method, headers, socket }: IncomingMessage): Refusal | undefined {
  if (method !== "GET" && method !== "HEAD") {
    return { status: 405, headers: { allow: "GET, HEAD" }, message: "Use GET for /metrics" };
  }
  const { token } = env.metrics;
  if (token) {
    if (isSame(headers.authorization ?? "", `Bearer ${token}`)) return undefined;
    const message = "Send the value of METRICS_TOKEN in the header Authorization: Bearer …";
    return { status: 401, headers: { "www-authenticate": 'Bearer realm="metrics"' }, message };
  }
  // A proxy on this machine connects from loopback too, but forwards the requests of others.
  if (socket.localPort === env.metrics.port) return undefined;
  if (isFromThisMachine(socket.remoteAddress) && !forwardedHeaderOf(headers)) return undefined;
  return { status: 403, message: "/metrics is for this machine only. Set METRICS_TOKEN to read it from elsewhere" };
}

/** Compares in a time that does not depend on the values. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

/** If `METRICS_PORT` is set, serves `/metrics` on it. @throws Error with the code EADDRINUSE if the port is in use */
export async function serveMetrics(): Promise<Server[]> {
  const { port } = env.metrics;
  if (port === undefined) return [];
  const servers = env.hosts.map(async (host) => {
    const server = createServer({ headersTimeout: 30_000, requestTimeout: 30_000 }, (request, response) => {
      if (request.url?.split("?", 1)[0] === "/metrics") return answerMetrics(request, response);
      response.writeHead(404, { "content-type": "text/plain" }).end("Only /metrics is served on this port\n");
    });
    return (await bind(server, port, host)) ? [server] : [];
  });
  return (await Promise.all(servers)).flat();
}
