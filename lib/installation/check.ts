import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "../db";
import { holdPublishing, readInstallation } from "../db/installation";
import { log } from "../log";
import { instantInWords } from "../time/instant";
import { hasForeignMarks, readMarks } from "./copies";
import { isBehind, isEqual, type Mark } from "./mark";
import { readCluster, readState, type State, storeCluster } from "./state";

const MOVED =
  "The database was moved to another PostgreSQL server, and no copy of its counts shows that nothing was lost on the way";
const SWITCHED = "PostgreSQL was restored or failed over, and no copy of the counts shows that nothing was lost";
const WITHOUT_COUNTS = "The database is older than the release that wrote the counts beside it, so it was restored";

/**
 * Returns why this database may not know about all publications that were sent; undefined if it knows about all of them.
 * ADR 34 has the table of cases.
 * @param marks the copies of the counts that could be read
 */
export function problemOf({ mark, storedCluster, cluster }: State, marks: Mark[]): string | undefined {
  const ahead = marks.find((one) => isBehind(mark, one));
  if (ahead) {
    const known = `it knows ${mark.published} calls that made a post public, and ${ahead.published} had been made by ${instantInWords(new Date(ahead.at))}`;
    return ahead.epoch > mark.epoch
      ? "The database is from before the last restore"
      : `The database went back in time: ${known}`;
  }
  if (hasMoved(storedCluster.systemIdentifier, cluster.systemIdentifier))
    return marks.some((one) => isEqual(mark, one)) ? undefined : MOVED;
  const isSwitched = storedCluster.timeline !== null && storedCluster.timeline !== cluster.timeline;
  return isSwitched && marks.length === 0 ? SWITCHED : undefined;
}

/** How long other processes have to notice that the database went back, after a failover. They look every second. */
const OTHERS_NOTICE_MS = 5_000;

/** Two identifiers of different kinds cannot be compared: the role may have gained or lost the right to read them. */
function hasMoved(stored: string | null, now: string): boolean {
  return stored !== null && stored.startsWith("oid:") === now.startsWith("oid:") && stored !== now;
}

/**
 * Compares the database with the copies of its counts, and holds publishing if it may have lost some. Every process calls this
 * before it starts, and again after it lost its connection to the database.
 * @param more counts that this process knows by itself
 */
export async function checkInstallation(more: Mark[] = []): Promise<void> {
  const { installationId, timeline } = await readInstallation();
  if (timeline !== null && timeline !== (await readCluster()).timeline) await sleep(OTHERS_NOTICE_MS);
  // The copies are read before the database, because other processes count on.
  const marks = [...(await readMarks(installationId)), ...more];
  const state = await readState();
  const { mark, storedCluster, cluster, heldAt, heartbeatAt } = state;
  if (heldAt) return;
  const problem =
    problemOf(state, marks) ?? (storedCluster.systemIdentifier === null ? await problemOfFirstCheck(mark) : undefined);
  if (problem) {
    await holdPublishing(problem, heartbeatAt === null ? undefined : new Date(heartbeatAt));
    log.error({ reason: problem }, "publishing is held; run restore finish --taken-at T");
  } else await storeCluster(cluster);
}

/** A backup from a release without counts has none of its own, but the place that it is restored to has. */
async function problemOfFirstCheck({ installationId }: Mark): Promise<string | undefined> {
  const { rows } = await db.execute<{ used: boolean }>(sql`select exists (select from publish_steps) as used`);
  return rows[0]?.used && (await hasForeignMarks(installationId)) ? WITHOUT_COUNTS : undefined;
}
