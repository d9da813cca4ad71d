import { perProcess } from "../db/per-process";

/** The state of a limit after a request was counted. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

type Window = { count: number; endsAt: number };

const WINDOW_SECONDS = 60;
/** Maximum number of counted callers. Beyond it, the oldest windows are dropped first. */
const MAX_KEYS = 100_000;

const policies = perProcess("rate limits", () => new Map<string, Map<string, Window>>());

function windowsOf(policy: string): Map<string, Window> {
  const known = policies.get(policy);
  if (known) return known;
  const windows = new Map<string, Window>();
  policies.set(policy, windows);
  return windows;
}

/**
 * Counts a request of this key against a limit per minute. The minute begins with the key's first request. The counts are in
 * the memory of this process, so each process counts its own.
 */
export function countRequest(policy: string, key: string, limit: number, now = Date.now()): RateLimitState {
  const windows = windowsOf(policy);
  let window = windows.get(key);
  if (!window || window.endsAt <= now) {
    windows.delete(key); // so that it is added at the end: the map is ordered by the end of the windows
    window = { count: 0, endsAt: now + WINDOW_SECONDS * 1000 };
    windows.set(key, window);
    dropOldWindows(windows, now);
  }
  window.count++;
  const resetSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
  return { allowed: window.count <= limit, limit, remaining: Math.max(0, limit - window.count), resetSeconds };
}

function dropOldWindows(windows: Map<string, Window>, now: number): void {
  for (const [key, { endsAt }] of windows) {
    if (endsAt > now && windows.size <= MAX_KEYS) return;
    windows.delete(key);
  }
}

/** The response headers (draft-ietf-httpapi-ratelimit-headers-10): the policy, and the rest of the current window. */
export function rateLimitHeaders(policy: string, { limit, remaining, resetSeconds, allowed }: RateLimitState) {
  return {
    "ratelimit-policy": `"${policy}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    ...(allowed ? {} : { "retry-after": String(resetSeconds) }),
  };
}

/** The body of a 429 response. The gateway uses `message` instead of `error` (SPEC, "Errors"). */
export function tooManyMessage({ limit, resetSeconds }: RateLimitState): { message: string } {
  return { message: `Too many requests: at most ${limit} a minute. Try again in ${resetSeconds} s` };
}
