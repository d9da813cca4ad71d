import { createHash, randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../env";

const POLICY = "content-security-policy";

/** Hashes of the one style that a library (sonner) inserts without a nonce, and of the empty element before it is filled. */
export const TOAST_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
] as const;

/**
 * Sets the content security policy of a page rendered by Next. Next reads the nonce from the request header and puts it on its
 * scripts. The browser gets the policy in the response, unless the response has a policy of its own.
 */
export function guardPage(request: IncomingMessage, response: ServerResponse, dev: boolean): void {
  const policy = livePolicy(randomBytes(16).toString("base64"), dev);
  request.headers[POLICY] = policy; // replaces a header that the client sent
  const writeHead = response.writeHead;
  // Whether the response has its own policy is known only when its head is written. Node calls this for implicit heads too.
  response.writeHead = function guarded(this: ServerResponse, ...head: unknown[]) {
    if (!this.hasHeader(POLICY)) this.setHeader(POLICY, policy);
    return Reflect.apply(writeHead, this, head);
  };
}

/**
 * The policy of a page with scripts (CSP level 3). Scripts need the nonce, or are loaded by such a script; inline scripts and
 * `eval` are blocked. Style elements need the nonce or come from us. Style attributes are allowed, because `next/image` and
 * measured sizes use them and an attribute cannot have a nonce. Images come from the networks' hosts, and forms may redirect
 * there (connecting), so both allow any https URL.
 * @param dev in development, Next uses `eval`, inline styles and a WebSocket
 */
export function livePolicy(nonce: string, dev = false): string {
  const store = env.s3 ? [new URL(env.s3.endpoint).origin] : [];
  const sandbox = env.sandbox ? [env.sandbox.url] : [];
  const own = new Set(["'self'", new URL(env.baseUrl).origin, ...store]);
  const media = env.mediaUrl === env.appUrl ? [] : [new URL(env.mediaUrl).origin];
  const shown = [...own, ...media, "https:", ...sandbox];
  return policyOf({
    // Must be first: Next reads the nonce from the first directive that begins with "script-src".
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
  /** The exact texts of its style elements. */
  styles: string[];
  /** The page uses style attributes, as mails do. */
  hasStyleAttributes?: boolean;
  /** Other origins or schemes to which a form may lead. `anywhere` if they are unknown; absent if there is no form. */
  formTargets?: string[] | "anywhere";
  /** The page is shown inside another page of ours. */
  isFramed?: boolean;
  /** The origins of other sites' pages that may show the page in a frame. */
  framedBy?: string[];
  /** The URLs of the script files that the page may load. */
  scripts?: string[];
  /** The scripts may call us, and the page shows the pictures of accounts, which the networks host. */
  hasAvatars?: boolean;
};

/** The policy of a page without scripts, or with these files: it allows only these styles, and images and fonts from our own origin. */
export function stillPolicy(page: StillPage): string {
  const { styles, hasStyleAttributes, formTargets, isFramed, framedBy, scripts, hasAvatars } = page;
  const sandbox = env.sandbox ? [env.sandbox.url] : [];
  return policyOf({
    "default-src": ["'none'"],
    "script-src": scripts ?? ["'none'"],
    "style-src": styles.map(cspHashOf),
    ...(hasStyleAttributes ? { "style-src-attr": ["'unsafe-inline'"] } : {}),
    "img-src": hasAvatars ? ["'self'", "https:", ...sandbox] : ["'self'"],
    ...(hasAvatars ? { "connect-src": ["'self'"] } : {}),
    "font-src": ["'self'"],
    ...(formTargets === "anywhere" ? {} : { "form-action": formTargets ? ["'self'", ...formTargets] : ["'none'"] }),
    "base-uri": ["'none'"],
    "frame-ancestors": framedBy ?? [isFramed ? "'self'" : "'none'"],
  });
}

/** A style's text as a policy names it. */
export function cspHashOf(style: string): string {
  return `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
}

/** A source with `;` or `,` would end its directive or policy, and what follows would count as another one: it is left out. */
const SOURCE = /^[^\s;,]+$/;

function policyOf(directives: { [name: string]: string[] }): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, sources.filter((source) => SOURCE.test(source))] as const)
    .map(([name, sources]) => `${name} ${sources.length > 0 ? sources.join(" ") : "'none'"}`)
    .join("; ");
}
