import { log } from "../log";
import { dailyLimits, type Network, PlatformError, priceOf, type Session, untilMidnight } from "../networks";
import { close, type Day, giveUp, keep, type Shortage, spend, todayAt } from "./quota-count";

/** The network's clock need not be ours. */
const MARGIN_SECONDS = 60;
/** What waited for the new day does not all begin in its first second. */
const SPREAD_SECONDS = 300;
/** How long to wait for what is kept for others, and may not be needed. */
const KEPT_SECONDS = 300;

/**
 * A session whose calls are counted before they are sent, over all processes, where the network has a daily quota; one that
 * the rest of the day does not reach for is not sent. The network's own word that the quota is used up closes the day.
 * @param holder a publication, for which a share can be kept
 */
export function counted(session: Session, network: Network, holder?: string): Session {
  const { quota } = network;
  const limits = dailyLimits(network);
  if (!quota || Object.keys(limits).length === 0) return session;
  return {
    ...session,
    async fetch(path, call) {
      const price = priceOf(quota, path, call?.method);
      if (!Object.keys(price).some((bucket) => bucket in limits)) return session.fetch(path, call);
      const day = await todayAt(network);
      const shortage = await spend(day, price, holder);
      if (shortage) throw refusal(network, day, shortage);
      try {
        return await session.fetch(path, call);
      } catch (error) {
        if (error instanceof PlatformError && quota.isUsedUp(error)) {
          warn(network, day, Object.keys(price).join(", "), "the network says that the day's quota is used up");
          await close(day, price);
        }
        throw error;
      }
    },
    quota: holder
      ? {
          async reserve(price) {
            const day = await todayAt(network);
            const shortage = await keep(day, price, holder);
            if (shortage) throw refusal(network, day, shortage);
          },
          release: () => giveUp(network, holder),
        }
      : session.quota,
  };
}

/** Waiting uses up no attempt, and passes by the network's clock. */
function refusal(network: Network, day: Day, { bucket, isOver }: Shortage): PlatformError {
  if (!isOver) {
    const says = `What is left of today's quota at ${network.name} is kept for posts that are on their way`;
    return new PlatformError("later", says, { retryAfterSeconds: KEPT_SECONDS });
  }
  warn(network, day, bucket, "the day's quota is used up, so calls wait for the next day");
  const midnight = untilMidnight(network.quota?.timeZone ?? "UTC", day.now);
  const retryAfterSeconds = midnight + MARGIN_SECONDS + Math.random() * SPREAD_SECONDS;
  return new PlatformError("later", network.quota?.says ?? "", { retryAfterSeconds, isTold: true });
}

const warned = new Set<string>();

/** Once a day in each process, however many calls wait. */
function warn({ platform }: Network, { date, limits }: Day, bucket: string, says: string): void {
  const key = [platform, bucket, says, date].join(" ");
  if (warned.has(key)) return;
  warned.add(key);
  log.warn({ platform, bucket, day: date, perDay: limits[bucket] }, says);
}
