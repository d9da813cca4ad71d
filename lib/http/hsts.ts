import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";
import { requestedHost } from "./page-request";

const ONE_YEAR_SECONDS = 31_536_000;

const configured = [env.baseUrl, env.authUrl, env.appUrl, env.mediaUrl].map((address) => new URL(address));
const isHttps = (url: URL) => url.protocol === "https:";

/**
 * Tells browsers to use only https for a host whose configured address is https (RFC 6797). Subdomains are left out, because
 * they may belong to other services. If every address is https, a request for another host came through a proxy that does not
 * pass the host on, and its response has the header too.
 */
export function addHsts(request: IncomingMessage, response: ServerResponse, urls = configured): void {
  if (!urls.some(isHttps)) return;
  const host = requestedHost(request);
  const asked = urls.filter((url) => url.host === host);
  if ((asked.length > 0 ? asked : urls).every(isHttps)) {
    response.setHeader("strict-transport-security", `max-age=${ONE_YEAR_SECONDS}`);
  }
}
