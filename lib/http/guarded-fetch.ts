import { isIP, type LookupFunction } from "node:net";
import { Agent, type Dispatcher, request } from "undici";
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
  /** `follow`: up to three, each checked like the first. `return`: a redirect is an answer like any other. */
  redirects?: "follow" | "return";
  /** More than this many bytes of answer are refused; at most and usually 100 MB. */
  maxBytes?: number;
  /** How long the server may take to begin its answer; usually ten seconds. */
  firstByteMs?: number;
  /** How long all of it may take, the answer's body included; at most and usually ten minutes. */
  totalMs?: number;
  signal?: AbortSignal;
};

export type GuardedAnswer = {
  status: number;
  /** By name in small letters; of repeated ones the first. */
  header(name: string): string | undefined;
  /** The body as it comes, counted. It has to be read to its end, or `close` be called. */
  body: AsyncIterable<Uint8Array>;
  close(): void;
};

/**
 * Calls an address that somebody else chose (RELIABILITY, section 5): http and https only, public addresses only, the
 * connection goes to the address that was checked, redirects are checked like the first address and never lead from https
 * to http. Every use is checked anew. Nothing is compressed, retried or kept.
 * @throws EgressError where the call is refused or fails; what the caller's signal gives where that ends it. Reading the
 * body throws the same
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
    const answer = await callOnce(url, addresses, call, signal).catch((error) => {
      throw faultOf(error, call.signal, limit, "begin to answer");
    });
    const location = REDIRECTS.has(answer.status) ? answer.header("location") : undefined;
    if (location === undefined || call.redirects === "return") return counted(answer, call, limit);
    answer.close();
    if (hops === MAX_REDIRECTS) {
      throw new EgressError("HTTP_STATUS", `the server redirects more than ${MAX_REDIRECTS} times`, { lasting: true });
    }
    url = redirected(url, location);
  }
}

/** Where a redirect leads (RFC 9110, section 10.2.2), checked for its shape like a first address. */
function redirected(from: URL, location: string): URL {
  const refused = (message: string) => new EgressError("INVALID_URL", message, { lasting: true });
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined;
  if (!to) throw refused("the server redirects to what is not a URL");
  if (from.protocol === "https:" && to.protocol !== "https:") throw refused("the server redirects from https to http");
  try {
    return parseOutsideUrl(to.href);
  } catch {
    throw refused("the server redirects to a URL that Carillon does not call");
  }
}

/** One request on a connection of its own, to one of the checked addresses and no other. */
async function callOnce(url: URL, addresses: string[], call: GuardedCall, signal: AbortSignal): Promise<GuardedAnswer> {
  const firstByteMs = call.firstByteMs ?? FIRST_BYTE_MS;
  const agent = new Agent({
    connect: { timeout: CONNECT_MS, lookup: answering(addresses) },
    headersTimeout: firstByteMs,
    bodyTimeout: IDLE_MS,
    pipelining: 0,
  });
  const close = () => void agent.destroy().catch(() => {});
  // A server that sends its headers byte by byte is as late as one that sends none.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLate("begin to answer")), CONNECT_MS + firstByteMs);
  try {
    const response = await request(url, {
      dispatcher: agent,
      method: call.method ?? "GET",
      headers: { "user-agent": "Carillon", accept: "*/*", ...call.headers, "accept-encoding": "identity" },
      body: call.body,
      signal: AbortSignal.any([signal, late.signal]),
    });
    response.body.on("error", () => {}); // one that nobody is reading any more
    return { status: response.statusCode, header: headersOf(response), body: response.body, close };
  } catch (error) {
    close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A resolver that knows the checked addresses only, whatever the name has become meanwhile. */
export function answering(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, options, done) =>
    options.all ? done(null, all) : done(null, all[0]?.address ?? "", all[0]?.family ?? 0);
}

function headersOf({ headers }: Dispatcher.ResponseData): GuardedAnswer["header"] {
  return (name) => {
    const value = headers[name];
    return Array.isArray(value) ? value[0] : value;
  };
}

/** The answer with every byte of its body counted, and the connection closed at its end. */
function counted(answer: GuardedAnswer, call: GuardedCall, limit: AbortSignal): GuardedAnswer {
  const most = Math.min(call.maxBytes ?? MAX_BYTES, MAX_BYTES);
  const { body, close } = answer;
  async function* read() {
    let bytes = 0;
    try {
      for await (const chunk of body) {
        bytes += chunk.length;
        if (bytes > most) throw new EgressError("TOO_LARGE", "the server sends more than is taken", { lasting: true });
        yield chunk;
      }
    } catch (error) {
      throw faultOf(error, call.signal, limit, "finish its answer");
    } finally {
      close();
    }
  }
  return { ...answer, body: read() };
}

/** @param awaited what the server had not done when the time for all of it was over */
function faultOf(error: unknown, own: AbortSignal | undefined, limit: AbortSignal, awaited: string): unknown {
  if (own?.aborted) return own.reason;
  return limit.aborted ? tooLate(awaited) : egressErrorOf(error);
}

function tooLate(what: string): EgressError {
  return new EgressError("TIMEOUT", `the server did not ${what} in time`, { lasting: false });
}
