import { inArray } from "drizzle-orm";
import { z } from "zod";
import { db, feedback, schedules } from "../../db";
import { type AnswerToStore, assertFirstRequest, claimTurn, storeAnswer } from "../../db/idempotency";
import { BadRequest, blockingProblems, Conflict, NotFound, type Problem } from "../../errors";
import { entityTagOf } from "../../http/headers";
import { giveWay } from "../../time/give-way";
import { withZulu } from "../../time/instant";
import { checkInput } from "../check/check-input";
import { deleteSchedules } from "../delete";
import { MAX_PUBLICATIONS } from "../input";
import { presentSchedule, type ShownSchedule } from "../present";
import { findSchedules, type Schedule, toPublicationInputs } from "../read";
import { toSchedule } from "../store";
import { assertNotStarted, lockSchedules, replaceSchedule } from "../update";
import { MAX_MERGED } from "./duplicates";
import { type MergedPart, planMerge } from "./plan";

/** The response of a merge: the outcome of each publication and schedule, and the merged schedule unless it is a dry run. */
export function presentMerge({ keep, parts, deleted, feedback, problems, schedule }: MergeResult) {
  return {
    dryRun: schedule === undefined,
    id: keep,
    publications: parts.map(({ scheduleId, publication, outcome, collision }) => ({
      ...{ id: publication.id, scheduleId, socialMediaAccountId: publication.accountId, outcome },
      ...(collision
        ? { besideId: collision.of.publication.id, differences: collision.differences.map(fieldName) }
        : {}),
    })),
    deleted,
    feedback,
    problems: problems.map(({ change: _, ...problem }) => problem),
    ...(schedule ? { schedule: presentSchedule(schedule) } : {}),
  };
}

/** The API calls a post's cover `thumbnail` (SPEC, "Posting schedule"). */
const fieldName = (field: string) => (field === "thumbnailPath" ? "thumbnail" : field);

/** The schedules to merge, and the one that is kept. */
export const MergeInput = z
  .strictObject({
    ids: z
      .array(z.number().int())
      .min(2)
      .max(MAX_MERGED)
      .refine((ids) => new Set(ids).size === ids.length, "contains an id twice")
      .meta({ description: "The posts, in the order in which they add accounts to `keep`" }),
    keep: z.number().int().meta({ description: "The post that keeps its ID, time and accounts; one of `ids`" }),
  })
  .refine(({ ids, keep }) => ids.includes(keep), { path: ["keep"], error: "must be one of ids" })
  .meta({ id: "NewMerge" });

export type MergeInput = z.output<typeof MergeInput>;

/**
 * The outcome of each publication. `problems` are the errors and warnings of the merged schedule. `schedule` is the merged
 * schedule; absent in a dry run.
 */
export type MergeResult = {
  keep: number;
  parts: MergedPart[];
  deleted: number[];
  /** Those of `deleted` that have reviewers' feedback, which is deleted with them. */
  feedback: number[];
  problems: Problem[];
  schedule?: ShownSchedule;
};

type MergeOptions = {
  /** Computes the result without changing anything. */
  dryRun: boolean;
  first?: AnswerToStore<MergeResult>;
};

/**
 * Merges schedules that have not started into one of them, in one transaction. The kept schedule keeps its time and its
 * publications, gets those publications of the others whose destination it does not have yet, and the others are deleted.
 * @throws NotFound; Conflict if one has started, was changed in the meantime, or two have different posts for one destination;
 * BadRequest if a network would reject the merged schedule; AlreadyAnswered
 */
export async function mergeSchedules(
  ownerId: string,
  input: MergeInput,
  { dryRun, first }: MergeOptions,
): Promise<MergeResult> {
  const found = await findSchedules(ownerId, input.ids);
  // Read first: schedules that the same request deleted earlier must not be reported as missing.
  if (first) await assertFirstRequest(db, first.ticket);
  const [kept, ...others] = orderedSchedules(found, input);
  const parts = await planMerge(kept, others);
  const { problems, replacement } = await planReplacement(kept, parts);
  const deleted = others.map(({ id }) => id);
  const planned: MergeResult = { keep: kept.id, parts, deleted, feedback: await idsWithFeedback(deleted), problems };
  if (dryRun) return planned;
  assertMergeable(planned);
  return db.transaction(async (tx) => {
    if (first) await claimTurn(tx, first.ticket);
    if (first) await assertFirstRequest(tx, first.ticket);
    await lockSchedules(tx, ownerId, input.ids);
    const locked = orderedSchedules(await findSchedules(ownerId, input.ids, tx), input);
    await assertUnchanged([kept, ...others], locked);
    // As drafts, they do not count against the limit per day, so publications that move are not counted twice.
    await tx.update(schedules).set({ status: "DRAFT" }).where(inArray(schedules.id, deleted));
    const schedule = replacement ? await replaceSchedule(tx, locked[0], replacement) : locked[0];
    await deleteSchedules(tx, locked.slice(1));
    const done = { ...planned, schedule };
    if (first) await storeAnswer(tx, first.ticket, first.of(done));
    return done;
  });
}

/** Returns those of these schedules that have feedback, in the given order. */
async function idsWithFeedback(ids: number[]): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: feedback.scheduleId })
    .from(feedback)
    .where(inArray(feedback.scheduleId, ids));
  return ids.filter((id) => rows.some((row) => row.id === id));
}

/** Returns the schedules to merge, the kept one first. */
function orderedSchedules(there: Schedule[], { ids, keep }: MergeInput): [Schedule, ...Schedule[]] {
  const found = (id: number) => {
    const schedule = there.find((one) => one.id === id);
    if (!schedule) throw new NotFound("Posting schedule", id);
    return schedule;
  };
  const all = ids.map(found);
  all.forEach(assertNotStarted);
  const proposal = all.find(({ proposedAt }) => proposedAt);
  if (proposal) {
    const { id, proposedBy } = proposal;
    throw new Conflict(`Post ${id} was proposed by ${proposedBy}, so it cannot be merged: an approval is for one post`);
  }
  return [found(keep), ...all.filter(({ id }) => id !== keep)];
}

function assertMergeable({ parts, problems }: MergeResult): void {
  for (const { scheduleId, publication, outcome, collision } of parts) {
    if (outcome !== "clashing") continue;
    const both = `${collision.of.scheduleId} and ${scheduleId}`;
    throw new Conflict(`Posts ${both} have different posts for account ${publication.accountId}`);
  }
  const blocking = blockingProblems(problems);
  if (blocking.length > 0) throw new BadRequest(...blocking);
}

type Replacement = { problems: Problem[]; replacement?: ShownSchedule };

/** Returns the new version of the kept schedule and its problems; no version if it does not change. */
async function planReplacement(kept: Schedule, parts: MergedPart[]): Promise<Replacement> {
  const publications = parts.flatMap(({ collision, publication }) => (collision ? [] : [publication]));
  if (publications.length === kept.publications.length) return { problems: [] };
  if (publications.length > MAX_PUBLICATIONS) {
    throw new BadRequest(
      `ids have ${publications.length} publications together; a schedule has at most ${MAX_PUBLICATIONS}`,
    );
  }
  const isDraft = kept.status === "DRAFT";
  const scheduledTime = kept.scheduledTime && withZulu(kept.scheduledTime);
  const input = { scheduledTime, isDraft, publications: toPublicationInputs({ publications }) };
  const { problems, ...checked } = await checkInput(kept.ownerId, input, { ids: "parts" });
  if (blockingProblems(problems).length > 0) return { problems };
  return { problems, replacement: toSchedule(kept.id, isDraft, checked) };
}

/** Imports may progress in the meantime as long as no post has changed. */
async function assertUnchanged(before: Schedule[], after: Schedule[]): Promise<void> {
  const versionOf = (schedule: Schedule) => entityTagOf({ ...presentSchedule(schedule), pendingImports: undefined });
  for (const [index, schedule] of before.entries()) {
    await giveWay(); // a schedule has up to 1 MB
    if (versionOf(schedule) === versionOf(after[index] ?? schedule)) continue;
    throw new Conflict(`Post ${schedule.id} was just changed. Send the request again`);
  }
}
