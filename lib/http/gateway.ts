import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";
import { log } from "../log";
import { clientAddress, networkOf } from "./client-address";
import { rateLimitHeaders, take, tooManyMessage } from "./rate-limit";

const POLICY = "auth";

/** Where passwords, secrets, codes and links are tried out, and where anybody with a link may write; pages that only show a form are not among them. */
const POSTS =
  /^\/(sign-in|sign-up|authorize|forgot-password|reset-password|confirm-email(\/again)?|unsubscribe|reviews|oauth\/(token|revoke)|accounts\/(name|password)|api\/auth\/(callback|signin)\/.*)$/;
const ALWAYS = /^\/oauth\/connect(\/|$)/;

/** Answers 429 where an address has asked too often for what `RATE_LIMIT_AUTH` guards; true where it did. */
export function isRefused(request: IncomingMessage, response: ServerResponse): boolean {
  const path = pathOf(request.url ?? "/");
  if (!ALWAYS.test(path) && !(request.method === "POST" && POSTS.test(path))) return false;
  const forwarded = request.headers["x-forwarded-for"];
  const address = clientAddress(request.socket.remoteAddress, forwarded?.toString(), env.trustedProxies);
  if (!address) return false;
  const standing = take(POLICY, networkOf(address), env.rateLimits.auth);
  for (const [name, value] of Object.entries(rateLimitHeaders(POLICY, standing))) response.setHeader(name, value);
  if (standing.allowed) return false;
  const requestId = randomUUID();
  response.setHeader("x-request-id", requestId);
  log.info({ requestId, method: request.method, path, status: 429 }, "request");
  response.writeHead(429, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(tooManyMessage(standing)));
  request.resume(); // what was still being sent is let in and dropped, so that the answer can be read
  return true;
}

/** The path as a router reads it: decoded, without `..`, without doubled or trailing slashes. */
function pathOf(url: string): string {
  let path = url;
  try {
    path = new URL(url.startsWith("/") ? `http://localhost${url}` : url).pathname;
    path = decodeURIComponent(path);
  } catch {
    // No route has such a path.
  }
  return path.replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}
