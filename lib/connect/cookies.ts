import { env } from "../env";
import { cookieNamesWithPrefix, cookieOf, cookiesWithPrefix } from "../http/headers";
import { randomToken } from "../secrets";

const secure = env.appUrl.startsWith("https:");

/** Prefix of the cookies that tie an attempt to its browser. `__Host-` requires https, so loopback http omits it. */
const PREFIX = secure ? "__Host-cf_" : "cf_";
const FLAGS = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** Longer than an attempt lives, so that a person who returns too late is still recognised and can start again. */
const LIFE_SECONDS = 3600;
const ATTEMPTS_PER_BROWSER = 5;
/** Our pages set at most five. More can only come from elsewhere, and reading is bounded. */
const MAX_READ = 20;

export function nonceCookie(attemptId: string, nonce: string): string {
  return `${PREFIX}${attemptId}=${nonce}; ${FLAGS}; Max-Age=${LIFE_SECONDS}`;
}

/** Expires a browser's oldest attempt cookies, so that it never has more than five, including the one being set. */
export function expiredNonceCookies(headers: Headers): string[] {
  const names = cookieNamesWithPrefix(headers, PREFIX);
  return names
    .slice(0, Math.max(0, names.length - (ATTEMPTS_PER_BROWSER - 1)))
    .map((name) => `${name}=; ${FLAGS}; Max-Age=0`);
}

/** The nonces of all attempts that this browser started. */
export function noncesOf(headers: Headers): string[] {
  return cookiesWithPrefix(headers, PREFIX).slice(0, MAX_READ);
}

/** Identifies the browser that was shown the confirmation page; that page's form contains the same value. */
const CONFIRMATION = secure ? "__Host-asked" : "asked";

/** The browser's confirmation token, created if it has none. One token per browser, because several pages may be open. */
export function confirmationToken(headers: Headers): string {
  const known = cookieOf(headers, CONFIRMATION) ?? "";
  return /^[\w-]{43}$/.test(known) ? known : randomToken();
}

export function confirmationCookie(token: string): string {
  return `${CONFIRMATION}=${token}; ${FLAGS}; Max-Age=${LIFE_SECONDS}`;
}

/** Whether the form was sent by the browser that was shown it. A form on another site comes without the cookie (SameSite). */
export function isConfirmedByBrowser(headers: Headers, token: string): boolean {
  return token !== "" && cookieOf(headers, CONFIRMATION) === token;
}
