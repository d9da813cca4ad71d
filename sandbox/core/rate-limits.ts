/** The remaining allowance, and when it resets (epoch milliseconds). */
export type Allowance = { isAllowed: boolean; limit: number; remaining: number; resetAt: number };

export type FixedWindows = { take(key: string, limit: number, windowSeconds: number): Allowance; clear(): void };

/** Fixed windows that start with the first call and reset when they end, as X counts. */
export function fixedWindows(now: () => number): FixedWindows {
  const windows = new Map<string, { used: number; resetAt: number }>();
  return {
    take(key, limit, windowSeconds) {
      const stored = windows.get(key);
      const window = stored && stored.resetAt > now() ? stored : { used: 0, resetAt: now() + windowSeconds * 1000 };
      windows.set(key, window);
      const isAllowed = window.used < limit;
      if (isAllowed) window.used += 1;
      return { isAllowed, limit, remaining: limit - window.used, resetAt: window.resetAt };
    },
    clear: () => windows.clear(),
  };
}

export type SlidingWindows = {
  take(key: string, weight: number, limit: number, windowSeconds: number): number;
  clear(): void;
};

/** Sliding windows. `take` returns 0 if the call is allowed, otherwise the seconds until a retry can succeed. */
export function slidingWindows(now: () => number): SlidingWindows {
  const taken = new Map<string, { at: number; weight: number }[]>();
  return {
    take(key, weight, limit, windowSeconds) {
      const recent = (taken.get(key) ?? []).filter((entry) => entry.at > now() - windowSeconds * 1000);
      taken.set(key, recent);
      const used = recent.reduce((sum, entry) => sum + entry.weight, 0);
      const oldest = recent[0];
      if (oldest && used + weight > limit) return Math.max(1, Math.ceil((oldest.at - now()) / 1000 + windowSeconds));
      recent.push({ at: now(), weight });
      return 0;
    },
    clear: () => taken.clear(),
  };
}
