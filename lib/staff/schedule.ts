import { eq } from "drizzle-orm";
import { db, schedules, users } from "../db";
import { NotFound } from "../errors";
import { type ShownSchedule, showSchedule } from "../reviews";
import { getReceipt, type Receipt } from "../schedules";
import { noteLook, type Staff } from "./looks";

/** A schedule, whose it is, what its networks will have of it, and what became of it so far. */
export type SeenSchedule = {
  owner: { id: string; name: string; email?: string };
  shown: ShownSchedule;
  receipt: Receipt;
};

/**
 * Anybody's schedule; the look is in the audit log.
 * @throws NotFound
 */
export async function lookAtSchedule(staff: Staff, id: number): Promise<SeenSchedule> {
  const owner = await ownerOf(id);
  const details = { page: "schedule", ownerId: owner.id };
  await noteLook(staff, { subject: id, partnerId: owner.partnerId ?? undefined, details });
  const [shown, receipt] = [await showSchedule(owner.id, id), await getReceipt(owner.id, id)];
  return { owner: { id: owner.id, name: owner.name, email: owner.email ?? undefined }, shown, receipt };
}

/** @throws NotFound where there is no such schedule, or everything of its owner is being deleted */
export async function ownerOf(id: number) {
  const [owner] = await db
    .select({ id: users.id, name: users.name, email: users.email, partnerId: users.partnerId, gone: users.deletingAt })
    .from(schedules)
    .innerJoin(users, eq(users.id, schedules.ownerId))
    .where(eq(schedules.id, id));
  if (!owner || owner.gone !== null) throw new NotFound("Posting schedule", id);
  return owner;
}
