import { Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { Agent, buildConnector, type Dispatcher, request } from "undici";
import { answering } from "../../http/guarded-fetch";
import { PlatformError } from "../errors";

export type OutgoingCall = {
  method: string;
  url: string;
  headers: Headers;
  body?: string | URLSearchParams | Uint8Array | ReadableStream<Uint8Array>;
  timeoutSeconds: number;
  /** The addresses that were checked: the connection goes to one of them, whatever the name has become meanwhile. */
  addresses?: string[];
};

/** Far above any answer that we ask for; a host that sends more is not answering us. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;

const unconnected = new WeakSet<Error>();
const connect = buildConnector({ timeout: 10_000 });

/**
 * A connection of its own for each call (`pipelining: 0` turns keep-alive off): a pooled one that the other side has
 * just closed would make an unsent call look like a lost one. Time is bounded by the call's own signal.
 */
function agentBy(connect: buildConnector.connector): Agent {
  return new Agent({
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, done) {
      connect(options, (...result) => {
        // Name look-up, connection and TLS all end here: nothing of the request has been written yet.
        if (result[0]) unconnected.add(result[0]);
        done(...result);
      });
    },
  });
}

const agent = agentBy(connect);

function agentFor(addresses: string[] | undefined): Agent {
  return addresses ? agentBy(buildConnector({ timeout: 10_000, lookup: answering(addresses) })) : agent;
}

/**
 * Sends a call once and reads the whole answer, whatever its status.
 * @throws PlatformError `later` where no connection came about, `unknown` for anything else without a full answer
 */
export async function send(network: string, call: OutgoingCall): Promise<Response> {
  try {
    // Not `fetch`, which costs twice the CPU for what a browser does: cookies, caches, redirects, encodings.
    const response = await request(call.url, {
      method: call.method as Dispatcher.HttpMethod, // any name is sent as it is
      headers: headersOf(call),
      body: bodyOf(call),
      signal: AbortSignal.timeout(call.timeoutSeconds * 1000),
      dispatcher: agentFor(call.addresses),
    });
    const bytes = await readAll(response.body);
    const status = response.statusCode;
    const headers = Object.entries(response.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, one] as [string, string]),
    );
    return new Response(status === 204 || status === 304 ? null : bytes, { status, headers });
  } catch (error) {
    throw failure(network, error);
  }
}

function headersOf({ headers, body }: OutgoingCall): { [name: string]: string } {
  const given = { accept: "*/*", ...Object.fromEntries(headers) };
  if (!(body instanceof URLSearchParams)) return given;
  return { "content-type": "application/x-www-form-urlencoded;charset=UTF-8", ...given };
}

function bodyOf({ body }: OutgoingCall): string | Uint8Array | Readable | undefined {
  if (body instanceof URLSearchParams) return String(body);
  return body instanceof ReadableStream ? Readable.fromWeb(body as NodeStream) : body; // one stream, declared twice
}

async function readAll(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_ANSWER_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Only the error's code is kept: its message and its cause may hold an address with a token in it. */
function failure(network: string, error: unknown): PlatformError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof PlatformError) return cause; // our own body's, see `multipart`
  const answer = { status: 0, code: codeOf(cause) };
  if ([error, cause].some((one) => one instanceof Error && unconnected.has(one)))
    return new PlatformError("later", `${network} cannot be reached`, { refused: true, answer });
  return new PlatformError("unknown", `${network} did not answer`, { answer });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
