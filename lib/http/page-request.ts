import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env, parseUrl } from "../env";
import { logRequest } from "../log";
import { isProxy } from "./client-address";

const QUERY = "x-query-as-sent";
const ADDRESS = "x-requested-address";
const UNKNOWN = "-";

/** Adds a request ID and a log line to a response that does not come from the API. API responses have both already. */
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

/** Keeps the query for `queryAsSent`. Next decodes and re-encodes the URL, which loses bytes that are not UTF-8. */
export function keepQuery(request: IncomingMessage): void {
  const { url = "" } = request;
  const mark = url.indexOf("?");
  const query = mark < 0 ? "" : url.slice(mark + 1);
  request.headers[QUERY] = query.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
}

/** Returns the query of a request without the question mark, exactly as it was sent if the server kept it. */
export function queryAsSent(request: Request): string {
  return request.headers.get(QUERY) ?? new URL(request.url).search.slice(1);
}

/** `host` is undefined if it is not valid; `scheme` is undefined if no trusted proxy named it. */
export type AskedAddress = { scheme?: string; host?: string };

/**
 * Keeps for `askedAddress` the host and scheme that the browser requested: from the `Host` header, or from the headers of a
 * trusted proxy (`TRUSTED_PROXIES`). The URL that Next passes on does not contain them.
 */
export function keepAddress(request: IncomingMessage, trusted = env.trustedProxies): void {
  const isTrusted = isProxy(request.socket.remoteAddress, trusted);
  const forwarded = (name: string) => (isTrusted ? request.headers[name]?.toString().split(",")[0]?.trim() : undefined);
  const url = parseUrl(`http://${forwarded("x-forwarded-host") ?? request.headers.host ?? ""}`);
  const scheme = /^https?$/i.exec(forwarded("x-forwarded-proto") ?? "")?.[0].toLowerCase();
  const host = url && url.href === `http://${url.host}/` ? url.host : undefined;
  request.headers[ADDRESS] = `${scheme ?? UNKNOWN} ${host ?? UNKNOWN}`;
}

/** Returns the host and scheme that the browser requested, or undefined if the server did not keep them. */
export function askedAddress(request: Request): AskedAddress | undefined {
  const kept = request.headers.get(ADDRESS);
  if (kept === null) return undefined;
  const [scheme, host] = kept.split(" ").map((part) => (part === UNKNOWN ? undefined : part));
  return { scheme, host };
}
