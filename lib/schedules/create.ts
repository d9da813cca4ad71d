import { db, type Tx } from "../db";
import { assertFirst, claimTurn, type FirstAnswer, keepAnswer } from "../db/idempotency";
import { BadRequest, refusalsIn } from "../errors";
import { examine } from "./check/check-input";
import { awaitsMedia, withImports } from "./imports/attach";
import type { FlatSchedule, NewSchedule } from "./input";
import type { ShownSchedule } from "./present";
import { scheduleOf, storeSchedule } from "./store";

/**
 * Stores a schedule with its publications and posts, each publication due at its time: one question to the database, then one
 * statement that writes everything, the answer of a request with an `Idempotency-Key` included (ADR 0007).
 * @throws BadRequest with every problem at once; AnsweredBefore; Conflict where the key is another request's
 */
export async function createSchedule(
  ownerId: string,
  input: NewSchedule | FlatSchedule,
  first?: FirstAnswer<ShownSchedule>,
): Promise<ShownSchedule> {
  const { problems, ...examined } = await examine(ownerId, input, { ids: "schedule", ticket: first?.ticket });
  const refusals = refusalsIn(problems);
  if (refusals.length > 0) throw new BadRequest(...refusals);
  const schedule = scheduleOf(examined.ids.schedule, input.isDraft, examined);
  if (!awaitsMedia(schedule.publications)) return keepSchedule(db, ownerId, schedule, first);
  return db.transaction((tx) => keepSchedule(tx, ownerId, schedule, first));
}

/**
 * Stores a schedule that was examined, with the imports of its public URLs, which are part of the answer.
 * @param tx the database itself only where there are no such URLs: with them it takes several statements
 * @throws BeingDeleted; Conflict where something was removed since it was examined; AnsweredBefore
 */
export async function keepSchedule(
  tx: Tx,
  ownerId: string,
  schedule: ShownSchedule,
  first?: FirstAnswer<ShownSchedule>,
): Promise<ShownSchedule> {
  if (!awaitsMedia(schedule.publications)) {
    await storeSchedule(tx, ownerId, schedule, first);
    return schedule;
  }
  if (first) await claimTurn(tx, first.ticket);
  if (first) await assertFirst(tx, first.ticket);
  await storeSchedule(tx, ownerId, schedule);
  const shown = await withImports(tx, ownerId, schedule);
  if (first) await keepAnswer(tx, first.ticket, first.of(shown));
  return shown;
}
