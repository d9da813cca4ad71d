import { IncomingMessage, type RequestListener } from "node:http";
import { Readable } from "node:stream";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { TextResponse } from "./json";

/** What the web process's server gives the app beside the request. */
type Surroundings = { incoming?: unknown } | undefined;

const messages = new WeakMap<Request, IncomingMessage>();

/** Remembers Node's own message behind a request, which the web process's server hands over. */
export function keepNodeRequest(request: Request, surroundings: unknown): void {
  const incoming = (surroundings as Surroundings)?.incoming;
  if (incoming instanceof IncomingMessage) messages.set(request, incoming);
}

/**
 * A request's body as a Node stream, for large ones: Node's own where there is one, since each piece that goes through a
 * web stream costs as much as writing it. Undefined where there is no body. To be called once, and instead of
 * `request.body`.
 */
export function nodeBodyOf(request: Request): Readable | undefined {
  const incoming = messages.get(request);
  const web = incoming ? null : request.body;
  const body = incoming ?? (web ? Readable.fromWeb(web as Parameters<typeof Readable.fromWeb>[0]) : undefined);
  body?.on("error", () => {}); // it may be cut before it is read, or after: who reads it is told, and nobody has to
  return body;
}

type Fetch = (request: Request, surroundings: HttpBindings) => Response | Promise<Response>;

/** Answers a server's requests by a web-standard handler; what is text already is written at once, not through a stream. */
export function listenerFor(fetch: Fetch): RequestListener {
  const answer = async (request: Request, surroundings: HttpBindings) => {
    const response = await fetch(request, surroundings);
    if (!(response instanceof TextResponse)) return response;
    const { content, status, fields } = response;
    const length = String(Buffer.byteLength(content));
    surroundings.outgoing.writeHead(status, Object.assign(fields, { "content-length": length })).end(content);
    return RESPONSE_ALREADY_SENT;
  };
  return getRequestListener((request, surroundings) => answer(request, surroundings as HttpBindings), {
    overrideGlobalObjects: false,
  });
}
