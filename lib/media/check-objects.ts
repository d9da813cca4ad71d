import { eq, sql } from "drizzle-orm";
import { databaseNow, db, dedicatedConnection, media, mediaConversions } from "../db";
import { type ListedObject, type ObjectName, store } from "../storage";
import { isReferenced, type ObjectReference, objectReferences } from "./references";

/** An object without a row may belong to a file that is being stored. That takes far less (ORPHAN_SECONDS). */
const YOUNG_MS = 24 * 3_600_000;
const BATCH = 1_000;

export type ObjectProblem = {
  name: ObjectName;
  /** `missing`: the store does not have it. `damaged`: it has another size. `orphaned`: nothing refers to it. */
  problem: "missing" | "damaged" | "orphaned";
};

/** An object by its references, by the list of the store, or by both. */
type Compared = { name: ObjectName; reference?: ObjectReference; found?: ListedObject };

/** Pairs references, which must be in the order of their names, with the objects in the store, with constant memory. */
export async function* compareWithStore(references: AsyncGenerator<ObjectReference>): AsyncGenerator<Compared> {
  const stored = listStored();
  const next = async <T>(list: AsyncGenerator<T>): Promise<T | undefined> => (await list.next()).value ?? undefined;
  try {
    let [reference, found] = [await next(references), await next(stored)];
    while (reference || found) {
      const name = first(reference?.name, found?.name);
      const pair = [
        reference?.name === name ? reference : undefined,
        found?.name === name ? found : undefined,
      ] as const;
      yield { name, reference: pair[0], found: pair[1] };
      if (pair[0]) reference = await next(references);
      if (pair[1]) found = await next(stored);
    }
  } finally {
    await Promise.all([references.return(undefined), stored.return(undefined)]);
  }
}

/** Returns the one that comes first. At least one of them is given. */
function first(one: ObjectName | undefined, other: ObjectName | undefined): ObjectName {
  const [name] = [one, other].filter((given) => given !== undefined).toSorted();
  if (name === undefined) throw new Error("there is no name to compare");
  return name;
}

async function* listStored(): AsyncGenerator<ListedObject> {
  yield* store.list("objects");
  yield* store.list("thumbnails");
}

type Options = {
  /** Removes orphaned objects, and marks media whose object is missing or damaged. */
  repair: boolean;
  onProblem(problem: ObjectProblem): void;
  say(text: string): void;
};

/**
 * Compares the objects that the database refers to with those in the store. Everything may change meanwhile, so each problem is
 * looked at once more before it counts.
 * @returns the number of objects compared
 */
export async function checkObjects({ repair, onProblem, say }: Options): Promise<number> {
  const oldest = new Date((await databaseNow()).getTime() - YOUNG_MS);
  let compared = 0;
  for await (const pair of compareWithStore(listReferences())) {
    compared += 1;
    say(`${compared} files`);
    const problem = await problemOf(pair, oldest);
    if (problem) onProblem({ name: pair.name, problem });
    if (!repair) continue;
    if (problem === "orphaned") await store.remove(pair.name);
    else if (problem) await markLost(pair.name);
  }
  if (repair) await unmarkFound();
  return compared;
}

async function* listReferences(): AsyncGenerator<ObjectReference> {
  const client = await dedicatedConnection("objects check");
  try {
    await client.query("begin read only");
    await client.query(`declare referenced no scroll cursor for ${objectReferences.query}`);
    for (;;) {
      const { rows } = await client.query(`fetch ${BATCH} from referenced`);
      if (rows.length === 0) return;
      for (const { name, size_bytes: size, content_type: contentType } of rows) {
        yield { name, sizeBytes: size === null ? undefined : Number(size), contentType };
      }
    }
  } finally {
    await client.end();
  }
}

async function problemOf(
  { name, reference, found }: Compared,
  oldest: Date,
): Promise<ObjectProblem["problem"] | undefined> {
  const isWhole = (sizeBytes: number) => reference?.sizeBytes === undefined || sizeBytes === reference.sizeBytes;
  if (reference) {
    if (found && isWhole(found.sizeBytes)) return undefined;
    const now = await sizeOf(name);
    if ((now !== undefined && isWhole(now)) || !(await isReferenced(name))) return undefined;
    return now === undefined ? "missing" : "damaged";
  }
  const isOld = found !== undefined && found.writtenAt < oldest;
  return isOld && !(await isReferenced(name)) ? "orphaned" : undefined;
}

async function sizeOf(name: ObjectName): Promise<number | undefined> {
  const object = await store.read(name);
  await object?.stream().cancel();
  return object?.sizeBytes;
}

const LOST = sql`'{"isLost": true}'::jsonb`;

/** A medium stays in the library, but posts that use it fail with the reason. A conversion is made again when it is needed. */
async function markLost(name: ObjectName): Promise<void> {
  const [area, id = ""] = name.split("/");
  if (area === "thumbnails") {
    await db
      .update(media)
      .set({ details: sql`${media.details} - 'hasThumbnail'` })
      .where(eq(media.id, id));
    return;
  }
  await db
    .update(media)
    .set({ details: sql`${media.details} || ${LOST}` })
    .where(eq(media.id, id));
  const made = await db
    .delete(mediaConversions)
    .where(eq(mediaConversions.id, id))
    .returning({ id: mediaConversions.id });
  if (made.length > 0) await store.remove(name);
}

/** Media whose object is back, for example from an earlier version in the bucket, can be used again. */
async function unmarkFound(): Promise<void> {
  const lost = await db
    .select({ id: media.id, sizeBytes: media.sizeBytes })
    .from(media)
    .where(sql`${media.details} @> ${LOST}`);
  for (const { id, sizeBytes } of lost) {
    if ((await sizeOf(`objects/${id}`)) !== sizeBytes) continue;
    await db
      .update(media)
      .set({ details: sql`${media.details} - 'isLost'` })
      .where(eq(media.id, id));
  }
}
