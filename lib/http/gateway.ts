import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";
import { logRequest } from "../log";
import { clientAddress, subnetOf } from "./client-address";
import { countRequest, rateLimitHeaders, tooManyMessage } from "./rate-limit";

/**
 * A path whose requests count against `RATE_LIMIT_AUTH`. Without a method, every request counts; `/*` at the end matches
 * any path below.
 */
export type LimitedPath = {
  path: string;
  method?: "POST";
  /** Each purpose has a limit of its own, so that a busy one does not close the others. Also the name of the policy. */
  purpose: "sign-in" | "connect" | "unsubscribe" | "reviews" | "calendars";
};

/**
 * Counts a request to one of these paths against the limit of its client address and the path's purpose, exactly and over all
 * web processes.
 * @returns true if the limit is exceeded; the request has then been answered with 429
 */
export async function isRefused(
  request: IncomingMessage,
  response: ServerResponse,
  limited: LimitedPath[],
): Promise<boolean> {
  const begun = performance.now();
  const path = pathOf(request.url ?? "/");
  const purpose = limited.find((one) => isAt(one, request.method, path))?.purpose;
  if (!purpose) return false;
  const forwarded = request.headers["x-forwarded-for"];
  const address = clientAddress(request.socket.remoteAddress, forwarded?.toString(), env.trustedProxies);
  if (!address) return false;
  const standing = await countRequest(purpose, subnetOf(address), env.rateLimits.auth, true);
  for (const [name, value] of Object.entries(rateLimitHeaders(purpose, standing))) response.setHeader(name, value);
  if (standing.allowed) return false;
  const requestId = randomUUID();
  response.setHeader("x-request-id", requestId);
  const ms = Math.round(performance.now() - begun);
  logRequest({ requestId, method: request.method ?? "", path, status: 429, ms });
  response.writeHead(429, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(tooManyMessage(standing)));
  request.resume(); // discards the rest of the request body, so that the client can read the response
  return true;
}

function isAt({ path, method }: LimitedPath, requestMethod: string | undefined, requested: string): boolean {
  if (method && method !== requestMethod) return false;
  if (!path.endsWith("/*")) return requested === path;
  const prefix = path.slice(0, -1);
  return requested.startsWith(prefix) && requested.length > prefix.length;
}

/** The path as a router reads it: decoded, with `..` resolved, without doubled or trailing slashes. */
export function pathOf(url: string): string {
  let path = url;
  try {
    path = new URL(url.startsWith("/") ? `http://localhost${url}` : url).pathname;
    path = decodeURIComponent(path);
  } catch {
    // The path is malformed, so no route matches it.
  }
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}
