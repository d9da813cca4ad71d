import { isLoopback } from "../env";
import { parseUrl } from "../env/parse-url";
import { isForeignScheme } from "../http/foreign-schemes";

const MAX_LENGTH = 2048;

/**
 * Why a partner's `redirectUri` is not allowed, as the end of a sentence that starts with the field's name; undefined if it
 * is allowed. Allowed are https, http on a loopback host, and private-use schemes of at least three characters that belong to
 * no other program.
 */
export function partnerRedirectProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Checked before parsing: browsers drop some of these characters and interpret others differently.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\")) {
    return "must not contain spaces, control characters, backslashes or non-ASCII characters";
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  const url = scheme && parseUrl(uri);
  if (!url) return "must be an absolute URL or a deep link";
  if (isForeignScheme(scheme)) return `must not use the scheme ${scheme}`;
  if (url.username || url.password) return "must not contain a user name or password";
  if (scheme === "https" || scheme === "http") {
    if (/[;,]/.test(url.host)) return "must not have ; or , in its host"; // they separate policies
    if (!/^https?:\/\/[^/?#]/i.test(uri)) return "must have a host";
    return scheme === "https" || isLoopback(uri) ? undefined : "must be https (http only on a loopback host)";
  }
  return scheme.length >= 3 ? undefined : "must use a scheme of at least three characters";
}
