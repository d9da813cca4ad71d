import { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** What the web process's server gives the app beside the request. */
type Surroundings = { incoming?: unknown } | undefined;

const messages = new WeakMap<Request, IncomingMessage>();

/** Remembers Node's own message behind a request, which the web process's server hands over. */
export function rememberIncoming(request: Request, surroundings: unknown): void {
  const incoming = (surroundings as Surroundings)?.incoming;
  if (incoming instanceof IncomingMessage) messages.set(request, incoming);
}

/**
 * A request's body as a Node stream, for large ones: Node's own where there is one, since each piece that goes through a
 * web stream costs as much as writing it. Undefined where there is no body. To be called once, and instead of
 * `request.body`.
 */
export function bodyOf(request: Request): Readable | undefined {
  const incoming = messages.get(request);
  const web = incoming ? null : request.body;
  const body = incoming ?? (web ? Readable.fromWeb(web as Parameters<typeof Readable.fromWeb>[0]) : undefined);
  body?.on("error", () => {}); // it may be cut before it is read, or after: who reads it is told, and nobody has to
  return body;
}
