import { and, asc, eq, inArray, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, publications, type ScheduleStatus, schedules, type Tx } from "../db";
import { BadRequest, blockingProblems, Conflict, NotFound, PreconditionFailed } from "../errors";
import { matchesIfMatch } from "../http/headers";
import { type Media, type MediaChanges, mediaByKeys, mediaKey, updateMedia } from "../media";
import { withZulu } from "../time/instant";
import type { Lockout } from "../users";
import { checkInput } from "./check/check-input";
import { cancelImports } from "./imports/attach";
import type { FlatSchedule, NewSchedule } from "./input";
import {
  approvedMark,
  type ProposalMark,
  presentSchedule,
  proposalDigest,
  type ShownSchedule,
  scheduleTag,
  withoutApproval,
} from "./present";
import { fileTextsOf, getSchedule, type Schedule, scheduleIdsUsingFile, toPublicationInputs } from "./read";
import { needsImports, storeWithImports, toSchedule } from "./store";

/** Nothing of a schedule with these statuses was sent, so all of it can still change. */
export const NOT_STARTED: readonly ScheduleStatus[] = ["DRAFT", "AWAITING_MEDIA", "SCHEDULED", "MEDIA_IMPORT_FAILED"];

type UpdateOptions = {
  /** The version that may be replaced (RFC 9110 §13.1.1); any version if absent. */
  ifMatch?: string;
  /** The owner does it in the dashboard. If an application proposed the post, this approves the new content. */
  isPerson?: boolean;
  /** An application revises its proposal. It can do so only until a person has approved it. */
  isProposer?: boolean;
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
  { ifMatch, isPerson = false, isProposer = false }: UpdateOptions = {},
): Promise<ShownSchedule> {
  const assertChangeable = isProposer ? assertWaiting : assertNotStarted;
  assertChangeable(await getSchedule(ownerId, id));
  const { problems, ...checked } = await checkInput(ownerId, input, { ids: "parts" });
  const blocking = blockingProblems(problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
  const schedule = toSchedule(id, input.isDraft, checked);
  return db.transaction(async (tx) => {
    const before = await lockSchedule(tx, ownerId, id);
    assertChangeable(before);
    // Updates wait for the lock, so of several that name the same version only the first one matches.
    if (ifMatch !== undefined) assertMatches(ifMatch, await getSchedule(ownerId, id, tx));
    if (schedule.status === "DRAFT" || !before.proposedAt) return replaceSchedule(tx, before, schedule);
    if (!isPerson) throw new NotApproved(before);
    assertFetched(id, schedule.publications);
    return replaceSchedule(tx, before, schedule, { isApproved: true });
  });
}

/** @throws Conflict unless the proposal waits for its approval */
export function assertWaiting({ id, status }: Pick<Schedule, "id" | "status">): void {
  if (status === "DRAFT") return;
  throw new Conflict(
    `Post ${id} has been approved, so the application that proposed it can no longer change or delete it`,
  );
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
    scheduledTime: z
      .string()
      .max(64)
      .optional()
      .meta({ description: "Replaces the proposed time. Required if it has none" }),
  })
  .meta({ id: "Approval" });

/**
 * Schedules a proposal exactly as its owner saw it. All checks of creation run again.
 * @throws NotFound; Conflict if no application proposed it, or it is no longer a draft, or its media are still being fetched;
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
    return replaceSchedule(tx, before, schedule, { isApproved: true });
  });
}

function assertApprovable(schedule: Schedule, digest: string): void {
  const { id, status, proposedAt, publications } = schedule;
  if (!proposedAt) throw new Conflict(`Post ${id} was not proposed by an application, so there is nothing to approve`);
  if (status !== "DRAFT") throw new Conflict(`Post ${id} is no longer a draft, so there is nothing to approve`);
  if (proposalDigest(schedule) !== digest) throw new PreconditionFailed("Post", id);
  assertFetched(id, publications);
}

/** @throws Conflict if the person cannot have seen all files, because some are only web addresses so far */
function assertFetched(id: number, publications: Parameters<typeof needsImports>[0]): void {
  if (!needsImports(publications)) return;
  throw new Conflict(`Post ${id} has media that Carillon has not fetched. Approve it once you can see them`);
}

/** A proposal with these statuses was approved, and what it sends can no longer change. A failed one can be tried again. */
const FIXED: readonly ScheduleStatus[] = ["IN_PROGRESS", "FAILED", "PARTIALLY_COMPLETED"];

/**
 * Changes a file's alt text, name or labels. Alt text and name are sent with the posts that use the file. So if an application
 * changes them, approved proposals that use the file are drafts again. A change by a person counts as an approval.
 * @param name the object's name, `<object_uuid>.<ext>`
 * @throws NotFound; Conflict if an application changes what a proposal sends that is being published or can be tried again
 */
export async function updateFile(
  ownerId: string,
  name: string,
  changes: MediaChanges,
  { isPerson }: { isPerson: boolean },
): Promise<Media> {
  if (changes.altText === undefined && changes.filename === undefined) return updateMedia(db, ownerId, name, changes);
  return db.transaction(async (tx) => {
    // An approval locks the schedule too, so it sees either the texts from before this change or those from after it.
    const key = mediaKey(ownerId, name);
    const usesFile = inArray(schedules.id, scheduleIdsUsingFile(key));
    const proposals = and(eq(schedules.ownerId, ownerId), isNotNull(schedules.proposedAt), usesFile);
    const statusIn = (statuses: readonly ScheduleStatus[]) => and(proposals, inArray(schedules.status, statuses));
    const locked = await tx
      .select({ id: schedules.id, status: schedules.status })
      .from(schedules)
      .where(statusIn([...NOT_STARTED, ...FIXED]))
      .orderBy(asc(schedules.id))
      .for("update");
    const before = (await mediaByKeys(ownerId, [key], tx)).get(key);
    const after = await updateMedia(tx, ownerId, name, changes);
    if (before?.altText === after.altText && before.filename === after.filename) return after;
    if (isPerson) {
      await approveAgain(tx, ownerId, locked);
      return after;
    }
    const fixed = locked.find(({ status }) => FIXED.includes(status));
    if (fixed) {
      throw new Conflict(
        `Media ${name} is part of post ${fixed.id}, which a person approved. Only a person can change its alt text and name`,
      );
    }
    // The ETag contains this time, so that a person who has an older version open in the composer cannot approve the new text.
    await tx.update(schedules).set({ proposedAt: sql`now()` }).where(statusIn(NOT_STARTED));
    await withdrawApprovals(tx, statusIn(NOT_STARTED));
    return after;
  });
}

/** Approves proposals with the texts that their files have now, if they were approved before. */
async function approveAgain(tx: Tx, ownerId: string, proposals: Pick<Schedule, "id">[]): Promise<void> {
  for (const { id } of proposals) {
    const schedule = await getSchedule(ownerId, id, tx);
    if (!schedule.approvedDigest) continue;
    const { approvedAt, approvedDigest } = approvedMark(schedule, schedule);
    await tx.update(schedules).set({ approvedAt, approvedDigest }).where(eq(schedules.id, id));
  }
}

/** Turns planned schedules into drafts without an approval. */
async function withdrawApprovals(tx: Tx, which: SQL | undefined): Promise<void> {
  const drafts = await tx
    .update(schedules)
    .set({ status: "DRAFT", approvedAt: null, approvedDigest: null, updatedAt: sql`now()` })
    .where(which)
    .returning({ id: schedules.id });
  const ids = drafts.map(({ id }) => id);
  if (ids.length > 0) await tx.update(publications).set({ dueAt: null }).where(inArray(publications.scheduleId, ids));
}

/**
 * Replaces a schedule that the caller has locked, and that has not started, with a checked one. It stays a proposal if it was
 * one; its approval is lost unless `isApproved`.
 * @throws BeingDeleted; Conflict if an account or file was removed after the check
 */
export async function replaceSchedule(
  tx: Tx,
  before: Pick<Schedule, "ownerId" | "id" | "changesRequested"> & ProposalMark,
  schedule: ShownSchedule,
  { isApproved = false } = {},
): Promise<ShownSchedule> {
  const { ownerId, id, changesRequested, proposedAt } = before;
  await cancelImports(tx, [id]);
  await tx.delete(publications).where(eq(publications.scheduleId, id));
  const content = proposedAt ? { ...schedule, fileTexts: await fileTextsOf(ownerId, [schedule], tx) } : schedule;
  const mark = isApproved ? approvedMark(before, content) : withoutApproval(before);
  const shown = await storeWithImports(tx, ownerId, { ...content, ...mark });
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
  await withdrawApprovals(tx, inArray(schedules.id, ids));
  return ["Scheduled posts became drafts, because your address had never been confirmed before."];
};

/** @throws Conflict if a part of the schedule was sent */
export function assertNotStarted({ id, status }: { id: number; status: ScheduleStatus }): void {
  if (NOT_STARTED.includes(status)) return;
  const why = status === "IN_PROGRESS" ? "is being published" : "has already been published or attempted";
  throw new Conflict(`Post ${id} ${why} and can no longer be changed`);
}

/** @throws PreconditionFailed unless the locked schedule is the version that the caller has read */
export function assertMatches(ifMatch: string, schedule: ShownSchedule): void {
  if (!matchesIfMatch(ifMatch, scheduleTag(presentSchedule(schedule))))
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
