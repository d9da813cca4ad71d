import { isLoopback } from "../env";

const MAX_LENGTH = 2048;

/** Schemes that browsers reserve for themselves, that carry content, or that start programs. */
const REFUSED = new Set(
  (
    "javascript data vbscript blob file filesystem about intent view-source content ws wss ftp mailto tel sms " +
    "jar res resource mhtml feed livescript mocha wyciwyg search-ms chrome edge opera brave vivaldi devtools " +
    "chrome-extension chrome-search chrome-untrusted moz-extension safari-extension"
  ).split(" "),
);

/** Windows starts programs and settings through schemes of this kind. */
const WINDOWS_SYSTEM = /^ms-/;

/**
 * Why a partner's `redirectUri` is not allowed, as the end of a sentence that starts with the field's name; undefined if it
 * is allowed. Allowed are https, http on a loopback host, and private-use schemes with a dot or at least three letters
 * (RFC 8252, section 7.1).
 */
export function partnerRedirectProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Checked before parsing: browsers drop some of these characters and interpret others differently.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\")) {
    return "must not contain spaces, control characters, backslashes or non-ASCII characters";
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (!scheme || !URL.canParse(uri)) return "must be an absolute URL or a deep link";
  if (REFUSED.has(scheme) || WINDOWS_SYSTEM.test(scheme)) return `must not use the scheme ${scheme}`;
  const url = new URL(uri);
  if (url.username || url.password) return "must not contain a user name or password";
  if (scheme === "https" || scheme === "http") {
    if (!/^https?:\/\/[^/?#]/i.test(uri)) return "must have a host";
    return scheme === "https" || isLoopback(uri) ? undefined : "must be https (http only on a loopback host)";
  }
  return /\.|[a-z]{3}/.test(scheme) ? undefined : "must use a scheme with a dot or at least three letters";
}
