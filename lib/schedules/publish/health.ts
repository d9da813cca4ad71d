import { and, eq, gt, gte, isNull, or, sql } from "drizzle-orm";
import { db, networkHealth } from "../../db";
import { env } from "../../env";
import { type NetworkSession, PlatformError } from "../../networks";
import type { Platform } from "../../platforms";

/** This many consecutive failures, over all workers, close a network to new publications. */
const MAX_FAILURES = 10;
const FIRST_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 600;
/** A network that recovers may run twice as many publications each time; from this number on it counts as healthy. */
const HEALTHY_ALLOWANCE = 32;

/** The networks in trouble, as this process last read them. Successful calls are recorded only for these. */
let unhealthy = new Set<Platform>();

export async function readHealth(): Promise<void> {
  const rows = await db.select({ platform: networkHealth.platform }).from(networkHealth);
  unhealthy = new Set(rows.map(({ platform }) => platform));
}

/** Wraps a session to record the network's health: no answer and 5xx are failures, and any other answer is a success. */
export function withHealthTracking(session: NetworkSession, platform: Platform): NetworkSession {
  const watching =
    (fetch: NetworkSession["fetch"]): NetworkSession["fetch"] =>
    async (path, call) => {
      try {
        const answer = await fetch(path, call);
        await recordNetworkAnswer(platform);
        return answer;
      } catch (error) {
        if (error instanceof PlatformError)
          await (isNetworkFailure(error) ? recordNetworkFailure(platform) : recordNetworkAnswer(platform));
        throw error;
      }
    };
  return { ...session, fetch: watching(session.fetch), app: { ...session.app, fetch: watching(session.app.fetch) } };
}

/** Judges the status alone, not the meaning that the network's error table gives it. */
function isNetworkFailure({ answer }: PlatformError): boolean {
  return answer !== undefined && (answer.status === 0 || answer.status >= 500);
}

/**
 * Records a failed call. Too many in a row close the network for a while, and each closure lasts longer than the one before.
 * While the network recovers from a closure, one failure closes it again.
 */
export async function recordNetworkFailure(platform: Platform): Promise<void> {
  unhealthy.add(platform);
  const { consecutiveFailures: faults, closures, closedUntil, allowance } = networkHealth;
  const closes = sql`(${allowance} is not null or ${faults} + 1 >= ${MAX_FAILURES}) and coalesce(${closedUntil} < now(), true)`;
  const pause = sql`least(${FIRST_PAUSE_SECONDS} * 2 ^ least(${closures}, 20), ${MAX_PAUSE_SECONDS})::double precision / ${env.timeFactor}::double precision`;
  await ignoreErrors(
    db
      .insert(networkHealth)
      .values({ platform, consecutiveFailures: 1 })
      .onConflictDoUpdate({
        target: networkHealth.platform,
        set: {
          consecutiveFailures: sql`${faults} + 1`,
          closures: sql`${closures} + case when ${closes} then 1 else 0 end`,
          closedUntil: sql`case when ${closes} then clock_timestamp() + make_interval(secs => ${pause}) else ${closedUntil} end`,
          allowance: sql`case when ${closes} then 1 else ${allowance} end`,
        },
      }),
  );
}

/** Records an answered call: the network is healthy again or, after a closure, may run twice as many publications at once. */
export async function recordNetworkAnswer(platform: Platform): Promise<void> {
  if (!unhealthy.has(platform)) return;
  const { closedUntil, allowance } = networkHealth;
  const isOpen = and(eq(networkHealth.platform, platform), sql`coalesce(${closedUntil} < now(), true)`);
  await ignoreErrors(
    (async () => {
      const well = await db
        .delete(networkHealth)
        .where(and(isOpen, or(isNull(allowance), gte(allowance, HEALTHY_ALLOWANCE))))
        .returning({ platform: networkHealth.platform });
      if (well.length > 0) unhealthy.delete(platform);
      else
        await db
          .update(networkHealth)
          .set({ consecutiveFailures: 0, allowance: sql`${allowance} * 2` })
          .where(and(isOpen, gt(allowance, 0)));
    })(),
  );
}

/** Recording a network's health must never change the result of the call itself. */
async function ignoreErrors(noting: PromiseLike<unknown>): Promise<void> {
  try {
    await noting;
  } catch {
    // The database is unavailable; recording the call's own result reports that.
  }
}
