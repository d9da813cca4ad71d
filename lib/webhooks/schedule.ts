/** Seconds to wait after the first failed attempt, the second, and so on; then it is given up. */
const DELAYS_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** So that many that failed at once do not come back at once. */
const JITTER = 0.1;

/**
 * How long to wait before a delivery is sent again, in seconds; undefined where it is given up.
 * @param failures attempts that have failed, the last one included
 * @param askedSeconds what the endpoint asked for (`Retry-After`), which is never cut short
 */
export function waitSeconds(
  failures: number,
  { timeFactor, askedSeconds = 0 }: { timeFactor: number; askedSeconds?: number },
  random = Math.random(),
): number | undefined {
  const delay = DELAYS_SECONDS[failures - 1];
  if (delay === undefined) return undefined;
  return Math.max(askedSeconds, (delay * (1 - JITTER + 2 * JITTER * random)) / timeFactor);
}
