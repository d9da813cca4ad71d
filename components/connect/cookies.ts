import { env } from "@/lib/env";
import { cookieNamesWithPrefix, cookieOf, cookiesWithPrefix } from "@/lib/http/cookies";
import { randomToken } from "@/lib/secrets";

const secure = env.appUrl.startsWith("https:");

/** The cookies that tie an attempt to its browser. `__Host-` needs https, so loopback http does without. */
const PREFIX = secure ? "__Host-cf_" : "cf_";
const FLAGS = `Path=/; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** Longer than the attempt, so that a person who comes back too late is known, and can start again. */
const LIFE_SECONDS = 3600;
const ATTEMPTS_PER_BROWSER = 5;
/** A browser of ours has five; what else there is was put there by somebody. */
const MOST_READ = 20;

export function nonceCookie(attemptId: string, nonce: string): string {
  return `${PREFIX}${attemptId}=${nonce}; ${FLAGS}; Max-Age=${LIFE_SECONDS}`;
}

/** Expires the oldest of a browser's attempts, so that it never carries more than five (the one being opened included). */
export function staleCookies(headers: Headers): string[] {
  const names = cookieNamesWithPrefix(headers, PREFIX);
  return names
    .slice(0, Math.max(0, names.length - (ATTEMPTS_PER_BROWSER - 1)))
    .map((name) => `${name}=; ${FLAGS}; Max-Age=0`);
}

/** The secrets of the attempts that this browser began. */
export function noncesOf(headers: Headers): string[] {
  return cookiesWithPrefix(headers, PREFIX).slice(0, MOST_READ);
}

/** Tells the browser that was shown the page before a connect from any other; its value stands in that page's form too. */
const ASKED = secure ? "__Host-asked" : "asked";

/** The browser's own token, made where it has none: several pages may be open at once. */
export function askedToken(headers: Headers): string {
  const known = cookieOf(headers, ASKED) ?? "";
  return /^[\w-]{43}$/.test(known) ? known : randomToken();
}

export function askedCookie(token: string): string {
  return `${ASKED}=${token}; ${FLAGS}; Max-Age=${LIFE_SECONDS}`;
}

/** Whether a form was sent by the browser that was shown it: another site's form comes without the cookie (SameSite). */
export function wasAsked(headers: Headers, token: string): boolean {
  return token !== "" && cookieOf(headers, ASKED) === token;
}
