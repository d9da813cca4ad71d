import { and, eq, lt, sql } from "drizzle-orm";
import { db, posts, publications, schedules } from "../db";
import { type Filters, filterCondition, findSchedules, newestFirst, type Schedule } from "./read";

/** How many schedules are looked up at once, and how many are read at once at most. */
const LOOK_UP = 500;
const READ = 100;
/** The texts that are read at once: a schedule has up to 1 MB, and 100 of them would be 100 MB. */
const READ_BYTES = 1_048_576;

/**
 * Yields all of an owner's schedules, newest first, a few at a time, for exports. It holds no transaction open: a schedule that
 * is changed or deleted during the export is shown as it is when its turn comes, and one that is added meanwhile is left out.
 */
export async function* readAllSchedules(ownerId: string, filters: Filters = {}): AsyncGenerator<Schedule[]> {
  let before: number | undefined;
  do {
    const found = await lookUp(ownerId, filters, before);
    for (const ids of shortGroups(found)) {
      const items = await findSchedules(ownerId, ids);
      if (items.length > 0) yield items.toSorted((a, b) => b.id - a.id);
    }
    before = found.length === LOOK_UP ? found.at(-1)?.id : undefined;
  } while (before !== undefined);
}

type Measured = { id: number; bytes: number };

/** Returns the ids of the next schedules with the length of their texts, which the database knows without reading them. */
async function lookUp(ownerId: string, filters: Filters, before: number | undefined): Promise<Measured[]> {
  const meant = await filterCondition(ownerId, filters);
  if (!meant) return [];
  const bytes = db
    .select({ sum: sql`sum(octet_length(${posts.content}))` })
    .from(publications)
    .innerJoin(posts, eq(posts.publicationId, publications.id))
    .where(eq(publications.scheduleId, schedules.id));
  return db
    .select({ id: schedules.id, bytes: sql<number>`coalesce((${bytes}), 0)::float8` })
    .from(schedules)
    .where(and(meant, before === undefined ? undefined : lt(schedules.id, before)))
    .orderBy(...newestFirst(filters))
    .limit(LOOK_UP);
}

/** Divides schedules into groups, in order. A group is longer than `READ_BYTES` only if it is a single schedule. */
function shortGroups(found: Measured[]): number[][] {
  const groups: number[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const { id, bytes } of found) {
    length += bytes;
    const group = groups.at(-1);
    if (group && length <= READ_BYTES && group.length < READ) group.push(id);
    else {
      groups.push([id]);
      length = bytes;
    }
  }
  return groups;
}
