import { and, eq, gt, gte, isNull, or, sql } from "drizzle-orm";
import { db, networkHealth } from "../../db";
import { env } from "../../env";
import { PlatformError, type Session } from "../../networks";
import type { Platform } from "../../platforms";

/** So many faults in a row, over all workers, close a network to new work. */
const MOST_FAULTS = 10;
const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 600;
/** From here on a network that came back is as good as any. */
const WELL_AT = 32;

/** The networks in trouble, as this process last heard; only they are told of a success. */
let troubled = new Set<Platform>();

export async function readHealth(): Promise<void> {
  const rows = await db.select({ platform: networkHealth.platform }).from(networkHealth);
  troubled = new Set(rows.map(({ platform }) => platform));
}

/** A session that tells how the network does: silence and 5xx are faults, any other answer shows that it is there. */
export function watched(session: Session, platform: Platform): Session {
  const watching =
    (fetch: Session["fetch"]): Session["fetch"] =>
    async (path, call) => {
      try {
        const answer = await fetch(path, call);
        await noteAnswer(platform);
        return answer;
      } catch (error) {
        if (error instanceof PlatformError) await (isFault(error) ? noteFault(platform) : noteAnswer(platform));
        throw error;
      }
    };
  return { ...session, fetch: watching(session.fetch), app: { ...session.app, fetch: watching(session.app.fetch) } };
}

/** Not what a network's table makes of an answer: whether it answered like a network that works. */
function isFault({ answer }: PlatformError): boolean {
  return answer !== undefined && (answer.status === 0 || answer.status >= 500);
}

/** The fault that is one too many closes the network for a while, each time for longer; so does one while it is tried out. */
export async function noteFault(platform: Platform): Promise<void> {
  troubled.add(platform);
  const { consecutiveFailures: faults, closures, closedUntil, allowance } = networkHealth;
  const closes = sql`(${allowance} is not null or ${faults} + 1 >= ${MOST_FAULTS}) and coalesce(${closedUntil} < now(), true)`;
  const pause = sql`least(${FIRST_PAUSE_SECONDS} * 2 ^ least(${closures}, 20), ${LONGEST_PAUSE_SECONDS})::double precision / ${env.timeFactor}::double precision`;
  await quietly(
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

/** A network that answers is well again, or, after it had been closed, may have twice as much at a time. */
export async function noteAnswer(platform: Platform): Promise<void> {
  if (!troubled.has(platform)) return;
  const { closedUntil, allowance } = networkHealth;
  const isOpen = and(eq(networkHealth.platform, platform), sql`coalesce(${closedUntil} < now(), true)`);
  await quietly(
    (async () => {
      const well = await db
        .delete(networkHealth)
        .where(and(isOpen, or(isNull(allowance), gte(allowance, WELL_AT))))
        .returning({ platform: networkHealth.platform });
      if (well.length > 0) troubled.delete(platform);
      else
        await db
          .update(networkHealth)
          .set({ consecutiveFailures: 0, allowance: sql`${allowance} * 2` })
          .where(and(isOpen, gt(allowance, 0)));
    })(),
  );
}

/** What is noted about a network must never change what becomes of a call that was made. */
async function quietly(noting: PromiseLike<unknown>): Promise<void> {
  try {
    await noting;
  } catch {
    // The database is away: the call's own record finds that out.
  }
}
