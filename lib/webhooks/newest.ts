import { sql } from "drizzle-orm";
import { db } from "../db";
import type { LogPlace } from "./log";
import { isSettled, writtenEvent } from "./read";
import { isEventOf, type Subscriber } from "./subscriber";
import type { WrittenEvent } from "./types";

/** The log from its end: what happened before a place, or last, and where what is older ends. */
export async function newestEvents(
  subscriber: Subscriber,
  { before, limit }: { before?: Readonly<LogPlace>; limit: number },
): Promise<{ items: WrittenEvent[]; next?: LogPlace }> {
  const older = before ? sql`(e.xid, e.id) < (${before[0]}::xid8, ${before[1]}::bigint)` : sql`true`;
  const { rows } = await db.execute<WrittenEvent & { [column: string]: unknown }>(sql`
    select ${writtenEvent} from events e join users u on u.id = e.owner_id
    where ${isEventOf(subscriber)} and ${older} and ${isSettled}
    order by e.xid desc, e.id desc limit ${limit + 1}`);
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: last && rows.length > limit ? [last.xid, last.id] : undefined };
}
