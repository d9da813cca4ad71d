import { dbOrTransaction } from "../db";
import type { AnswerToStore } from "../db/idempotency";
import { BadRequest, blockingProblems } from "../errors";
import { checkInput } from "./check/check-input";
import type { FlatSchedule, NewSchedule } from "./input";
import type { ShownSchedule } from "./present";
import { needsImports, storeWithImports, toSchedule } from "./store";

/**
 * Creates a schedule with its publications and posts. One query reads everything that the checks need, and one statement writes
 * everything, including the stored answer of a request with an `Idempotency-Key` (ADR 0007).
 * @throws BadRequest with every problem at once; AlreadyAnswered; Conflict if the key was used by another request
 */
export async function createSchedule(
  ownerId: string,
  input: NewSchedule | FlatSchedule,
  first?: AnswerToStore<ShownSchedule>,
): Promise<ShownSchedule> {
  const { problems, ...checked } = await checkInput(ownerId, input, { ids: "schedule", ticket: first?.ticket });
  const blocking = blockingProblems(problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
  const schedule = { ...toSchedule(checked.ids.schedule, input.isDraft, checked), warnings: problems };
  if (!needsImports(schedule.publications)) return storeWithImports(dbOrTransaction, ownerId, schedule, first);
  return dbOrTransaction.transaction((tx) => storeWithImports(tx, ownerId, schedule, first));
}
