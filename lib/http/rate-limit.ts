import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { db, isDatabaseOpen, rateLimits } from "../db";
import { perProcess } from "../db/per-process";
import { statement, value } from "../db/statement";
import { log } from "../log";

/**
 * Limits per minute that hold over all web processes. Each process counts in its memory. It adds what it counted to a row of
 * the database, which returns what all processes counted, and it never has more than a share of the limit that it has not
 * reported. While less than half of the share is used, a request costs no statement. Then a report is sent, which the request
 * does not wait for. A request waits for a report only if the whole share is used. With a share of 0, each request waits, and
 * the limit is exact. ADR 35 explains why.
 */

/** The state of a limit after a request was counted. */
export type RateLimitState = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

type Window = {
  endsAt: number;
  /** The requests of all processes that this one knows of. */
  known: number;
  /** The requests of this process in the report that was sent and not answered. */
  reporting: number;
  /** The requests of this process for the next report. */
  batch: Batch;
  lastReport?: Promise<number>;
};

/** Requests that are reported together. `before` is the number of requests that all processes counted before these. */
type Batch = { count: number; before?: Promise<number> };

const WINDOW_SECONDS = 60;
/** Maximum number of counted callers. Beyond it, the oldest windows are dropped first. */
const MAX_KEYS = 100_000;
/** The part of a limit that a process may have counted without the others knowing. */
const SHARE = 1 / 16;
/** How long a request waits for the count of all processes. After that, the count of this process decides. */
const LONGEST_WAIT_MS = 200;
/** For how long nothing is reported after the database did not answer in time. */
const PAUSE_MS = 1_000;

/** Adds requests to a window of all processes. If that window is over, the window of this process becomes the next one. */
const addRequests = statement<{ key: Buffer; count: number; leftMs: number }, { used: number; left_ms: number }>(
  "add_requests",
  sql`
    insert into ${rateLimits} as r (key, used, ends_at)
    values (${value("key", "bytea")}, ${value("count", "int")},
      clock_timestamp() + make_interval(secs => ${value("leftMs", "float8")} / 1000))
    on conflict (key) do update set
      used = case when r.ends_at <= clock_timestamp() then excluded.used else r.used + excluded.used end,
      ends_at = case when r.ends_at <= clock_timestamp() then excluded.ends_at else r.ends_at end
    returning used, (extract(epoch from ends_at - clock_timestamp()) * 1000)::float8 as left_ms`,
);

/**
 * Creates the counters of one process. The process has one (`countRequest`); a test can have several.
 * @param longestWaitMs see `LONGEST_WAIT_MS`; a test of the counts waits longer, because the machine may be busy
 */
export function rateLimiter(longestWaitMs = LONGEST_WAIT_MS) {
  const policies = new Map<string, Map<string, Window>>();
  let pausedUntil = 0;

  function windowOf(policy: string, key: string, now: number): Window {
    const windows = policies.get(policy) ?? new Map<string, Window>();
    policies.set(policy, windows);
    const current = windows.get(key);
    if (current && current.endsAt > now) return current;
    windows.delete(key); // so that it is added at the end: the map is ordered by the end of the windows
    const window = { endsAt: now + WINDOW_SECONDS * 1000, known: 0, reporting: 0, batch: { count: 0 } };
    windows.set(key, window);
    dropOldWindows(windows, now);
    return window;
  }

  /**
   * Counts a request of this key against a limit per minute of all processes. The minute begins with the key's first request.
   * Several processes may together allow a sixteenth of the limit more for each process after the first.
   * @param isExact no request more than the limit is allowed, so each one that is allowed waits for the database
   */
  async function countRequest(policy: string, key: string, limit: number, isExact = false): Promise<RateLimitState> {
    const now = Date.now();
    const window = windowOf(policy, key, now);
    const { batch, known, reporting } = window;
    if (known + reporting + batch.count >= limit) return stateOf(window, limit, limit + 1, now);
    const place = ++batch.count;
    const share = isExact ? 0 : Math.floor(limit * SHARE);
    const mustWait = reporting + place > share && performance.now() >= pausedUntil;
    if (!mustWait && place * 2 < share) return stateOf(window, limit, known + reporting + place, now);
    batch.before ??= window.lastReport = report(window, hashOf(policy, key));
    const before = mustWait ? await inTime(batch.before) : undefined;
    return stateOf(window, limit, (before ?? known + reporting) + place);
  }

  /** Sends the next batch after the previous report was answered. Returns what all processes counted before it. Never fails. */
  async function report(window: Window, key: Buffer): Promise<number> {
    await window.lastReport;
    const { batch, known } = window;
    window.batch = { count: 0 };
    window.reporting = batch.count;
    const sentAt = Date.now();
    const answer = await add({ key, count: batch.count, leftMs: window.endsAt - sentAt });
    window.reporting = 0;
    window.known = Math.max(known + batch.count, answer?.used ?? 0);
    if (answer) window.endsAt = sentAt + answer.left_ms;
    return window.known - batch.count;
  }

  async function add(values: { key: Buffer; count: number; leftMs: number }) {
    if (!isDatabaseOpen() || performance.now() < pausedUntil || values.leftMs <= 0) return undefined;
    try {
      const [row] = await addRequests(db, values);
      return row;
    } catch (error) {
      pause(String(error));
      return undefined;
    }
  }

  async function inTime(before: Promise<number>): Promise<number | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => {
        pause("it did not answer in time");
        resolve(undefined);
      }, longestWaitMs);
    });
    return Promise.race([before, late]).finally(() => clearTimeout(timer));
  }

  function pause(reason: string): void {
    if (countHere("pause", "", 1).allowed) log.warn({ reason }, "rate limits count only this process for now");
    pausedUntil = performance.now() + PAUSE_MS;
  }

  /** Counts a request of this key in this process only: for limits on what one process does, such as its log lines. */
  function countHere(policy: string, key: string, limit: number, now = Date.now()): RateLimitState {
    const window = windowOf(policy, key, now);
    window.known++;
    return stateOf(window, limit, window.known, now);
  }

  return { countRequest, countHere };
}

export const { countRequest, countHere } = perProcess("rate limits", () => rateLimiter());

/** @param place how many requests were counted in this window, this one included */
function stateOf({ endsAt }: Window, limit: number, place: number, now = Date.now()): RateLimitState {
  const resetSeconds = Math.max(1, Math.ceil((endsAt - now) / 1000));
  return { allowed: place <= limit, limit, remaining: Math.max(0, limit - place), resetSeconds };
}

/** Keys contain addresses and names, which are not stored. */
export function hashOf(policy: string, key: string): Buffer {
  return createHash("sha256").update(`${policy}\0${key}`).digest().subarray(0, 16);
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
