import { env } from "@/lib/env";
import { cookieNamesWithPrefix, cookiesWithPrefix } from "@/lib/http/cookies";

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
