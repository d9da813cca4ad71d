import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { isNull } from "drizzle-orm";
import { db, installation } from "../db";
import { readInstallation } from "../db/installation";
import { env } from "../env";
import { Conflict } from "../errors";
import { type ObjectName, StoreRefused, StoreUnavailable, stage, store } from "../storage";

const RETRY_MS = 30_000;
const nameOf = (storeId: string): ObjectName => `stores/${storeId}`;

/**
 * Returns why the store of this process is not the one of the installation; `unavailable` if it does not answer. The store of
 * the installation contains an object with its ID. The first process writes it; a copy of all files of a store has it too.
 */
export async function storeIdProblem(): Promise<string | undefined> {
  try {
    const storeId = (await readInstallation()).storeId ?? (await createStoreId());
    return (await isInStore(storeId)) ? undefined : otherStore(storeId);
  } catch (error) {
    if (error instanceof StoreUnavailable && !(error instanceof StoreRefused)) return "unavailable";
    if (!env.s3 || !(error instanceof Error)) throw error;
    const reason = error instanceof StoreRefused ? error.reason : error.message || error.name;
    return `S3_BUCKET: the bucket ${env.s3.bucket} at ${env.s3.endpoint} cannot be used: ${reason}`;
  }
}

/**
 * Makes sure that a command works on the store of the installation, if one is named. A store that does not answer is not
 * another one.
 * @throws Conflict
 */
export async function assertStore(): Promise<void> {
  const { storeId } = await readInstallation();
  if (!storeId) return;
  const isHere = await isInStore(storeId).catch(() => true);
  if (!isHere) throw new Conflict(otherStore(storeId));
}

/** Ends the connection that reads the object, because a command ends only when none is open. */
async function isInStore(storeId: string): Promise<boolean> {
  const found = await store.read(nameOf(storeId));
  await found?.stream().cancel();
  return found !== undefined;
}

/** Writes the ID first, so that the row never names an ID that no store has. If another process was faster, its ID counts. */
async function createStoreId(): Promise<string> {
  const created = randomUUID();
  const file = await stage(Readable.from([Buffer.from(`${created}\n`)]), 100);
  await store.put(nameOf(created), file, "text/plain");
  const rows = await db
    .update(installation)
    .set({ storeId: created })
    .where(isNull(installation.storeId))
    .returning({ id: installation.id });
  if (rows.length > 0) return created;
  await store.remove(nameOf(created));
  return (await readInstallation()).storeId ?? created;
}

function otherStore(storeId: string): string {
  const [setting, here] = env.s3
    ? ["S3_BUCKET", `the bucket ${env.s3.bucket} at ${env.s3.endpoint}`]
    : ["DATA_DIR", `${env.dataDir}/objects`];
  const advice = env.s3
    ? "Set the same five S3_* settings on every machine"
    : "With several machines, set the five S3_* settings, or share the folder objects in DATA_DIR";
  return `${setting}: the files of this installation are in another store: ${here} has no object ${nameOf(storeId)}. ${advice}. If you moved the files here without it, run: npm run carillon -- installation accept store`;
}

/** Checks a store that did not answer until it answers. Calls `onProblem` if it turns out to be another one. */
export function watchStoreId(onProblem: (problem: string) => void): void {
  const look = async () => {
    const problem = await storeIdProblem().catch(() => "unavailable");
    if (problem === "unavailable") setTimeout(look, RETRY_MS).unref();
    else if (problem) onProblem(problem);
  };
  setTimeout(look, RETRY_MS).unref();
}
