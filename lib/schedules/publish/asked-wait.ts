import { env } from "../../env";
import type { PlatformError } from "../../networks";

/**
 * For how many seconds an error asks to be waited; undefined where it names none. A time that the network named passes by the
 * network's clock; one that we chose is divided by `TIME_FACTOR`, as every wait of ours, here and nowhere else.
 */
export function askedWait({
  retryAfterSeconds,
  isTold,
}: Pick<PlatformError, "retryAfterSeconds" | "isTold">): number | undefined {
  return retryAfterSeconds === undefined || isTold ? retryAfterSeconds : retryAfterSeconds / env.timeFactor;
}
