import { createHash } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { schedules, type Tx } from "../../db";
import { answersUnder, type FirstAnswer, forgetAnswers } from "../../db/idempotency";
import type { ShownSchedule } from "../present";
import type { CheckedRow } from "./row";

/** Under which rows are remembered once schedules were made of them. */
const ROUTE = "rows of POST /v1/posts/import";

/**
 * A key for each row, made of what it says. The same row of the same file, or of that file with other rows mended, has the
 * same key; where a file says the same twice, the second is another.
 */
export function rowKeys(rows: Pick<CheckedRow, "number" | "body">[]): Map<number, string> {
  const times = new Map<string, number>();
  return new Map(
    rows.map(({ number, body }) => {
      const digest = createHash("sha256").update(JSON.stringify(body)).digest("hex");
      const time = (times.get(digest) ?? 0) + 1;
      times.set(digest, time);
      return [number, `${digest} ${time}`];
    }),
  );
}

/** So that the answer is kept in the very statement that stores the schedule: neither is there without the other. */
export function firstOf(ownerId: string, key: string): FirstAnswer<ShownSchedule> {
  const bodyHash = createHash("sha256").update(key).digest();
  return { ticket: { ownerId, route: ROUTE, key, bodyHash }, of: ({ id }) => ({ status: 201, body: { id } }) };
}

/** The schedules that were made of these rows in the last 24 hours and are still there, by the rows' keys. */
export async function madeBefore(tx: Tx, ownerId: string, keys: string[]): Promise<Map<string, number>> {
  const answers = await answersUnder(tx, { ownerId, route: ROUTE, keys });
  const made = new Map([...answers].map(([key, answer]) => [key, idIn(answer)]));
  const there = await thereOf(tx, ownerId, [...made.values()]);
  return new Map([...made].filter(([, id]) => there.has(id)));
}

/** Lets rows whose schedules were deleted since be made again. */
export async function forgetDeleted(tx: Tx, ownerId: string, keys: string[]): Promise<void> {
  const there = await madeBefore(tx, ownerId, keys);
  await forgetAnswers(tx, { ownerId, route: ROUTE, keys: keys.filter((key) => !there.has(key)) });
}

async function thereOf(tx: Tx, ownerId: string, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.id, ids)));
  return new Set(rows.map(({ id }) => id));
}

/** The body of an answer that `firstOf` made. */
function idIn(answer: unknown): number {
  return Number((answer as { id: number }).id);
}
