import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { addAbortSignal } from "node:stream";
import { parseUrl } from "../env/parse-url";
import { EgressError, egressErrorOf } from "./egress-error";
import { allowedAddresses, defaultGuard, type Guard } from "./egress-guard";
import { parseOutsideUrl } from "./outside-url";

const CONNECT_MS = 5_000;
const FIRST_BYTE_MS = 10_000;
const IDLE_MS = 30_000;
const TOTAL_MS = 600_000;
const MAX_BYTES = 100 * 1_048_576;
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export type GuardedCall = {
  method?: "GET" | "POST";
  headers?: { [name: string]: string };
  body?: string | Uint8Array;
  /** `follow`: follows up to three redirects and checks each URL. `return`: returns a redirect like any other answer. */
  redirects?: "follow" | "return";
  /** Maximum size of the answer's body. Default and maximum: 100 MB. */
  maxBytes?: number;
  /** Time limit for the start of the answer. Default: 10 seconds. */
  firstByteMs?: number;
  /** Time limit for the whole call, including the body. Default and maximum: 10 minutes. */
  totalMs?: number;
  signal?: AbortSignal;
};

export type GuardedAnswer = {
  status: number;
  /** Returns a header by its lower-case name; the first one if it is repeated. */
  header(name: string): string | undefined;
  /** The body. Read it to its end, or call `close`. Throws if it exceeds the size limit. */
  body: AsyncIterable<Uint8Array>;
  close(): void;
};

/**
 * Calls a URL chosen by a caller: http and https only, public addresses only. The connection goes to the address that was
 * checked. Each redirect is checked like the first URL and must not lead from https to http. Every call is checked again.
 * Answers are not compressed, calls are not retried and connections are not reused.
 * @throws EgressError if the call is blocked or fails; the signal's reason if the caller aborts. Reading the body throws the
 * same errors
 */
export async function guardedFetch(
  address: string,
  call: GuardedCall = {},
  guard: Guard = defaultGuard,
): Promise<GuardedAnswer> {
  const limit = AbortSignal.timeout(Math.min(call.totalMs ?? TOTAL_MS, TOTAL_MS));
  const signal = call.signal ? AbortSignal.any([call.signal, limit]) : limit;
  let url = parseOutsideUrl(address);
  for (let hops = 0; ; hops++) {
    const addresses = await allowedAddresses(url, guard);
    const response = await callOnce(url, addresses, call, signal).catch((error) => {
      throw faultOf(error, call.signal, limit, "start to answer");
    });
    const answer = answerOf(response, call, limit);
    const location = REDIRECTS.has(answer.status) ? answer.header("location") : undefined;
    if (location === undefined || call.redirects === "return") return answer;
    answer.close();
    if (hops === MAX_REDIRECTS) {
      throw new EgressError("HTTP_STATUS", `the server redirects more than ${MAX_REDIRECTS} times`, { lasting: true });
    }
    url = redirected(url, location);
  }
}

/** Returns the target of a redirect (RFC 9110, section 10.2.2), checked like the first URL. */
function redirected(from: URL, location: string): URL {
  const refused = (message: string) => new EgressError("INVALID_URL", message, { lasting: true });
  const to = parseUrl(location, from);
  if (!to) throw refused("the server redirects to an invalid URL");
  if (from.protocol === "https:" && to.protocol !== "https:") throw refused("the server redirects from https to http");
  try {
    return parseOutsideUrl(to.href);
  } catch {
    throw refused("the server redirects to a URL that Carillon does not call");
  }
}

/**
 * Makes one request on a new connection to one of the checked addresses, and returns once the whole header has arrived. It uses
 * Node's own client, because undici ends the process if a server closes the connection before the body is read (ADR 61).
 */
async function callOnce(
  url: URL,
  addresses: string[],
  call: GuardedCall,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  signal.throwIfAborted();
  const isSecure = url.protocol === "https:";
  const request = (isSecure ? https : http).request(url, {
    agent: false,
    lookup: answering(addresses),
    method: call.method ?? "GET",
    headers: { "user-agent": "Carillon", accept: "*/*", ...call.headers, "accept-encoding": "identity" },
  });
  const within = (ms: number, what: string) => setTimeout(() => request.destroy(tooLate(what)), ms);
  let timer = within(CONNECT_MS, "accept the connection");
  request.once("socket", (socket) => {
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      timer = within(call.firstByteMs ?? FIRST_BYTE_MS, "start to answer");
    });
  });
  const stop = () => request.destroy(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      request.once("response", (response) => {
        response.on("error", () => {}); // an error after the reader has stopped
        request.on("error", (error) => response.complete || response.destroy(error));
        resolve(addAbortSignal(signal, response));
      });
      request.on("error", reject);
      request.once("close", () => reject(new Error("closed"))); // for example after 101, which has no body
      request.end(call.body);
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** A lookup function that returns the checked addresses only, so that a changed DNS answer has no effect. */
export function answering(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) =>
    options.all ? done(null, all) : done(null, all[0]?.address ?? "", all[0]?.family ?? 0);
}

/** Limits the size of the answer's body and the time without any bytes, and closes the connection at its end. */
function answerOf(response: IncomingMessage, call: GuardedCall, limit: AbortSignal): GuardedAnswer {
  const most = Math.min(call.maxBytes ?? MAX_BYTES, MAX_BYTES);
  // With an error, so that a reader never takes a body that was cut off for a complete one.
  const close = () => void response.destroy(new Error("closed by the caller")).socket.destroy();
  const stalled = () =>
    new EgressError("TIMEOUT", "the server stopped sending before the end of its answer", { lasting: false });
  // Runs only while the reader waits, so a slow reader does not count as a slow server.
  const waiting = () => setTimeout(() => response.destroy(stalled()), IDLE_MS);
  async function* read(): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    let timer = waiting();
    try {
      for await (const chunk of response) {
        clearTimeout(timer);
        bytes += chunk.length;
        if (bytes > most)
          throw new EgressError("TOO_LARGE", "the server sends more than the size limit", { lasting: true });
        yield chunk;
        timer = waiting();
      }
    } catch (error) {
      throw faultOf(isShort(response, error) ? tooShort() : error, call.signal, limit, "finish its answer");
    } finally {
      clearTimeout(timer);
      close();
    }
  }
  return {
    status: response.statusCode ?? 0,
    header: (name) => response.headersDistinct[name]?.[0],
    body: read(),
    close,
  };
}

/** True if the connection was closed within a body of an announced size. */
function isShort({ headers }: IncomingMessage, error: unknown): boolean {
  return (
    headers["content-length"] !== undefined && error instanceof Error && "code" in error && error.code === "ECONNRESET"
  );
}

function tooShort(): EgressError {
  const message = "the server sent a different number of bytes than it announced";
  return new EgressError("CONNECTION_FAILED", message, { lasting: false });
}

/** @param awaited what the server had not done when the total time was over */
function faultOf(error: unknown, own: AbortSignal | undefined, limit: AbortSignal, awaited: string): unknown {
  if (own?.aborted) return own.reason;
  return limit.aborted ? tooLate(awaited) : egressErrorOf(error);
}

function tooLate(what: string): EgressError {
  return new EgressError("TIMEOUT", `the server did not ${what} in time`, { lasting: false });
}
