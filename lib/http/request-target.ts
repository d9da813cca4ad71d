import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { env, isLoopback } from "../env";
import { parseUrl } from "../env/parse-url";
import { errorPage, type Html, html } from "./html";

/** 421, RFC 9110, section 15.5.20: this server does not answer for the requested host. */
const MISDIRECTED = 421;

/**
 * Checks the target of a request before anything else reads it, so that no response contains a host that is not ours. A
 * target in absolute form (RFC 9112, section 3.2.2) is reduced to its path if it names one of our addresses.
 * @returns false if the request has been answered with 421
 */
export function acceptTarget(request: IncomingMessage, response: ServerResponse): boolean {
  const { url = "/" } = request;
  if (url.startsWith("/")) return true;
  const target = parseUrl(url);
  if (!target || !isHostOfOurs(target.host)) {
    refuse(request, response, { status: MISDIRECTED, error: "This server does not serve that host" });
    return false;
  }
  request.url = `${target.pathname}${target.search}`;
  request.headers.host = target.host;
  return true;
}

type Answer = { status: number; error: string; headers?: OutgoingHttpHeaders };

/** Answers a request in JSON before any handler has seen it. */
export function refuse(request: IncomingMessage, response: ServerResponse, { status, error, headers }: Answer): void {
  request.resume(); // discards the body, so that the client can read the response
  const body = JSON.stringify({ error });
  const length = { "content-length": Buffer.byteLength(body) };
  response.writeHead(status, { "content-type": "application/json", ...length, ...headers });
  response.end(body);
}

type PageError = {
  status: number;
  /** For clients that are not browsers. */
  error: string;
  /** What a browser shows. */
  title: string;
  text: string | Html;
};

/** Writes an error of a page before any handler has seen the request, and leaves the response open: a page for a browser, or one line. */
export function writePageError(request: IncomingMessage, response: ServerResponse, given: PageError): void {
  const { status, error, title, text } = given;
  const isBrowser = request.headers.accept?.includes("text/html");
  const { markup, headers } = isBrowser
    ? errorPage(title, text)
    : { markup: `${error}\n`, headers: { "content-type": "text/plain" } };
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(markup) }).write(markup);
}

/**
 * Replaces the `Host` of a page's request by that of `APP_URL` if it is not one of ours, and removes what a client or proxy
 * wrote into `X-Forwarded-*`: Next builds addresses from them. Call it after `keepAddress`.
 */
export function hideForeignHost(request: IncomingMessage): void {
  for (const name of ["forwarded", "x-forwarded-host", "x-forwarded-port", "x-forwarded-proto"]) {
    delete request.headers[name];
  }
  if (!isHostOfOurs(request.headers.host ?? "")) request.headers.host = new URL(env.appUrl).host;
}

/** Whether a host is that of a configured address. A loopback server is known by every loopback name. */
export function isHostOfOurs(host: string): boolean {
  // More than a host and a port, such as `localhost/evil.example`, would become part of the addresses that Next builds.
  if (/[^\w.:[\]-]/.test(host) || !parseUrl(`http://${host}`)) return false;
  const ours = [env.baseUrl, env.authUrl, env.appUrl, env.mediaUrl];
  if (ours.some((address) => new URL(address).host === host)) return true;
  return ours.some(isLoopback) && isLoopback(`http://${host}`);
}

/** More than any of our pages reads. Next takes quadratic time over the parameters: 3,000 of them block it for 200 ms. */
const MAX_PARAMETERS = 100;

/**
 * Checks the path and query of a page's request.
 * @returns false if the request has been answered with 400
 */
export function acceptPageTarget(request: IncomingMessage, response: ServerResponse): boolean {
  const problem = targetProblem(request.url ?? "/");
  if (problem === undefined) return true;
  const text = html`${problem}. <a href="/">Go to Carillon</a>`;
  writePageError(request, response, { status: 400, error: problem, title: "This address does not work", text });
  response.end();
  return false;
}

/**
 * Returns why a page's path and query are refused, as a sentence: Next would answer 500 for an address that cannot be decoded
 * or for an image at a strange address, and many parameters would block the process. Undefined if they are accepted.
 */
function targetProblem(url: string): string | undefined {
  const [path = ""] = url.split("?", 1);
  const query = url.slice(path.length + 1);
  const decoded = decodedOf(path);
  if (decoded === undefined || decoded.includes("\\")) return "The address is not well-formed";
  if (query.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS) {
    return `The address has too many parameters; remove all but ${MAX_PARAMETERS}`;
  }
  const image = decoded.startsWith("/_next/image") ? new URLSearchParams(query).get("url") : null;
  return image === null || /^\/(?![/\\])[^\\]*$/.test(image)
    ? undefined
    : "The address of the image is not well-formed";
}

function decodedOf(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** Returns a name that occurs twice among parameters; undefined if there is none. */
export function repeatedName(parameters: URLSearchParams): string | undefined {
  const names = new Set<string>();
  for (const name of parameters.keys()) {
    if (names.has(name)) return name;
    names.add(name);
  }
  return undefined;
}
