import { inArray } from "drizzle-orm";
import { z } from "zod";
import { db, feedback } from "../../db";
import { assertFirst, claimTurn, type FirstAnswer, keepAnswer } from "../../db/idempotency";
import { BadRequest, Conflict, NotFound, type Problem, refusalsIn } from "../../errors";
import { tagOf } from "../../http/entity-tag";
import { withZulu } from "../../time/instant";
import { examine } from "../check/check-input";
import { deleteLocked } from "../delete";
import { MOST_PUBLICATIONS, publicationsOf } from "../input";
import { presentSchedule, type ShownSchedule } from "../present";
import { type Schedule, schedulesUnder } from "../read";
import { scheduleOf } from "../store";
import { assertNotStarted, lockSchedules, replaceLocked } from "../update";
import { MOST_MERGED } from "./duplicates";
import { type MergedPart, planMerge } from "./plan";

/** What merging answers: what becomes of each publication and each schedule, and the one that stayed once it is done. */
export function presentMerge({ keep, parts, deleted, feedback, problems, schedule }: Merged) {
  return {
    dryRun: schedule === undefined,
    id: keep,
    publications: parts.map(({ scheduleId, publication, outcome, met }) => ({
      ...{ id: publication.id, scheduleId, socialMediaAccountId: publication.accountId, outcome },
      ...(met ? { besideId: met.of.publication.id, differences: met.differences.map(nameOf) } : {}),
    })),
    deleted,
    feedback,
    problems: problems.map(({ change: _, ...problem }) => problem),
    ...(schedule ? { schedule: presentSchedule(schedule) } : {}),
  };
}

/** A post's cover is answered as `thumbnail` (SPEC, "Posting schedule"). */
const nameOf = (field: string) => (field === "thumbnailPath" ? "thumbnail" : field);

/** Which schedules are to become one, and which of them it is. */
export const MergeWish = z
  .strictObject({
    ids: z
      .array(z.number().int())
      .min(2)
      .max(MOST_MERGED)
      .refine((ids) => new Set(ids).size === ids.length, "names one twice")
      .meta({ description: "All of them, in the order in which they add what `keep` lacks" }),
    keep: z
      .number()
      .int()
      .meta({ description: "The one that stays, with its id, its time and its publications; one of `ids`" }),
  })
  .refine(({ ids, keep }) => ids.includes(keep), { path: ["keep"], error: "is none of ids" })
  .meta({ id: "NewMerge" });

export type MergeWish = z.output<typeof MergeWish>;

/**
 * What becomes of each publication. `problems`: for what a network would refuse what comes of it, or what is only said;
 * `schedule` is the one that stayed, once it is done.
 */
export type Merged = {
  keep: number;
  parts: MergedPart[];
  deleted: number[];
  /** Those of them on which reviewers have said something, which goes with them. */
  feedback: number[];
  problems: Problem[];
  schedule?: ShownSchedule;
};

type How = {
  /** Only shown. */
  dryRun: boolean;
  first?: FirstAnswer<Merged>;
};

/**
 * Makes one schedule of several that have not started, in one transaction: it keeps its time and its publications, takes
 * those of the others for places that it does not post to yet, and the others are removed. A claim of any of them either
 * comes first and this is refused, or finds what this has made.
 * @throws NotFound; Conflict where one has started, was changed meanwhile, or two say different things to one place;
 * BadRequest where a network would refuse what comes of it; AnsweredBefore
 */
export async function mergeSchedules(ownerId: string, wish: MergeWish, { dryRun, first }: How): Promise<Merged> {
  const there = await schedulesUnder(ownerId, wish.ids);
  // Not before they are read: what the same request has removed by then is not missing.
  if (first) await assertFirst(db, first.ticket);
  const [kept, ...others] = mergeable(there, wish);
  const parts = planMerge(kept, others);
  const { problems, replacement } = await replacementOf(kept, parts);
  const deleted = others.map(({ id }) => id);
  const planned: Merged = { keep: kept.id, parts, deleted, feedback: await withFeedback(deleted), problems };
  if (dryRun) return planned;
  assertMergeable(planned);
  return db.transaction(async (tx) => {
    if (first) await claimTurn(tx, first.ticket);
    if (first) await assertFirst(tx, first.ticket);
    await lockSchedules(tx, ownerId, wish.ids);
    const locked = mergeable(await schedulesUnder(ownerId, wish.ids, tx), wish);
    assertUnchanged([kept, ...others], locked);
    const schedule = replacement ? await replaceLocked(tx, locked[0], replacement) : locked[0];
    await deleteLocked(tx, locked.slice(1));
    const done = { ...planned, schedule };
    if (first) await keepAnswer(tx, first.ticket, first.of(done));
    return done;
  });
}

/** Those of these schedules that have feedback, in their order. */
async function withFeedback(ids: number[]): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: feedback.scheduleId })
    .from(feedback)
    .where(inArray(feedback.scheduleId, ids));
  return ids.filter((id) => rows.some((row) => row.id === id));
}

/** The schedules that are to become one, the one that stays first. */
function mergeable(there: Schedule[], { ids, keep }: MergeWish): [Schedule, ...Schedule[]] {
  const found = (id: number) => {
    const schedule = there.find((one) => one.id === id);
    if (!schedule) throw new NotFound("Posting schedule", id);
    return schedule;
  };
  const all = ids.map(found);
  all.forEach(assertNotStarted);
  return [found(keep), ...all.filter(({ id }) => id !== keep)];
}

function assertMergeable({ parts, problems }: Merged): void {
  for (const { scheduleId, publication, outcome, met } of parts) {
    if (outcome !== "clashing") continue;
    const both = `${met.of.scheduleId} and ${scheduleId}`;
    throw new Conflict(`Posting schedules ${both} say different things on account ${publication.accountId}`);
  }
  const refusals = refusalsIn(problems);
  if (refusals.length > 0) throw new BadRequest(...refusals);
}

type Replacement = { problems: Problem[]; replacement?: ShownSchedule };

/** What the kept one is to be, and what is wrong with that; nothing where it lacks nothing and can stay as it is. */
async function replacementOf(kept: Schedule, parts: MergedPart[]): Promise<Replacement> {
  const publications = parts.flatMap(({ met, publication }) => (met ? [] : [publication]));
  if (publications.length === kept.publications.length) return { problems: [] };
  if (publications.length > MOST_PUBLICATIONS) {
    throw new BadRequest(`ids make ${publications.length} publications; a schedule has at most ${MOST_PUBLICATIONS}`);
  }
  const isDraft = kept.status === "DRAFT";
  const scheduledTime = kept.scheduledTime && withZulu(kept.scheduledTime);
  const input = { scheduledTime, isDraft, publications: publicationsOf({ publications }) };
  const { problems, ...examined } = await examine(kept.ownerId, input, { ids: "parts" });
  if (refusalsIn(problems).length > 0) return { problems };
  return { problems, replacement: scheduleOf(kept.id, isDraft, examined) };
}

/** Files may arrive meanwhile as long as they stand in no post yet. */
function assertUnchanged(before: Schedule[], after: Schedule[]): void {
  const versionOf = (schedule: Schedule) => tagOf({ ...presentSchedule(schedule), pendingImports: undefined });
  const changed = before.find((schedule, index) => versionOf(schedule) !== versionOf(after[index] ?? schedule));
  if (changed) throw new Conflict(`Posting schedule ${changed.id} was just changed; send it again`);
}
