import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { db, eventReaders, type Tx } from "../db";
import { listenOn } from "../db/listen";
import { FIRST_EVENT_READER_LOOP_LOCK } from "../db/locks";
import { statement, value } from "../db/statement";
import type { Loop } from "../jobs";
import { isSettled, moveRestoredEvents, writtenEvent } from "./log";
import type { WrittenEvent } from "./types";

const BATCH = 200;
const EVERY_MS = 200;
/** A reader rests after this many looks without an event. */
const LOOKS_BEFORE_REST = 10;
/** How often a resting reader looks, in case that a notification was lost. */
const REST_MS = 5_000;

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

type Look = {
  hasNext: boolean;
  /** An event was written, but a transaction that is still open may write an earlier one. */
  hasUnsettled: boolean;
  restXid: string | null;
  /** All transactions before this one have ended, and this look sees what they wrote. */
  endedBefore: string;
  /** No transaction from this one on had begun. */
  begunBefore: string;
};

/** Most looks find nothing, so they are one statement without a transaction. */
const look = statement<{ name: string }, Look>(
  "events.look",
  sql`
  select exists (select from events e where (e.xid, e.id) > (r.xid, r.id) and ${isSettled}) as "hasNext",
    exists (select from events e where (e.xid, e.id) > (r.xid, r.id) and not ${isSettled}) as "hasUnsettled",
    r.rest_xid::text as "restXid", pg_snapshot_xmin(pg_current_snapshot())::text as "endedBefore",
    pg_snapshot_xmax(pg_current_snapshot())::text as "begunBefore"
  from event_readers r where r.name = ${value("name", "text")}`,
);

/** Passes the next batch of unread events to a reader. Returns the number of events. */
export async function readNextBatch(reader: EventReader): Promise<number> {
  const [found] = await look(db, { name: reader.name });
  return found && !found.hasNext ? 0 : readBatch(reader, found !== undefined);
}

async function readBatch({ name, handle }: EventReader, isKnown: boolean): Promise<number> {
  if (!isKnown) await db.insert(eventReaders).values({ name }).onConflictDoNothing();
  return db.transaction(async (tx) => {
    const [from] = await tx.select().from(eventReaders).where(eq(eventReaders.name, name)).for("update");
    if (!from) return 0;
    const events = await next(tx, { xid: from.xid, id: from.id });
    const last = events.at(-1);
    if (!last) return 0;
    await handle(tx, events);
    await tx.update(eventReaders).set({ xid: last.xid, id: last.id, restXid: null }).where(eq(eventReaders.name, name));
    return events.length;
  });
}

/** What a process remembers of a reader from one look to the next. */
export type ReaderMemory = {
  /** Looks in a row that found no event. */
  emptyLooks: number;
  /** The rest for which `awareFrom` was read: transactions that begin at this ID or later notify the reader. */
  restXid?: string;
  awareFrom?: bigint;
};

/**
 * Reads the next batch, or lets the reader rest if there has been no event for a while. A reader that rests is notified of
 * events, because `rest_xid` is set. A transaction that began before that may still write an event without a notification, so
 * the reader looks often until all of those have ended.
 * @param isListening notifications have arrived since before this call
 * @returns the milliseconds until the next look, if no notification arrives before
 */
export async function readOrRest(reader: EventReader, memory: ReaderMemory, isListening: boolean): Promise<number> {
  const { name } = reader;
  const [found] = await look(db, { name });
  if (!found || found.hasNext) {
    memory.emptyLooks = 0;
    return (await readBatch(reader, found !== undefined)) < BATCH ? EVERY_MS : 0;
  }
  memory.emptyLooks = found.hasUnsettled ? 0 : memory.emptyLooks + 1;
  if (!isListening || memory.emptyLooks < LOOKS_BEFORE_REST) return EVERY_MS;
  if (found.restXid === null) {
    await db.update(eventReaders).set({ restXid: sql`pg_current_xact_id()` }).where(eq(eventReaders.name, name));
    return 0;
  }
  if (found.restXid !== memory.restXid) {
    memory.restXid = found.restXid;
    memory.awareFrom = BigInt(found.begunBefore);
  }
  return BigInt(found.endedBefore) >= (memory.awareFrom ?? 0n) ? REST_MS : EVERY_MS;
}

/**
 * One loop per reader, so that no reader waits for another. The loops look at the log often, or rest until they are notified.
 * @param restMs how long a reader rests if no notification arrives
 */
export function readerLoops(readers: EventReader[], restMs = REST_MS): Loop[] {
  const adopted = onceSucceeded(moveRestoredEvents);
  const notices = countNotices("events_written");
  return readers.map((reader, index) => {
    const memory: ReaderMemory = { emptyLooks: 0 };
    return {
      name: `events for ${reader.name}`,
      lock: FIRST_EVENT_READER_LOOP_LOCK + index,
      async turn(signal) {
        await adopted();
        const before = notices.count();
        const waitMs = await readOrRest(reader, memory, notices.isListening());
        if (waitMs < REST_MS) await sleep(waitMs, undefined, { signal }).catch(() => {});
        else await notices.pause(restMs, before, signal);
      },
    };
  });
}

/** Counts the notifications of a channel and the breaks of the connection, so that none is missed between two pauses. */
function countNotices(channel: string) {
  let count = 0;
  const waiting = new Set<() => void>();
  const notice = () => {
    count++;
    for (const wake of waiting) wake();
  };
  const { isListening } = listenOn(channel, { notice, lost: notice });
  return {
    isListening,
    count: () => count,
    /** Waits this long, but not if there has been a notification since the count was `before`. */
    async pause(ms: number, before: number, signal: AbortSignal): Promise<void> {
      if (count !== before || signal.aborted) return;
      const noticed = new AbortController();
      const wake = () => noticed.abort();
      waiting.add(wake);
      signal.addEventListener("abort", wake);
      await sleep(ms, undefined, { signal: noticed.signal }).catch(() => {});
      signal.removeEventListener("abort", wake);
      waiting.delete(wake);
    },
  };
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
