import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from "node:zlib";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { answering } from "../../http/guarded-fetch";
import { traced } from "../../tracing";
import { PlatformError } from "../errors";

export type OutgoingCall = {
  method: string;
  url: string;
  headers: Headers;
  body?: string | URLSearchParams | Uint8Array | ReadableStream<Uint8Array>;
  timeoutSeconds: number;
  /** Verified addresses of the host. The connection uses one of them, even if DNS has changed since. */
  addresses?: string[];
};

/** Far larger than any answer we request; protects the memory from a host that misbehaves. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;

const unconnected = new WeakSet<Error>();
const connect = buildConnector({ timeout: 10_000 });

/**
 * Uses a new connection for each call (`pipelining: 0` turns keep-alive off). A pooled connection that the other side has just
 * closed would make an unsent call look like one with a lost answer. The call's own signal bounds the time.
 */
function agentBy(connect: buildConnector.connector): Agent {
  return new Agent({
    pipelining: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, done) {
      connect(options, (...result) => {
        const [error, socket] = result;
        // Covers DNS lookup, connection and TLS: nothing of the request has been written yet.
        if (error) unconnected.add(error);
        if (socket) keepReadable(socket);
        done(...result);
      });
    },
  });
}

/**
 * Lets a connection be read after a failed write. A server may answer and close before it has received a whole body (RFC 9112,
 * section 9.5); Node would destroy the socket with the unread answer. The failed write stays pending, so nothing more is sent. The
 * answer ends the call, and without one the read fails.
 */
function keepReadable(socket: Socket): void {
  const unlessClosed = (done: (error?: Error | null) => void) => (error?: Error | null) => {
    if (!["EPIPE", "ECONNRESET"].includes(codeOf(error) ?? "")) done(error);
  };
  const [write, writeMany] = [socket._write.bind(socket), socket._writev?.bind(socket)];
  socket._write = (chunk, encoding, done) => write(chunk, encoding, unlessClosed(done));
  if (writeMany) socket._writev = (chunks, done) => writeMany(chunks, unlessClosed(done));
}

const agent = agentBy(connect);

function agentFor(addresses: string[] | undefined): Agent {
  return addresses ? agentBy(buildConnector({ timeout: 10_000, lookup: answering(addresses) })) : agent;
}

/**
 * Sends a call once and reads the whole answer, whatever its status.
 * @throws PlatformError `later` if no connection was made, `unknown` for any other call without a complete answer
 */
export async function sendRequest(network: string, call: OutgoingCall): Promise<Response> {
  const attributes = { "http.request.method": call.method, "server.address": new URL(call.url).host };
  return traced(`call ${network}`, { kind: "client", attributes }, async (note) => {
    const answer = await exchange(network, call);
    note({ "http.response.status_code": answer.status });
    return answer;
  });
}

async function exchange(network: string, call: OutgoingCall): Promise<Response> {
  try {
    // Uses `request` because `fetch` costs twice the CPU for browser features: cookies, caches, redirects, encodings.
    const response = await request(call.url, {
      method: call.method as Dispatcher.HttpMethod, // any name is sent as it is
      headers: headersOf(call),
      body: bodyOf(call),
      signal: AbortSignal.timeout(call.timeoutSeconds * 1000),
      dispatcher: agentFor(call.addresses),
      // More than `maxResponseSize`, so the parser never pauses: undici 7 throws an error that nothing can catch if the server
      // closes the connection while it is paused (https://github.com/nodejs/undici/issues/5360).
      highWaterMark: MAX_ANSWER_BYTES + 1,
    });
    const body = await readAll(response.body);
    const status = response.statusCode;
    const headers = new Headers(
      Object.entries(response.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => [name, one] as [string, string]),
      ),
    );
    const bytes = decoded(body, headers.get("content-encoding"));
    return new Response(status === 204 || status === 304 ? null : bytes, { status, headers });
  } catch (error) {
    throw failure(network, error);
  }
}

function headersOf({ headers, body }: OutgoingCall): { [name: string]: string } {
  const given = { accept: "*/*", "accept-encoding": "identity", ...Object.fromEntries(headers) };
  if (!(body instanceof URLSearchParams)) return given;
  return { "content-type": "application/x-www-form-urlencoded;charset=UTF-8", ...given };
}

function bodyOf({ body }: OutgoingCall): string | Uint8Array | Readable | undefined {
  if (body instanceof URLSearchParams) return String(body);
  return body instanceof ReadableStream ? Readable.fromWeb(body as NodeStream) : body; // one stream, declared twice
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
}

const DECODERS: { [encoding: string]: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array } = {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  br: brotliDecompressSync,
  // Zlib data (RFC 1950) starts with the method 8; some servers send the raw data (RFC 1951) under the same name.
  deflate: (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, options),
};

/**
 * Decodes a body that a server or gateway compressed although we ask for `identity` (RFC 9110, section 8.4). A body in another
 * encoding is returned as it is: its status still counts, and whoever needs the content reports it as unreadable.
 */
function decoded(body: Uint8Array<ArrayBuffer>, contentEncoding: string | null): Uint8Array<ArrayBuffer> {
  if (!contentEncoding || body.length === 0) return body;
  const encodings = contentEncoding.split(",").map((name) => name.trim().toLowerCase());
  return encodings.reduceRight<Uint8Array<ArrayBuffer>>((bytes, encoding) => {
    const decode = DECODERS[encoding];
    return decode ? new Uint8Array(decode(bytes, { maxOutputLength: MAX_ANSWER_BYTES })) : bytes;
  }, body);
}

/** Keeps only the error's code: its message and cause can contain an address with a token. */
function failure(network: string, error: unknown): PlatformError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof PlatformError) return cause; // thrown while reading our own file, see `multipart`
  const answer = { status: 0, code: codeOf(cause) };
  if ([error, cause].some((one) => one instanceof Error && unconnected.has(one)))
    return new PlatformError("later", `${network} cannot be reached`, { refused: true, answer });
  return new PlatformError("unknown", `${network} did not answer`, { answer });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
