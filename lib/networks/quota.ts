import { env, isLoopback } from "../env";
import { platforms } from "../platforms";
import type { PlatformError } from "./errors";
import type { Network } from "./network";

/** So much of each bucket, by its name. */
export type Price = { [bucket: string]: number };

/** What a network lets a whole application do within a day, whoever it is done for, and what each call takes of it. */
export type Quota = {
  /** An IANA name; midnight there makes every bucket whole again. */
  timeZone: string;
  perDay: Price;
  /** What this application was granted instead. */
  granted: { [bucket: string]: number | undefined };
  /** The first that fits a call's method and path; other calls take nothing. */
  prices: { method: string; path: RegExp; price: Price }[];
  /** The network's own word that the day's is used up. */
  isUsedUp(error: PlatformError): boolean;
  /** The same in a sentence for a person. */
  says: string;
};

/** A part of the day's quota that is kept for what has to be done in one go, so that it does not end half-way. */
export type Share = {
  /**
   * Keeps so much for this publication, in place of what was kept for it before; its calls take of that first.
   * @throws PlatformError `later` where the rest of the day does not reach
   */
  reserve(price: Price): Promise<void>;
  /** Gives back what was not needed. */
  release(): Promise<void>;
};

/** Where nothing is counted. */
export const unlimited: Share = { reserve: async () => {}, release: async () => {} };

/**
 * What may be used in a day, by bucket; what is not in it is not counted. Whatever stands in for the network at a loopback
 * address has an allowance of its own, so there only what was set is counted.
 */
export function dailyLimits({ platform, quota }: Pick<Network, "platform" | "quota">): Price {
  if (!quota) return {};
  const settings = env.networks[platforms[platform]];
  const isItself = settings.mode === "real" && !isLoopback(settings.apiUrl ?? "https://api.invalid");
  const limits = Object.entries(quota.perDay).flatMap(([bucket, usual]) => {
    const most = quota.granted[bucket] ?? (isItself ? usual : undefined);
    return most === undefined ? [] : [[bucket, most] as const];
  });
  return Object.fromEntries(limits);
}

/** What a call takes. */
export function priceOf({ prices }: Quota, path: string, method = "GET"): Price {
  const { pathname } = new URL(path, "https://api.invalid");
  return prices.find((one) => one.method === method && one.path.test(pathname))?.price ?? {};
}

/** The date there, as YYYY-MM-DD. */
export function dateIn(timeZone: string, now = new Date()): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone }).format(now);
}

const DAY = 86_400;

/** Seconds until it is midnight there, on the two days of 23 and 25 hours as well. */
export function untilMidnight(timeZone: string, now = new Date()): number {
  const left = DAY - clockIn(timeZone, now);
  // Where the clock is put forward or back until then, the guess is as much beyond midnight or short of it.
  const beyond = clockIn(timeZone, new Date(now.getTime() + left * 1000));
  return left - (beyond > DAY / 2 ? beyond - DAY : beyond);
}

/** What the clock shows there, in seconds since midnight. */
function clockIn(timeZone: string, now: Date): number {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium" }).format(now);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}
