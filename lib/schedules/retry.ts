import { and, eq, inArray, isNull, notInArray, sql } from "drizzle-orm";
import { accounts, dbOrTransaction, posts, publications, publishSteps, schedules } from "../db";
import { Conflict } from "../errors";
import { networkOf } from "../networks";
import type { Platform } from "../platforms";
import { emit } from "../webhooks";
import { scheduleEvent } from "./events";
import { restartImports } from "./imports/attach";
import { notifyDue } from "./publish/claim";
import { isUnresolvedStep } from "./publish/steps";
import { assertRetryWithinDay } from "./quota";
import { getSchedule, type Schedule } from "./read";
import { lockSchedule } from "./update";

/** The statuses that a retry tries again. */
const RETRYABLE = ["FAILED", "UNKNOWN"] as const;

/** Thrown if a retry cannot look up a post with an unknown outcome, so only its owner can decide to send it again. */
export class ReadBackNotPossible extends Conflict {
  constructor(id: number, network: string) {
    super(
      `${network} cannot tell whether post ${id} is live. Look there. ` +
        'If it is not there, retry with { "sendAgain": true }',
    );
  }
}

/**
 * Tries the failed publications of a schedule again at once. Published posts are not touched. A post with an unknown outcome
 * keeps its intent, so the new attempt looks it up. It is sent again only with `sendAgain`, and only if the network does not
 * show it. With `accountIds`, only the publications on these accounts are tried. Media that could not be imported, or that the
 * network did not accept, are imported again, for all accounts.
 * @throws NotFound; Conflict while the schedule is being published (one of several parallel calls succeeds), or if nothing
 * failed; ReadBackNotPossible without `sendAgain`, if nothing else can be retried; QuotaExceeded if today has no room for them
 */
export async function retrySchedule(
  ownerId: string,
  id: number,
  { sendAgain, accountIds }: { sendAgain: boolean; accountIds?: number[] },
): Promise<Schedule> {
  return dbOrTransaction.transaction(async (tx) => {
    const { status } = await lockSchedule(tx, ownerId, id);
    if (status === "MEDIA_IMPORT_FAILED") {
      await restartImports(tx, { ownerId, scheduleId: id });
      await tx.update(publications).set({ leftAt: null }).where(eq(publications.scheduleId, id));
      const waiting = await getSchedule(ownerId, id, tx);
      await assertRetryWithinDay(tx, ownerId, waiting.publications.length);
      return waiting;
    }
    if (status === "AWAITING_MEDIA") throw new Conflict(`Post ${id} is already waiting for its media`);
    if (status === "IN_PROGRESS") throw new Conflict(`Post ${id} is already being published`);
    const [platform, unreadable] = sendAgain ? [undefined, []] : await readUnreadable(tx, id);
    const undone = await tx
      .update(publications)
      .set({
        status: "IN_PROGRESS",
        sendAgain,
        attempts: 0,
        claims: 0,
        leftAt: null,
        retriedAt: sql`now()`,
        claimWorker: null,
        claimUntil: null,
        dueAt: sql`now()`,
      })
      .where(
        and(
          eq(publications.scheduleId, id),
          inArray(publications.status, [...RETRYABLE]),
          notInArray(publications.id, unreadable),
          accountIds && inArray(publications.accountId, accountIds),
        ),
      )
      .returning({ id: publications.id });
    if (undone.length === 0 && platform) throw new ReadBackNotPossible(id, networkOf(platform).name);
    if (undone.length === 0)
      throw new Conflict(`Post ${id} has not failed on any account, so there is nothing to retry`);
    await assertRetryWithinDay(tx, ownerId, undone.length);
    const ids = undone.map((publication) => publication.id);
    await deletePreparations(tx, ids);
    await tx
      .update(posts)
      .set({ status: "PENDING", error: null })
      .where(and(inArray(posts.publicationId, ids), inArray(posts.status, [...RETRYABLE])));
    await tx.update(schedules).set({ status: "IN_PROGRESS", updatedAt: sql`now()` }).where(eq(schedules.id, id));
    await notifyDue(tx);
    const schedule = await getSchedule(ownerId, id, tx);
    await emit(tx, scheduleEvent(schedule));
    return schedule;
  });
}

/**
 * Leaves what did not go out unpublished: it no longer needs its owner's attention. A retry is still possible.
 * @throws NotFound; Conflict if nothing failed
 */
export async function leaveUnpublished(
  ownerId: string,
  id: number,
  { accountIds }: { accountIds?: number[] },
): Promise<Schedule> {
  return dbOrTransaction.transaction(async (tx) => {
    const { status } = await lockSchedule(tx, ownerId, id);
    const left = await tx
      .update(publications)
      .set({ leftAt: sql`coalesce(${publications.leftAt}, now())` })
      .where(
        and(
          eq(publications.scheduleId, id),
          status === "MEDIA_IMPORT_FAILED" ? undefined : inArray(publications.status, [...RETRYABLE]),
          accountIds && inArray(publications.accountId, accountIds),
        ),
      )
      .returning({ id: publications.id });
    if (left.length === 0) throw new Conflict(`Post ${id} has not failed on any account, so there is nothing to leave`);
    return getSchedule(ownerId, id, tx);
  });
}

/**
 * Returns the platform of the first and the IDs of all publications whose final call has an unknown outcome and that are not
 * looked up any more: their network cannot be read, or Carillon has looked for a day.
 */
async function readUnreadable(
  tx: Pick<typeof dbOrTransaction, "select">,
  scheduleId: number,
): Promise<[Platform | undefined, number[]]> {
  const rows = await tx
    .select({ id: publications.id, platform: accounts.platform })
    .from(publications)
    .innerJoin(accounts, eq(accounts.id, publications.accountId))
    .innerJoin(posts, and(eq(posts.publicationId, publications.id), eq(posts.status, "UNKNOWN")))
    .innerJoin(publishSteps, and(eq(publishSteps.postId, posts.id), eq(publishSteps.state, "SENDING")))
    .where(
      and(eq(publications.scheduleId, scheduleId), eq(publications.status, "UNKNOWN"), isNull(publications.dueAt)),
    );
  return [rows[0]?.platform, rows.map(({ id }) => id)];
}

/**
 * Deletes the preparatory steps of failed posts, because uploads and containers expire and failed ones stay failed. Steps that
 * led to a call that was sent are kept, as after a crash: with them the next attempt reaches that call again and finds its
 * result or looks it up. The same applies to every step of a post whose outcome is unknown.
 */
async function deletePreparations(
  tx: Pick<typeof dbOrTransaction, "delete" | "select">,
  publicationIds: number[],
): Promise<void> {
  const failed = tx
    .select({ id: posts.id })
    .from(posts)
    .where(and(inArray(posts.publicationId, publicationIds), eq(posts.status, "FAILED")));
  await tx.delete(publishSteps).where(
    and(
      inArray(publishSteps.postId, failed),
      eq(publishSteps.irreversible, false),
      sql`not exists (select from publish_steps sent where sent.post_id = ${publishSteps.postId}
        and (${isUnresolvedStep("sent")} or sent.irreversible and sent.finished_at >= ${publishSteps.startedAt}))`,
    ),
  );
}
