import { Agent, type BodyInit, buildConnector, fetch } from "undici";
import { answering } from "../http/guarded-fetch";
import { PlatformError } from "./errors";

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
    const response = await fetch(call.url, {
      method: call.method,
      headers: [...call.headers],
      body: call.body as BodyInit | undefined, // the same streams, declared twice (DOM and node:stream/web)
      duplex: "half",
      redirect: "manual",
      signal: AbortSignal.timeout(call.timeoutSeconds * 1000),
      dispatcher: agentFor(call.addresses),
    });
    const bytes = await readAll(response.body);
    const bodiless = response.status === 204 || response.status === 304;
    return new Response(bodiless ? null : bytes, { status: response.status, headers: [...response.headers] });
  } catch (error) {
    throw failure(network, error);
  }
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
  if (cause instanceof Error && unconnected.has(cause))
    return new PlatformError("later", `${network} cannot be reached`, { refused: true, answer });
  return new PlatformError("unknown", `${network} did not answer`, { answer });
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
