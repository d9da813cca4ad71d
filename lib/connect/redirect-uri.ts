import { isLoopback } from "../env";

const MAX_LENGTH = 2048;

/** A browser's own schemes and those that carry content or start programs: never a place to send a person to. */
const REFUSED = new Set(
  (
    "javascript data vbscript blob file filesystem about intent view-source content ws wss ftp mailto tel sms " +
    "jar res resource mhtml feed livescript mocha wyciwyg search-ms chrome edge opera brave vivaldi devtools " +
    "chrome-extension chrome-search chrome-untrusted moz-extension safari-extension"
  ).split(" "),
);

/** Windows starts programs and settings by schemes of this kind. */
const SYSTEM = /^ms-/;

/**
 * What is wrong with a partner's `redirectUri`, as a sentence whose subject it is, or undefined: https, http on a loopback
 * host, or a private-use scheme with a dot or at least three letters (RFC 8252, section 7.1).
 */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  // Before any parser: browsers drop some of these and read the rest differently.
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes("\\")) {
    return "must hold no spaces, control characters, backslashes or characters outside ASCII";
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase();
  if (!scheme || !URL.canParse(uri)) return "must be an absolute URL or a deep link";
  if (REFUSED.has(scheme) || SYSTEM.test(scheme)) return `must not use the scheme ${scheme}`;
  const url = new URL(uri);
  if (url.username || url.password) return "must hold no user name or password";
  if (scheme === "https" || scheme === "http") {
    if (!/^https?:\/\/[^/?#]/i.test(uri)) return "must name a host";
    return scheme === "https" || isLoopback(uri) ? undefined : "must be https (http only on a loopback host)";
  }
  return /\.|[a-z]{3}/.test(scheme) ? undefined : "must use a scheme with a dot or at least three letters";
}
