import { env, isLoopback } from "../env";
import { type Platform, platforms } from "../platforms";
import type { PlatformError } from "./errors";

/** How many publications may run at once: per network in one worker process, per owner in it, and per account everywhere. */
export type Concurrency = { slots: number; perOwner: number; perAccount: number };

/** One at a time per account keeps its posts in the order of their times. */
const USUAL: Concurrency = { slots: 64, perOwner: 32, perAccount: 1 };

/** Returns the network's own concurrency limits, or the default. */
export function concurrencyOf(network: { concurrency?: Concurrency }): Concurrency {
  return network.concurrency ?? USUAL;
}

/** Units used of each bucket, by the bucket's name. */
export type Price = { [bucket: string]: number };

/** The daily quota of a whole application at a network, and what each call costs. */
export type Quota = {
  /** IANA time zone; every bucket resets at midnight there. */
  timeZone: string;
  perDay: Price;
  /** Higher quotas that the network granted to this application. */
  granted: { [bucket: string]: number | undefined };
  /** The first entry that matches a call's method and path; other calls are free. */
  prices: { method: string; path: RegExp; price: Price }[];
  /** Whether an error means that the day's quota is used up. */
  isUsedUp(error: PlatformError): boolean;
  /** The message for the user in that case. */
  message: string;
  /** What the operator of this service can do about it (`PlatformError.fix`). */
  fix: string;
};

/** Reserves quota for a publication that needs several calls, so that it does not run out halfway. */
export type QuotaReservation = {
  /**
   * Reserves this much for the publication and replaces its earlier reservation; its calls use the reservation first.
   * @throws PlatformError `later` or `operator` if the rest of the day's quota is too small
   */
  reserve(price: Price): Promise<void>;
  /** Gives back the unused reservation. */
  release(): Promise<void>;
};

/** For networks without a quota. */
export const unlimitedQuota: QuotaReservation = { reserve: async () => {}, release: async () => {} };

/**
 * Returns the daily limit of each bucket that is counted. A simulated network at a loopback address has its own quota, so
 * there only buckets with a configured limit are counted.
 */
export function dailyLimits({ platform, quota }: { platform: Platform; quota?: Quota }): Price {
  if (!quota) return {};
  const settings = env.networks[platforms[platform]];
  const isItself = settings.mode === "real" && !isLoopback(settings.apiUrl ?? "https://api.invalid");
  const limits = Object.entries(quota.perDay).flatMap(([bucket, usual]) => {
    const most = quota.granted[bucket] ?? (isItself ? usual : undefined);
    return most === undefined ? [] : [[bucket, most] as const];
  });
  return Object.fromEntries(limits);
}

/** Returns what a call costs. */
export function priceOf({ prices }: Quota, path: string, method = "GET"): Price {
  const { pathname } = new URL(path, "https://api.invalid");
  return prices.find((one) => one.method === method && one.path.test(pathname))?.price ?? {};
}

/** Returns the date in a time zone as YYYY-MM-DD. */
export function dateIn(timeZone: string, now = new Date()): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
}

const DAY = 86_400;

/** Returns the seconds until midnight in a time zone, also correct on days of 23 and 25 hours. */
export function untilMidnight(timeZone: string, now = new Date()): number {
  const left = DAY - clockIn(timeZone, now);
  // If the clock changes before midnight, the first estimate is off by that hour; `beyond` measures the error.
  const beyond = clockIn(timeZone, new Date(now.getTime() + left * 1000));
  return left - (beyond > DAY / 2 ? beyond - DAY : beyond);
}

/** Returns the seconds since midnight that the clock shows in a time zone. */
function clockIn(timeZone: string, now: Date): number {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium" }).format(now);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}
