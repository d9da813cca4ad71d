import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env, parseUrl } from "../env";
import { logRequest } from "../log";
import { isProxy } from "./client-address";

const QUERY = "x-query-as-sent";
const ADDRESS = "x-address-as-asked";
const NOBODY_KNOWS = "-";

/** Gives an answer that the API does not make a request id and a line in the log, as the API's answers have. */
export function announce(request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const begun = performance.now();
  const { method = "" } = request;
  const path = request.url?.split("?", 1)[0] ?? "/";
  response.setHeader("x-request-id", requestId);
  response.once("close", () => {
    logRequest({ requestId, method, path, status: response.statusCode, ms: Math.round(performance.now() - begun) });
  });
}

/** Keeps the query for `queryAsSent`: Next decodes an address and encodes it again, which loses bytes that are no UTF-8. */
export function keepQuery(request: IncomingMessage): void {
  const { url = "" } = request;
  const mark = url.indexOf("?");
  const query = mark < 0 ? "" : url.slice(mark + 1);
  request.headers[QUERY] = query.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

/** A request's query, without the question mark, character for character as it was sent where the server has kept it. */
export function queryAsSent(request: Request): string {
  return request.headers.get(QUERY) ?? new URL(request.url).search.slice(1);
}

/** `host` is as a URL writes it, and undefined where it is none; `scheme` is undefined where nobody who is believed said it. */
export type AskedAddress = { scheme?: string; host?: string };

/**
 * Keeps for `askedAddress` at which address the page was asked for: by the request's `Host`, or by what a proxy that is
 * believed (`TRUSTED_PROXIES`) says the browser sent it. Next hands over an address of its own making.
 */
export function keepAddress(request: IncomingMessage, trusted = env.trustedProxies): void {
  const isBelieved = isProxy(request.socket.remoteAddress, trusted);
  const told = (name: string) => (isBelieved ? request.headers[name]?.toString().split(",")[0]?.trim() : undefined);
  const url = parseUrl(`http://${told("x-forwarded-host") ?? request.headers.host ?? ""}`);
  const scheme = /^https?$/i.exec(told("x-forwarded-proto") ?? "")?.[0].toLowerCase();
  const host = url && url.href === `http://${url.host}/` ? url.host : undefined;
  request.headers[ADDRESS] = `${scheme ?? NOBODY_KNOWS} ${host ?? NOBODY_KNOWS}`;
}

/** At which address a page was asked for; undefined where no server has kept it. */
export function askedAddress(request: Request): AskedAddress | undefined {
  const kept = request.headers.get(ADDRESS);
  if (kept === null) return undefined;
  const [scheme, host] = kept.split(" ").map((part) => (part === NOBODY_KNOWS ? undefined : part));
  return { scheme, host };
}
