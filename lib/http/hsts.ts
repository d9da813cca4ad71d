import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";
import { requestedHost } from "./page-request";

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * Tells browsers to use only https for a host whose configured address is https (RFC 6797). Subdomains are left out, because
 * they may belong to other services. If every address is https, a request for another host came through a proxy that does not
 * pass the host on, and its response has the header too.
 */
export function addHsts(
  request: IncomingMessage,
  response: ServerResponse,
  addresses = [env.baseUrl, env.authUrl, env.appUrl, env.mediaUrl],
): void {
  const host = requestedHost(request);
  const urls = addresses.map((address) => new URL(address));
  const isConfigured = (url: URL) => url.host === host;
  const isHttps = (url: URL) => url.protocol === "https:";
  if (urls.some(isConfigured) ? urls.filter(isConfigured).every(isHttps) : urls.every(isHttps)) {
    response.setHeader("strict-transport-security", `max-age=${ONE_YEAR_SECONDS}`);
  }
}
