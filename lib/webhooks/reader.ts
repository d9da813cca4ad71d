import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { db, eventReaders, type Tx } from "../db";
import { FIRST_EVENT_READER_LOOP_LOCK } from "../db/locks";
import { statement, value } from "../db/statement";
import type { Loop } from "../jobs";
import { isSettled, moveRestoredEvents, writtenEvent } from "./log";
import type { WrittenEvent } from "./types";

const BATCH = 200;
const EVERY_MS = 200;

/** A part of the service that acts on every event, once. */
export type EventReader = {
  /** The name under which the reader's position is stored. Never change it. */
  name: string;
  /**
   * Handles a batch inside the given transaction, and only through `tx`. Events arrive in log order, without gaps or
   * repeats. If this throws, the same events are passed again.
   */
  handle(tx: Tx, events: WrittenEvent[]): Promise<void>;
};

export function defineReader(reader: EventReader): EventReader {
  return reader;
}

const next = statement<{ xid: string; id: number }, WrittenEvent>(
  "events.next",
  sql`
  select ${writtenEvent} from events e join users u on u.id = e.owner_id
  where (e.xid, e.id) > (${value("xid", "xid8")}, ${value("id", "bigint")}) and ${isSettled}
  order by e.xid, e.id limit ${sql.raw(String(BATCH))}`,
);

/** Most looks find nothing, so they are one statement without a transaction. */
const look = statement<{ name: string }, { hasNext: boolean }>(
  "events.look",
  sql`
  select exists (select from events e where (e.xid, e.id) > (r.xid, r.id) and ${isSettled}) as "hasNext"
  from event_readers r where r.name = ${value("name", "text")}`,
);

/** Passes the next batch of unread events to a reader. Returns the number of events. */
export async function readNextBatch({ name, handle }: EventReader): Promise<number> {
  const [reader] = await look(db, { name });
  if (reader && !reader.hasNext) return 0;
  if (!reader) await db.insert(eventReaders).values({ name }).onConflictDoNothing();
  return db.transaction(async (tx) => {
    const [from] = await tx.select().from(eventReaders).where(eq(eventReaders.name, name)).for("update");
    if (!from) return 0;
    const events = await next(tx, { xid: from.xid, id: from.id });
    const last = events.at(-1);
    if (!last) return 0;
    await handle(tx, events);
    await tx.update(eventReaders).set({ xid: last.xid, id: last.id }).where(eq(eventReaders.name, name));
    return events.length;
  });
}

/** One loop per reader, so that no reader waits for another. The loops poll the log. */
export function readerLoops(readers: EventReader[]): Loop[] {
  const adopted = onceSucceeded(moveRestoredEvents);
  return readers.map((reader, index) => ({
    name: `events for ${reader.name}`,
    lock: FIRST_EVENT_READER_LOOP_LOCK + index,
    async turn(signal) {
      await adopted();
      const read = await readNextBatch(reader);
      if (read < BATCH) await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
    },
  }));
}

/** Runs the work for the first caller. Later callers share the result, unless it failed: then the work runs again. */
function onceSucceeded(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work().catch((error) => {
      done = undefined;
      throw error;
    });
    return done;
  };
}
