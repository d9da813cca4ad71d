import { db } from "../db";
import { BadRequest, refusalsIn } from "../errors";
import type { FirstAnswer } from "../idempotency";
import { examine } from "./examine";
import type { NewSchedule } from "./new-schedule";
import type { ShownSchedule } from "./present";
import { scheduleOf, storeSchedule } from "./store";

/**
 * Stores a schedule with its publications and posts, and enqueues each publication: one question to the database, then one
 * statement that writes everything, the answer of a request with an `Idempotency-Key` included (ADR 0007).
 * @throws BadRequest with every problem at once; AnsweredBefore; Conflict where the key is another request's
 */
export async function createSchedule(
  ownerId: string,
  input: NewSchedule,
  first?: FirstAnswer<ShownSchedule>,
): Promise<ShownSchedule> {
  const { problems, ...examined } = await examine(ownerId, input, { ids: "schedule", ticket: first?.ticket });
  const refusals = refusalsIn(problems);
  if (refusals.length > 0) throw new BadRequest(...refusals);
  const schedule = scheduleOf(examined.ids.schedule, input.isDraft, examined);
  await storeSchedule(db, ownerId, schedule, first);
  return schedule;
}
