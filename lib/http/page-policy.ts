import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";

const POLICY = "content-security-policy";

/**
 * The one style that a library writes into the page without a nonce (sonner's, for short words about what was done): its
 * digest, and that of the empty element which it is written into.
 */
export const TOAST_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const;

/**
 * Gives a page of Next's its content security policy: the nonce goes to Next in the request, which marks its scripts with it,
 * and to the browser in the answer, unless the answer brings a policy of its own.
 */
export function guardPage(request: IncomingMessage, response: ServerResponse, dev: boolean): void {
  const policy = livePolicy(randomBytes(16).toString("base64"), dev);
  request.headers[POLICY] = policy; // whatever a caller sent there is gone
  const writeHead = response.writeHead;
  // Only when it is written does an answer's own policy show; Node comes through here for implicit heads too.
  response.writeHead = function guarded(this: ServerResponse, ...head: unknown[]) {
    if (!this.hasHeader(POLICY)) this.setHeader(POLICY, policy);
    return Reflect.apply(writeHead, this, head);
  };
}

/**
 * What a page with script may do (CSP level 3). Scripts: those with the nonce and what they load, nothing inline and nothing
 * from a text. Style elements: ours and those with the nonce; style attributes as they are, because `next/image` and
 * measured sizes are written as such by the server, and a nonce cannot stand on an attribute. Pictures come from the
 * networks' own hosts, and forms may end at theirs (connecting), so for both any https address is good.
 * @param dev while developing Next runs code from texts, writes styles inline and talks over a socket
 */
export function livePolicy(nonce: string, dev = false): string {
  const store = env.s3 ? [new URL(env.s3.endpoint).origin] : [];
  const sandbox = env.sandbox ? [env.sandbox.url] : [];
  const own = new Set(["'self'", new URL(env.baseUrl).origin, ...store]);
  const shown = [...own, "https:", ...sandbox];
  return policyOf({
    // First: Next looks for the nonce in the first directive whose name begins like this.
    "script-src": [`'nonce-${nonce}'`, "'strict-dynamic'", ...(dev ? ["'unsafe-eval'"] : [])],
    "default-src": ["'none'"],
    "style-src": dev ? ["'self'", "'unsafe-inline'"] : ["'self'", `'nonce-${nonce}'`, ...TOAST_STYLES],
    "style-src-attr": ["'unsafe-inline'"],
    "img-src": [...shown, "data:", "blob:"],
    "media-src": [...shown, "blob:"],
    "connect-src": [...own, ...(dev ? ["ws:"] : [])],
    "font-src": ["'self'"],
    "frame-src": ["'self'"],
    "form-action": ["'self'", "https:", ...sandbox],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  });
}

type StillPage = {
  /** The texts of its style elements, to the character. */
  styles: string[];
  /** Also styles as attributes, as mails have them. */
  hasStyleAttributes?: boolean;
  /** Origins or schemes, besides our own, that a form may end at; `anywhere` where nobody knows, absent where there is no form. */
  formTargets?: string[] | "anywhere";
  /** Shown inside a page of ours. */
  isFramed?: boolean;
};

/** What a page without any script may do: nothing but show itself, with exactly these styles. */
export function stillPolicy({ styles, hasStyleAttributes, formTargets, isFramed }: StillPage): string {
  return policyOf({
    "default-src": ["'none'"],
    "script-src": ["'none'"],
    "style-src": styles.map(cspHashOf),
    ...(hasStyleAttributes ? { "style-src-attr": ["'unsafe-inline'"] } : {}),
    "img-src": ["'self'"],
    ...(formTargets === "anywhere" ? {} : { "form-action": formTargets ? ["'self'", ...formTargets] : ["'none'"] }),
    "base-uri": ["'none'"],
    "frame-ancestors": [isFramed ? "'self'" : "'none'"],
  });
}

/** A style's text as a policy names it. */
export function cspHashOf(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}

function policyOf(directives: { [name: string]: string[] }): string {
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
