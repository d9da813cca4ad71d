import { createHash } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import { schedules, type Tx } from "../../db";
import { type AnswerToStore, answersByKey, deleteAnswers } from "../../db/idempotency";
import { giveWay } from "../../time/give-way";
import type { ShownSchedule } from "../present";
import type { CheckedRow } from "./row";

/** The route under which imported rows are recorded as idempotent requests. */
const ROUTE = "rows of POST /v1/posts/import";

/**
 * Returns a key for each row, derived from its content. A row keeps its key if other rows of the file change. If a file contains
 * the same row twice, the second one has another key.
 */
export async function rowKeys(rows: Pick<CheckedRow, "number" | "body">[]): Promise<Map<number, string>> {
  const times = new Map<string, number>();
  const keys = new Map<number, string>();
  for (const { number, body } of rows) {
    await giveWay(); // a row may have 2 MB
    const digest = createHash("sha256").update(JSON.stringify(body)).digest("hex");
    const time = (times.get(digest) ?? 0) + 1;
    times.set(digest, time);
    keys.set(number, `${digest} ${time}`);
  }
  return keys;
}

/** Returns the answer to store for a row, in the same statement as its schedule, so that neither exists without the other. */
export function rowAnswer(ownerId: string, key: string): AnswerToStore<ShownSchedule> {
  const bodyHash = createHash("sha256").update(key).digest();
  return { ticket: { ownerId, route: ROUTE, key, bodyHash }, of: ({ id }) => ({ status: 201, body: { id } }) };
}

/** Returns the existing schedules that were created from these rows in the last 24 hours, by row key. */
export async function findImportedRows(tx: Tx, ownerId: string, keys: string[]): Promise<Map<string, number>> {
  const answers = await answersByKey(tx, { ownerId, route: ROUTE, keys });
  const made = new Map([...answers].map(([key, answer]) => [key, answerId(answer)]));
  const there = await existingIds(tx, ownerId, [...made.values()]);
  return new Map([...made].filter(([, id]) => there.has(id)));
}

/** Allows rows whose schedules were deleted to be imported again. */
export async function forgetDeletedRows(tx: Tx, ownerId: string, keys: string[]): Promise<void> {
  const there = await findImportedRows(tx, ownerId, keys);
  await deleteAnswers(tx, { ownerId, route: ROUTE, keys: keys.filter((key) => !there.has(key)) });
}

async function existingIds(tx: Tx, ownerId: string, ids: number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.id, ids)));
  return new Set(rows.map(({ id }) => id));
}

/** Reads the body of an answer that `rowAnswer` stored. */
function answerId(answer: unknown): number {
  return Number((answer as { id: number }).id);
}
