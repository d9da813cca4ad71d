import { asc, eq, inArray, sql } from "drizzle-orm";
import { type AttemptOutcome, accounts, db, publications, publishAttempts, type Tx } from "../../db";
import { statement, value } from "../../db/statement";
import type { NetworkAnswer } from "../../networks";
import type { Platform } from "../../platforms";
import { withZulu } from "../../time/instant";
import { presentComment, presentPost } from "../present";
import { getSchedule, type Post, type Publication, type Schedule } from "../read";
import type { Claim } from "./claim";
import { type PublishingPause, presentPause } from "./pause";

const MAX_MESSAGE_LENGTH = 1_000;
/** Begins the messages of attempts at the first comment in receipts, and in rows that a release without `is_comment` stored. */
const COMMENT = "First comment: ";

export type AttemptEntry = {
  outcome: AttemptOutcome;
  /** A sentence for the user. */
  message: string;
  answer?: NetworkAnswer;
  againSeconds?: number;
};

/** The result of one attempt at a post, with the claim under which it was made. */
export type PostAttempt = { claim: Claim; post: Post; attempt: AttemptEntry };

const insertAttempts = statement<{ attempts: string }, never>(
  "publish-attempts.record",
  sql`
  with recorded as materialized (
    select *, clock_timestamp() + make_interval(secs => "againSeconds") as next_attempt_at
    from jsonb_to_recordset(${value("attempts", "jsonb")}) as t("publicationId" bigint, "postId" bigint, "isComment" bool, outcome text,
      message text, answer jsonb, "claimedAt" timestamptz, "againSeconds" float8)
  ), repeated as (
    update publish_attempts a set times = a.times + 1, ended_at = clock_timestamp(), next_attempt_at = t.next_attempt_at, answer = t.answer
    from recorded t
    where a.id = (select max(id) from publish_attempts where publication_id = t."publicationId")
      and a.post_id = t."postId" and coalesce(a.is_comment, false) = t."isComment" and a.outcome = t.outcome and a.message = t.message
    returning a.publication_id
  )
  insert into publish_attempts (publication_id, post_id, is_comment, outcome, message, answer, started_at, ended_at, next_attempt_at)
  select "publicationId", "postId", "isComment", outcome, message, answer, "claimedAt", clock_timestamp(), next_attempt_at from recorded
  where "publicationId" not in (select publication_id from repeated)`,
);

/**
 * Adds attempts to the publications' receipts, in the transaction that records their results. An attempt that repeats the
 * previous one increases its counter instead of adding a row.
 */
export async function recordAttempts(tx: Tx, all: PostAttempt[]): Promise<void> {
  const attempts = all.map(({ claim, post, attempt: { outcome, message, answer, againSeconds } }) => ({
    publicationId: claim.publicationId,
    postId: post.id,
    isComment: claim.comment !== null,
    outcome,
    message: message.slice(0, MAX_MESSAGE_LENGTH),
    answer: answer && { ...answer, message: answer.message?.slice(0, MAX_MESSAGE_LENGTH) },
    claimedAt: claim.claimedAt,
    againSeconds,
  }));
  await insertAttempts(tx, { attempts: JSON.stringify(attempts) });
}

type Attempt = typeof publishAttempts.$inferSelect;
export type Receipt = Omit<Schedule, "publications"> & {
  publications: (Publication & { platform: Platform; attemptLog: Attempt[] })[];
};

/**
 * Returns a schedule with the attempts of each publication, oldest first.
 * @throws NotFound
 */
export async function getReceipt(ownerId: string, id: number): Promise<Receipt> {
  const schedule = await getSchedule(ownerId, id);
  const ids = schedule.publications.map((publication) => publication.id);
  if (ids.length === 0) return { ...schedule, publications: [] };
  const [attempts, on] = await Promise.all([
    db
      .select()
      .from(publishAttempts)
      .where(inArray(publishAttempts.publicationId, ids))
      .orderBy(asc(publishAttempts.id)),
    db
      .select({ id: publications.id, platform: accounts.platform })
      .from(publications)
      .innerJoin(accounts, eq(accounts.id, publications.accountId))
      .where(inArray(publications.id, ids)),
  ]);
  return {
    ...schedule,
    publications: schedule.publications.flatMap((publication) => {
      const platform = on.find((one) => one.id === publication.id)?.platform;
      const attemptLog = attempts.filter(({ publicationId }) => publicationId === publication.id);
      return platform ? [{ ...publication, platform, attemptLog }] : [];
    }),
  };
}

/** The attempts at each publication: when they were made, what the network answered and when the next one follows. */
export function presentReceipt(receipt: Receipt, pause: PublishingPause | undefined) {
  return {
    id: receipt.id,
    overallStatus: receipt.status,
    ...(receipt.scheduledTime ? { scheduledTime: withZulu(receipt.scheduledTime) } : {}),
    ...presentPause(pause),
    publications: receipt.publications.map((publication) => ({
      id: publication.id,
      socialMediaAccountId: publication.accountId,
      platform: publication.platform,
      status: publication.status,
      attempts: publication.attempts,
      ...presentNextAttempt(publication),
      story: publication.attemptLog.map(presentAttempt),
      posts: publication.posts.map(presentPost),
      ...presentComment(publication.comment),
    })),
  };
}

function presentNextAttempt({ dueAt, commentDueAt, claimWorker }: Publication) {
  const next = dueAt ?? commentDueAt;
  return next && !claimWorker ? { nextAttemptTime: withZulu(next) } : {};
}

function presentAttempt(attempt: Attempt) {
  const { isComment, message } = attempt;
  return {
    postId: attempt.postId,
    ...((isComment ?? message.startsWith(COMMENT)) ? { firstComment: true } : {}),
    outcome: attempt.outcome,
    message: isComment ? `${COMMENT}${message}` : message,
    startTime: withZulu(attempt.startedAt),
    endTime: withZulu(attempt.endedAt),
    times: attempt.times,
    ...(attempt.answer ? { answer: attempt.answer } : {}),
    ...(attempt.nextAttemptAt ? { nextAttemptTime: withZulu(attempt.nextAttemptAt) } : {}),
  };
}
