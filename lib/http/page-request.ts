import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type BlockList, isIP } from "node:net";
import { env } from "../env";
import { parseUrl } from "../env/parse-url";
import { logRequest } from "../log";
import { recordRequest } from "../metrics";
import { clientAddress, isProxy } from "./client-address";

const QUERY = "x-query-as-sent";
const ADDRESS = "x-requested-address";
/** The header in which the server keeps the client's IP address. */
export const CLIENT_ADDRESS = "x-client-address";
const UNKNOWN = "-";

/** Adds a request ID and a log line to a response that does not come from the API. API responses have both already. */
export function announce(request: IncomingMessage, response: ServerResponse): void {
  const requestId = randomUUID();
  const begun = performance.now();
  const { method = "" } = request;
  const path = request.url?.split("?", 1)[0] ?? "/";
  response.setHeader("x-request-id", requestId);
  response.once("close", () => {
    const { statusCode: status } = response;
    const ms = Math.round(performance.now() - begun);
    logRequest({ requestId, method, path, status, ms });
    recordRequest(method, pageGroup(path), status, ms);
  });
}

/** Groups of pages for metrics. Pages may have IDs in their paths, and a client may ask for any path. */
const PAGE_GROUPS = ["/oauth/connect", "/authorize", "/sign-in", "/sign-up", "/console", "/api/auth"];

function pageGroup(path: string): string {
  return PAGE_GROUPS.find((group) => path === group || path.startsWith(`${group}/`)) ?? "other pages";
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
  const scheme = /^https?$/i.exec(forwarded(request, "x-forwarded-proto", trusted) ?? "")?.[0].toLowerCase();
  request.headers[ADDRESS] = `${scheme ?? UNKNOWN} ${requestedHost(request, trusted) ?? UNKNOWN}`;
}

/** Returns the host, with its port, that the client requested; undefined if it is not valid. */
export function requestedHost(request: IncomingMessage, trusted = env.trustedProxies): string | undefined {
  const url = parseUrl(`http://${forwarded(request, "x-forwarded-host", trusted) ?? request.headers.host ?? ""}`);
  return url && url.href === `http://${url.host}/` ? url.host : undefined;
}

/** Returns the first value of a forwarded header, if a trusted proxy sent it. */
function forwarded({ headers, socket }: IncomingMessage, name: string, trusted: BlockList | undefined) {
  return isProxy(socket.remoteAddress, trusted) ? headers[name]?.toString().split(",")[0]?.trim() : undefined;
}

/** Returns the host and scheme that the browser requested, or undefined if the server did not keep them. */
export function askedAddress(request: Request): AskedAddress | undefined {
  const kept = request.headers.get(ADDRESS);
  if (kept === null) return undefined;
  const [scheme, host] = kept.split(" ").map((part) => (part === UNKNOWN ? undefined : part));
  return { scheme, host };
}

/** Keeps the client's IP address for `keptClientAddress`, because pages do not see the connection. */
export function keepClientAddress(request: IncomingMessage, trusted = env.trustedProxies): void {
  const forwarded = request.headers["x-forwarded-for"]?.toString();
  request.headers[CLIENT_ADDRESS] = clientAddress(request.socket.remoteAddress, forwarded, trusted) ?? UNKNOWN;
}

/** Returns the client's IP address, or undefined if it is unknown. */
export function keptClientAddress(headers: Headers): string | undefined {
  const kept = headers.get(CLIENT_ADDRESS) ?? UNKNOWN;
  return isIP(kept) === 0 ? undefined : kept;
}

/** Longer than the user agent of any browser. */
const MAX_USER_AGENT = 500;

/** Cuts a long User-Agent. Next looks for bots in it with a pattern that takes quadratic time: 220 ms for 12,000 letters. */
export function shortenUserAgent({ headers }: IncomingMessage): void {
  if (headers["user-agent"]) headers["user-agent"] = headers["user-agent"].slice(0, MAX_USER_AGENT);
}
