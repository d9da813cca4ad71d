import { IncomingMessage, type OutgoingHttpHeaders, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { log } from "../log";
import { hearOut } from "./form";
import { TextResponse } from "./json";

/** What the HTTP server passes to the app with a request. */
type Bindings = { incoming?: unknown } | undefined;

const messages = new WeakMap<Request, IncomingMessage>();

/** Keeps the Node message of a request for `nodeBodyOf`. The HTTP server passes it in the bindings. */
export function keepNodeRequest(request: Request, bindings: unknown): void {
  const incoming = (bindings as Bindings)?.incoming;
  if (incoming instanceof IncomingMessage) messages.set(request, incoming);
}

/**
 * Returns the body of a request as a Node stream, for large bodies: a web stream would double the cost of each chunk. Returns
 * undefined if there is no body. Call it at most once, and instead of `request.body`.
 */
export function nodeBodyOf(request: Request): Readable | undefined {
  const incoming = messages.get(request);
  const web = incoming ? null : request.body;
  const body = incoming ?? (web ? Readable.fromWeb(web as Parameters<typeof Readable.fromWeb>[0]) : undefined);
  body?.on("error", () => {}); // the connection may break while nothing reads the stream; a reader gets the error anyway
  return body;
}

type Fetch = (request: Request, surroundings: HttpBindings) => Response | Promise<Response>;

/**
 * Creates a Node request listener from a web-standard handler. A `TextResponse` is written at once, without a stream. If a
 * request is refused before its body has arrived, the answer ends only after the body: many clients read nothing before they
 * have sent everything, and would find the connection closed.
 */
export function listenerFor(fetch: Fetch, unreadMs?: number): RequestListener {
  const answer = async (request: Request, surroundings: HttpBindings) => {
    const { incoming, outgoing } = surroundings;
    const response = await fetch(request, surroundings);
    const isText = response instanceof TextResponse;
    if (!isText && (response.status < 400 || incoming.complete)) return response;
    const content = isText ? response.content : await response.text();
    const fields = isText ? response.fields : fieldsOf(response.headers);
    const length = String(Buffer.byteLength(content));
    outgoing.writeHead(response.status, Object.assign(fields, { "content-length": length }));
    if (incoming.complete || incoming.destroyed) outgoing.end(content);
    else {
      outgoing.write(content);
      hearOut(incoming, () => outgoing.end(), unreadMs);
    }
    return RESPONSE_ALREADY_SENT;
  };
  return getRequestListener((request, surroundings) => answer(request, surroundings as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: answerError,
  });
}

/** Answers an error that the handler did not answer, such as an invalid `Host` header, in JSON like every other error. */
function answerError(error: unknown): Response {
  if (error instanceof RequestError)
    return Response.json({ error: "The address or the Host header of the request is not valid" }, { status: 400 });
  log.error({ error: error instanceof Error ? error.stack : String(error) }, "a request failed");
  return Response.json({ error: "Something went wrong on our side" }, { status: 500 });
}

/** The header fields as Node writes them: one line for each cookie. */
function fieldsOf(headers: Headers): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { "set-cookie": cookies }) };
}
