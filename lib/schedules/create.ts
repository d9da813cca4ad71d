import { db, schedules } from "../db";
import { BadRequest } from "../errors";
import { examine } from "./examine";
import type { NewSchedule } from "./new-schedule";
import { getSchedule, type Schedule } from "./read";
import { storePublications } from "./store";

/**
 * Stores a schedule with its publications and posts, in one transaction.
 * @throws BadRequest with every problem at once
 */
export async function createSchedule(ownerId: string, input: NewSchedule): Promise<Schedule> {
  const { problems, at, publishable } = await examine(ownerId, input);
  if (problems.length > 0) throw new BadRequest(...problems);
  const { isDraft } = input;
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(schedules)
      .values({ ownerId, status: isDraft ? "DRAFT" : "SCHEDULED", scheduledTime: at })
      .returning({ id: schedules.id });
    if (!row) throw new Error("the schedule was not stored");
    await storePublications(tx, { scheduleId: row.id, ownerId, isDraft, at }, publishable);
    return getSchedule(ownerId, row.id, tx);
  });
}
