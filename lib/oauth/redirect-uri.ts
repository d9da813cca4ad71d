import { parseUrl } from "../env/parse-url";
import { isForeignScheme } from "../http/foreign-schemes";

const MAX_LENGTH = 2048;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Why these redirect URIs cannot be registered. At least one is required. */
export function applicationRedirectProblems(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["redirect-uri cannot be null"];
  return uris.map(applicationRedirectProblem).filter((problem) => problem !== undefined);
}

/**
 * Why an address cannot be registered; undefined if it can. Allowed are https, http on a loopback host, and private-use
 * schemes, which contain a dot (RFC 8252, section 7.1).
 */
export function applicationRedirectProblem(uri: string): string | undefined {
  const url = parseUrl(uri);
  if (!url || !/^[a-z][a-z0-9+.-]*:/i.test(uri) || uri.includes("#")) {
    return `redirect-uri must be an absolute address without a fragment: ${uri}`;
  }
  if (uri.length > MAX_LENGTH) return `redirect-uri must have at most ${MAX_LENGTH} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\") || url.username || url.password) {
    return `redirect-uri must not contain spaces, backslashes, user names or non-ASCII characters: ${uri}`;
  }
  if (/[;,]/.test(url.host)) return `redirect-uri must not have ; or , in its host: ${uri}`; // they separate policies
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:") {
    return LOOPBACK.has(url.hostname) ? undefined : `redirect-uri must be https: ${uri}`;
  }
  return url.protocol.includes(".") && !isForeignScheme(url.protocol.slice(0, -1))
    ? undefined
    : `redirect-uri must be https or use a private scheme of your own that contains a dot: ${uri}`;
}

/**
 * Whether an address is registered, character for character. Only a loopback IP address may have another port, because a
 * native application uses any free one (RFC 8252, section 7.3).
 */
export function isRegisteredRedirectUri(registered: readonly string[], uri: string): boolean {
  if (registered.includes(uri)) return true;
  const wanted = withoutPort(uri);
  return wanted !== undefined && registered.some((known) => withoutPort(known) === wanted);
}

function withoutPort(uri: string): string | undefined {
  const [, host, port, rest] = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?((?:[/?].*)?)$/.exec(uri) ?? [];
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  return host && `${host}${rest}`;
}
