import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { BlockList, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { env } from "../env";
import { log } from "../log";
import { clientAddress, isProxy, subnetOf } from "./client-address";
import { countHere } from "./rate-limit";
import { refuse } from "./request-target";

/**
 * The limits on what a client can hold open: the time for the headers of a request, the time for its body, and the number of
 * connections of one address. Uploads may take longer than `bodyMs`; lib/storage/consume.ts sets their lowest rate.
 */
export type ServerLimits = {
  headersMs: number;
  bodyMs: number;
  /** Connections of one IPv4 address or IPv6 /64. A trusted proxy has no limit. */
  connections: number;
  trusted?: BlockList;
};

/** The longest time for a whole request. An upload of 100 MB at the lowest rate takes 27 minutes. */
export const REQUEST_MS = 1_800_000;
const KEEP_ALIVE_MS = 65_000;

export function serverLimits(): ServerLimits {
  return { headersMs: 30_000, bodyMs: 30_000, connections: env.connectionsPerAddress, trusted: env.trustedProxies };
}

/**
 * Creates the web process's HTTP server with these limits.
 * @param isUpload true for requests whose handler watches the pace of the body itself
 */
export function createLimitedServer(
  listener: RequestListener,
  isUpload: (request: IncomingMessage) => boolean,
  limits: ServerLimits,
): Server {
  const { headersMs: headersTimeout, bodyMs } = limits;
  const connectionsCheckingInterval = Math.min(5_000, headersTimeout / 2);
  const times = { headersTimeout, requestTimeout: REQUEST_MS, connectionsCheckingInterval };
  // Node's own answer to a request without Host has no body, so `refusalOf` refuses these requests.
  const server = createServer({ ...times, requireHostHeader: false }, (request, response) => {
    if (hasBody(request)) limitBody(request, response, isUpload(request), bodyMs);
    const refusal = refusalOf(request);
    if (refusal) refuse(request, response, refusal);
    else listener(request, response);
  });
  server.on("checkExpectation", (request, response) => {
    refuse(request, response, { status: 417, error: "Expect can only be 100-continue", headers: CLOSING });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  answerInvalidRequests(server);
  limitConnections(server, limits);
  return server;
}

type Refusal = { status: number; error: string; headers: OutgoingHttpHeaders };

const CLOSING = { connection: "close" };

/** Returns why no handler gets a request: it has no `Host`, or is for `*`. Returns undefined for all other requests. */
function refusalOf({ httpVersion, headers, method, url }: IncomingMessage): Refusal | undefined {
  if (httpVersion === "1.1" && headers.host === undefined) {
    return { status: 400, error: "The header Host is missing", headers: CLOSING };
  }
  if (url !== "*") return undefined;
  const allow = "GET, HEAD, POST, PUT, PATCH, DELETE";
  return { status: 405, error: `Method not allowed: ${method} *. The address must be a path`, headers: { allow } };
}

/**
 * Listens on one address.
 * @returns false if this machine has no IPv6, so that a server for both loopback addresses starts with the other one
 */
export async function bind(server: Server, port: number, host: string): Promise<boolean> {
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
    return true;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (host === "::1" && (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")) return false;
    throw error;
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Disconnects a client whose body is late. For an upload, the time begins when it was answered before its end. */
function limitBody(request: IncomingMessage, response: ServerResponse, isUpload: boolean, bodyMs: number): void {
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer ??= setTimeout(() => disconnect(request, response, bodyMs), bodyMs).unref();
  };
  request.once("close", () => clearTimeout(timer)); // the body has arrived, or the client is gone
  if (isUpload) response.once("finish", begin);
  else begin();
}

function disconnect(request: IncomingMessage, response: ServerResponse, bodyMs: number): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  if (response.headersSent) {
    socket.destroy();
    return;
  }
  write(socket, "408 Request Timeout", `The body did not arrive within ${bodyMs / 1000} s. Send it faster`);
}

/** Writes an error past the handler, which may be waiting for the body, and closes the connection. */
function write(socket: Duplex, status: string, error: string): void {
  const body = JSON.stringify({ error });
  const head = `connection: close\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`, () => socket.destroy());
}

/** By the code of Node's error. Any other request that cannot be read is answered with 400. */
const unreadable: { [code: string]: [status: string, error: string] } = {
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "The request did not arrive in time. Send it faster"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["413 Payload Too Large", "The chunk extensions of the body are longer than 16 KB"],
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "The address and the headers are longer than 16 KB"],
};

/** Answers requests that Node cannot read in JSON, like every other error. Node's own answers to them have no body. */
function answerInvalidRequests(server: Server): void {
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", ({ socket }, response) => responses.set(socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const response = responses.get(socket);
    const isAnswering = response?.headersSent && !response.writableFinished;
    if (!socket.writable || isAnswering) return void socket.destroy();
    write(socket, ...(unreadable[error.code ?? ""] ?? ["400 Bad Request", "The request is not valid HTTP"]));
  });
}

/** Closes new connections of an address that has too many. Nothing is answered, because an answer would need a request. */
function limitConnections(server: Server, { connections, trusted }: ServerLimits): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, undefined, undefined);
    if (!address || isProxy(address, trusted)) return;
    const key = subnetOf(address);
    const count = (open.get(key) ?? 0) + 1;
    open.set(key, count);
    socket.once("close", () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
    if (count <= connections) return;
    socket.destroy();
    if (countHere("connections", key, 1).allowed) log.warn({ address: key, connections }, "too many connections");
  });
}
