import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { db } from "../db";
import { holdPublishing, readInstallation, renewHold } from "../db/installation";
import { log } from "../log";
import { instantInWords } from "../time/instant";
import { hasForeignMarks, readMarks } from "./copies";
import { advanceBeyond } from "./finish";
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
  const loss = lossOf(mark, marks);
  if (loss) return loss;
  if (hasMoved(storedCluster.systemIdentifier, cluster.systemIdentifier))
    return marks.some((one) => isEqual(mark, one)) ? undefined : MOVED;
  const isSwitched = storedCluster.timeline !== null && storedCluster.timeline !== cluster.timeline;
  return isSwitched && marks.length === 0 ? SWITCHED : undefined;
}

function lossOf(mark: Mark, marks: Mark[]): string | undefined {
  const ahead = marks.find((one) => isBehind(mark, one));
  if (!ahead) return undefined;
  if (ahead.epoch > mark.epoch) return "The database is from before the last restore";
  const known = `it knows ${mark.published} calls that made a post public, and ${ahead.published} had been made by ${instantInWords(new Date(ahead.at))}`;
  return `The database went back in time: ${known}`;
}

/**
 * How long other processes have to notice that the database went back, after a failover. They look every second, and they may
 * try to connect only every four seconds (lib/db/gate.ts).
 */
const OTHERS_NOTICE_MS = 8_000;

/** Two identifiers of different kinds cannot be compared: the role may have gained or lost the right to read them. */
function hasMoved(stored: string | null, now: string): boolean {
  return stored !== null && stored.startsWith("oid:") === now.startsWith("oid:") && stored !== now;
}

/**
 * Compares the database with the copies of its counts, and holds publishing if it may have lost some. Every process calls this
 * before it starts, and again after it lost its connection to the database.
 * @param more counts that this process knows by itself
 */
export async function checkInstallation(more: Mark[] = [], othersNoticeMs = OTHERS_NOTICE_MS): Promise<void> {
  const { installationId, timeline } = await readInstallation();
  // The copies are read before the database, because other processes count on.
  const read = async () => {
    const marks = [...(await readMarks(installationId)), ...more];
    return { marks, state: await readState() };
  };
  if (timeline !== null && timeline !== (await readCluster()).timeline) {
    // A loss that this process knows about stops the others, which may be about to go on.
    const { marks, state } = await read();
    const loss = lossOf(state.mark, marks);
    if (loss) return hold(loss, state, marks);
    // A process that has no copy leaves the decision to those that have one.
    await sleep(marks.length > 0 ? othersNoticeMs : 2 * othersNoticeMs);
  }
  const { marks, state } = await read();
  if (state.heldAt) {
    const loss = lossOf(state.mark, marks);
    return loss ? hold(loss, state, marks) : undefined;
  }
  const isFirst = state.storedCluster.systemIdentifier === null;
  const problem = problemOf(state, marks) ?? (isFirst ? await problemOfFirstCheck(state.mark) : undefined);
  if (problem) await hold(problem, state, marks);
  else await storeCluster(state.cluster);
}

async function hold(reason: string, { mark, heldAt, heartbeatAt }: State, marks: Mark[]): Promise<void> {
  // A copy from after the hold, which knows more calls: the hold had ended, and it returned with the rows of a backup.
  const hasEnded = marks.some((one) => isBehind(mark, one) && Date.parse(one.at) > Date.parse(heldAt ?? ""));
  if (heldAt && !hasEnded) return;
  const sincePoint = heartbeatAt === null ? undefined : new Date(heartbeatAt);
  // People go on writing posts while publishing is held. Both or neither, because no later check repeats only one of them.
  await db.transaction(async (tx) => {
    await (heldAt ? renewHold : holdPublishing)(reason, sincePoint, tx);
    await advanceBeyond(mark, marks, tx);
  });
  log.error({ reason }, "publishing is held; run restore finish --taken-at T");
}

/** A backup from a release without counts has none of its own, but the place that it is restored to has. */
async function problemOfFirstCheck({ installationId }: Mark): Promise<string | undefined> {
  const { rows } = await db.execute<{ used: boolean }>(sql`select exists (select from publish_steps) as used`);
  return rows[0]?.used && (await hasForeignMarks(installationId)) ? WITHOUT_COUNTS : undefined;
}
