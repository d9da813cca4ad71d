import { parseUrl } from "../env";

const MAX_LENGTH = 2048;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What keeps an application from having these addresses; it needs one at least. */
export function applicationRedirectProblems(uris: readonly string[]): string[] {
  if (uris.length === 0) return ["redirect-uri cannot be null"];
  return uris.map(applicationRedirectProblem).filter((problem) => problem !== undefined);
}

/**
 * What keeps an address from being registered, or undefined: https, http on a loopback host, or a private-use scheme, which
 * holds a dot (RFC 8252, section 7.1).
 */
export function applicationRedirectProblem(uri: string): string | undefined {
  const url = parseUrl(uri);
  if (!url || !/^[a-z][a-z0-9+.-]*:/i.test(uri) || uri.includes("#")) {
    return `redirect-uri must be an absolute address without a fragment: ${uri}`;
  }
  if (uri.length > MAX_LENGTH) return `redirect-uri must have at most ${MAX_LENGTH} characters`;
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\") || url.username || url.password) {
    return `redirect-uri must hold no spaces, backslashes, user names or characters outside ASCII: ${uri}`;
  }
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:") {
    return LOOPBACK.has(url.hostname) ? undefined : `redirect-uri must be https: ${uri}`;
  }
  return url.protocol.includes(".")
    ? undefined
    : `redirect-uri must be https, or a scheme of the application's own, with a dot: ${uri}`;
}

/**
 * Whether an address is registered, character for character. Only a loopback literal may come with another port, as a
 * native application gets one that is free (RFC 8252, section 7.3).
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
