import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { db, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { BadRequest, blockingProblems, Conflict, NotFound, PreconditionFailed } from "../errors";
import { entityTagOf, matchesIfMatch } from "../http/headers";
import { withZulu } from "../time/instant";
import type { Lockout } from "../users";
import { checkInput } from "./check/check-input";
import { cancelImports } from "./imports/attach";
import type { FlatSchedule, NewSchedule } from "./input";
import {
  approvedMark,
  markOf,
  type ProposalMark,
  presentSchedule,
  proposalDigest,
  type ShownSchedule,
} from "./present";
import { getSchedule, type Schedule, toPublicationInputs } from "./read";
import { needsImports, storeWithImports, toSchedule } from "./store";

/** Nothing of a schedule with these statuses was sent, so all of it can still change. */
export const NOT_STARTED: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED"];

type UpdateOptions = {
  /** The version that may be replaced (RFC 9110 §13.1.1); any version if absent. */
  ifMatch?: string;
  /** The owner does it in the dashboard. If an application proposed the post, this approves the new content. */
  isPerson?: boolean;
};

/**
 * Replaces a schedule that has not started. A claim locks the schedule's row first, so a worker claims either the new version
 * or none. Publications and posts get new ids.
 * @throws NotFound; Conflict once it has started, or if it is a proposal that something other than a person would schedule;
 * BadRequest with every problem at once; PreconditionFailed
 */
export async function updateSchedule(
  ownerId: string,
  id: number,
  input: NewSchedule | FlatSchedule,
  { ifMatch, isPerson = false }: UpdateOptions = {},
): Promise<ShownSchedule> {
  assertNotStarted(await getSchedule(ownerId, id));
  const { problems, ...checked } = await checkInput(ownerId, input, { ids: "parts" });
  const blocking = blockingProblems(problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
  const schedule = toSchedule(id, input.isDraft, checked);
  return db.transaction(async (tx) => {
    const before = await lockSchedule(tx, ownerId, id);
    assertNotStarted(before);
    // Updates wait for the lock, so of several that name the same version only the first one matches.
    if (ifMatch !== undefined) assertMatches(ifMatch, await getSchedule(ownerId, id, tx));
    if (schedule.status === "DRAFT" || !before.proposedAt) return replaceSchedule(tx, before, schedule);
    if (!isPerson) throw new NotApproved(before);
    return replaceSchedule(tx, before, { ...schedule, ...approvedMark(before, schedule) });
  });
}

/** 409: an application proposed the post, and no person has approved this content. */
export class NotApproved extends Conflict {
  constructor({ id, proposedBy }: Pick<Schedule, "id" | "proposedBy">) {
    super(
      `Post ${id} was proposed by ${proposedBy}, so it needs an approval first: on its page in the dashboard, or with POST /v1/posts/${id}/approve`,
    );
  }
}

/** What a person approves: the digest of the content that they saw, and a time if the proposal has none. */
export const ApprovalInput = z
  .strictObject({
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be the digest of the proposal")
      .meta({ description: "`proposal.digest` of the version that the person saw" }),
    scheduledTime: z.string().optional().meta({ description: "Replaces the proposed time. Required if it has none" }),
  })
  .meta({ id: "Approval" });

/**
 * Schedules a proposal exactly as its owner saw it. All checks of creation run again.
 * @throws NotFound; Conflict if no application proposed it, or it is no draft any more, or its media are still fetched;
 * PreconditionFailed if the content is not the one that the digest names; BadRequest with every problem at once
 */
export async function approveSchedule(
  ownerId: string,
  id: number,
  { digest, scheduledTime }: z.output<typeof ApprovalInput>,
): Promise<ShownSchedule> {
  const seen = await getSchedule(ownerId, id);
  assertApprovable(seen, digest);
  const at = scheduledTime ?? (seen.scheduledTime && withZulu(seen.scheduledTime));
  const input = { scheduledTime: at, isDraft: false, publications: toPublicationInputs(seen) };
  const { problems, ...checked } = await checkInput(ownerId, input, { ids: "parts" });
  const blocking = blockingProblems(problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
  const schedule = toSchedule(id, false, checked);
  return db.transaction(async (tx) => {
    await lockSchedule(tx, ownerId, id);
    const before = await getSchedule(ownerId, id, tx);
    assertApprovable(before, digest);
    return replaceSchedule(tx, before, { ...schedule, ...approvedMark(before, schedule) });
  });
}

function assertApprovable(schedule: Schedule, digest: string): void {
  const { id, status, proposedAt, publications } = schedule;
  if (!proposedAt) throw new Conflict(`Post ${id} was not proposed by an application, so there is nothing to approve`);
  if (status !== "DRAFT") throw new Conflict(`Post ${id} is no longer a draft, so there is nothing to approve`);
  if (proposalDigest(schedule) !== digest) throw new PreconditionFailed("Post", id);
  if (needsImports(publications)) {
    throw new Conflict(`Post ${id} has media that Carillon has not fetched. Approve it once you can see them`);
  }
}

/**
 * Replaces a schedule that the caller has locked, and that has not started, with a checked one. It stays a proposal if it was
 * one; its approval is lost unless `schedule` has a new one.
 * @throws BeingDeleted; Conflict if an account or file was removed after the check
 */
export async function replaceSchedule(
  tx: Tx,
  before: Pick<Schedule, "ownerId" | "id" | "changesRequested"> & ProposalMark,
  schedule: ShownSchedule,
): Promise<ShownSchedule> {
  const { ownerId, id, changesRequested } = before;
  await cancelImports(tx, [id]);
  await tx.delete(publications).where(eq(publications.scheduleId, id));
  const { approvedAt = null, approvedDigest = null } = schedule;
  const shown = await storeWithImports(tx, ownerId, {
    ...schedule,
    ...markOf({ ...before, approvedAt, approvedDigest }),
  });
  return { ...shown, changesRequested };
}

/** After the first reset of an address that was never confirmed, nothing is published that someone else may have planned. */
export const moveSchedulesOfUserToDrafts: Lockout = async (tx, userId, { isFirstConfirmation }) => {
  if (!isFirstConfirmation) return [];
  const planned = await tx
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.ownerId, userId), inArray(schedules.status, NOT_STARTED), ne(schedules.status, "DRAFT")))
    .orderBy(asc(schedules.id))
    .for("update");
  if (planned.length === 0) return [];
  const ids = planned.map(({ id }) => id);
  await tx
    .update(schedules)
    .set({ status: "DRAFT", approvedAt: null, approvedDigest: null, updatedAt: sql`now()` })
    .where(inArray(schedules.id, ids));
  await tx.update(publications).set({ dueAt: null }).where(inArray(publications.scheduleId, ids));
  return ["Scheduled posts became drafts, because your address had never been confirmed before."];
};

/** @throws Conflict if a part of the schedule was sent */
export function assertNotStarted({ id, status }: { id: number; status: ScheduleStatus }): void {
  if (NOT_STARTED.includes(status)) return;
  const why = status === "IN_PROGRESS" ? "is being published" : "has already been published or attempted";
  throw new Conflict(`Post ${id} ${why} and can no longer be changed`);
}

function assertMatches(ifMatch: string, schedule: ShownSchedule): void {
  if (!matchesIfMatch(ifMatch, entityTagOf(presentSchedule(schedule))))
    throw new PreconditionFailed("Post", schedule.id);
}

/** Locks a schedule; every transaction locks the schedule before its publications. */
export async function lockSchedule(tx: Tx, ownerId: string, id: number) {
  const [schedule] = await lockSchedules(tx, ownerId, [id]);
  if (!schedule) throw new NotFound("Posting schedule", id);
  return schedule;
}

/** Locks those of several schedules that exist, in the order of their ids, to avoid deadlocks. */
export function lockSchedules(tx: Tx, ownerId: string, ids: number[]) {
  return tx
    .select()
    .from(schedules)
    .where(and(eq(schedules.ownerId, ownerId), inArray(schedules.id, ids)))
    .orderBy(asc(schedules.id))
    .for("update");
}
