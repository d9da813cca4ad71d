import { inBackground } from "../db";
import { perProcess } from "../db/per-process";
import { env } from "../env";
import { log } from "../log";
import { checkInstallation } from "./check";
import { readMarks, writeToBucket, writeToDataDir } from "./copies";
import { isBehind, type Mark } from "./mark";
import { foldOldCounts, readState, storeCluster } from "./state";

const EVERY_MS = 1_000;
const BUCKET_EVERY_MS = 3_000;
/** A mark is written again after this long even if nothing changed, so that its counts stay comparable. */
const REWRITE_MS = 3_600_000;
const HEARTBEAT_MS = 10_000;

/** The counts that this process knows: the last read ones, and newer ones of its own workers. */
const known = perProcess<{ mark?: Mark; own: Map<string, number> }>("installation.known", () => ({ own: new Map() }));

/**
 * Notes how many final calls a worker of this process has announced, once that is committed. A lower count than before means
 * that the database has lost some, so it is not noted.
 */
export function noteAnnounced(workerId: string, count: number): void {
  known.own.set(workerId, Math.max(count, known.own.get(workerId) ?? 0));
}

/** The counts that this process knows, to compare a database with after the connection was lost. */
export function knownMarks(): Mark[] {
  if (!known.mark) return [];
  const counts = { ...known.mark.counts };
  for (const [worker, count] of known.own) counts[worker] = Math.max(count, counts[worker] ?? 0);
  return [{ ...known.mark, counts }];
}

/** Replaces the last read counts. After a restore was finished, earlier counts say nothing. */
function learn(mark: Mark, copy: Mark): void {
  const isSameEpoch = known.mark?.epoch === mark.epoch;
  for (const [worker, count] of known.own)
    if (!isSameEpoch || count <= (mark.counts[worker] ?? 0)) known.own.delete(worker);
  known.mark = copy;
}

/**
 * Checks the database, and then keeps a copy of its counts outside of it, in `DATA_DIR` and in the bucket. If the database ever
 * has lower counts than this process or a copy, publishing is held. `stop` writes the copies a last time.
 */
export async function watchInstallation(): Promise<{ stop(): Promise<void> }> {
  // Only the start may wait for long. The looks have the limits of requests, so that a loss is noticed soon (OTHERS_NOTICE_MS).
  await inBackground(checkInstallation);
  await inBackground(foldOldCounts);
  const written = { toDataDir: "", toBucket: "", bucketAtMs: 0, atMs: 0, heartbeatAtMs: 0 };
  let running: Promise<void> | undefined;
  let isStopped = false;

  async function look(isLast: boolean): Promise<void> {
    // What is announced while the database is read may be missing in what was read.
    const before = knownMarks();
    const { mark, copy, cluster, storedCluster, heldAt } = await readState();
    if (heldAt) return;
    const isSwitched = cluster.timeline !== storedCluster.timeline;
    if (isSwitched || before.some((one) => isBehind(mark, one))) return checkInstallation(knownMarks());
    learn(mark, copy);
    await write(mark, copy, isLast);
    if (performance.now() - written.heartbeatAtMs < HEARTBEAT_MS) return;
    await storeCluster(cluster);
    written.heartbeatAtMs = performance.now();
  }

  async function write(mark: Mark, copy: Mark, isLast: boolean): Promise<void> {
    const now = performance.now();
    const content = JSON.stringify([copy.epoch, copy.published, copy.counts]);
    const isOld = now - written.atMs > REWRITE_MS;
    const isForBucket = env.s3 !== undefined && (isLast || now - written.bucketAtMs > BUCKET_EVERY_MS);
    const toBucket = isForBucket && (isOld || written.toBucket !== content);
    if (!isOld && written.toDataDir === content && !toBucket) return;
    // The highest mark wins. Another process may have counted on, or the database has lost what the copy knows.
    const copies = await readMarks(copy.installationId, toBucket);
    if (copies.some((one) => isBehind(mark, one))) return checkInstallation(knownMarks());
    await writeToDataDir(copy);
    Object.assign(written, { toDataDir: content, atMs: now });
    if (!toBucket) return;
    await writeToBucket(copy);
    Object.assign(written, { toBucket: content, bucketAtMs: now });
  }

  function run(isLast = false): Promise<void> {
    running ??= look(isLast)
      .catch((error) => log.warn({ error: String(error) }, "the copy of the counts could not be written"))
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  void run();
  const timer = setInterval(() => void run(), EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      if (isStopped) return;
      isStopped = true;
      await running;
      await run(true);
    },
  };
}
