import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";
import { requestedHost } from "./page-request";

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Tells browsers to use only https for a host whose configured address is https (RFC 6797). Subdomains are left out, because
 * they may belong to other services.
 */
export function addHsts(
  request: IncomingMessage,
  response: ServerResponse,
  addresses = [env.baseUrl, env.authUrl, env.appUrl, env.mediaUrl],
): void {
  const host = requestedHost(request);
  const isHttps = addresses
    .map((address) => new URL(address))
    .some((url) => url.protocol === "https:" && url.host === host);
  if (isHttps) response.setHeader("strict-transport-security", `max-age=${ONE_YEAR_SECONDS}`);
}
