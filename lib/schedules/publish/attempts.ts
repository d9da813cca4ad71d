import { asc, eq, inArray, sql } from "drizzle-orm";
import { type AttemptOutcome, accounts, db, publications, publishAttempts, type Tx } from "../../db";
import { statement, value } from "../../db/statement";
import type { NetworkAnswer } from "../../networks";
import type { Platform } from "../../platforms";
import { getSchedule, type Post, type Publication, type Schedule } from "../read";
import type { Claim } from "./claim";

const LONGEST = 1_000;

export type Chapter = {
  outcome: AttemptOutcome;
  /** A sentence for a person. */
  says: string;
  answer?: NetworkAnswer;
  againSeconds?: number;
};

/** What became of which post, in whose hands. */
export type Told = { claim: Claim; post: Post; chapter: Chapter };

const insertChapters = statement<{ chapters: string }, never>(
  "publish-attempts.tell",
  sql`
  with told as materialized (
    select *, clock_timestamp() + make_interval(secs => "againSeconds") as next_attempt_at
    from jsonb_to_recordset(${value("chapters", "jsonb")}) as t("publicationId" bigint, "postId" bigint, outcome text,
      says text, answer jsonb, "claimedAt" timestamptz, "againSeconds" float8)
  ), same as (
    update publish_attempts a set times = a.times + 1, ended_at = clock_timestamp(), next_attempt_at = t.next_attempt_at, answer = t.answer
    from told t
    where a.id = (select max(id) from publish_attempts where publication_id = t."publicationId")
      and a.post_id = t."postId" and a.outcome = t.outcome and a.message = t.says
    returning a.publication_id
  )
  insert into publish_attempts (publication_id, post_id, outcome, message, answer, started_at, ended_at, next_attempt_at)
  select "publicationId", "postId", outcome, says, answer, "claimedAt", clock_timestamp(), next_attempt_at from told
  where "publicationId" not in (select publication_id from same)`,
);

/** Adds to publications' stories, in the transaction that records the same; the same thing once more is only counted. */
export async function tell(tx: Tx, all: Told[]): Promise<void> {
  const chapters = all.map(({ claim, post, chapter: { outcome, says, answer, againSeconds } }) => ({
    publicationId: claim.publicationId,
    postId: post.id,
    outcome,
    says: says.slice(0, LONGEST),
    answer: answer && { ...answer, message: answer.message?.slice(0, LONGEST) },
    claimedAt: claim.claimedAt,
    againSeconds,
  }));
  await insertChapters(tx, { chapters: JSON.stringify(chapters) });
}

type Attempt = typeof publishAttempts.$inferSelect;
export type Receipt = Omit<Schedule, "publications"> & {
  publications: (Publication & { platform: Platform; story: Attempt[] })[];
};

/**
 * A schedule with the story of each publication, oldest first.
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
      const story = attempts.filter(({ publicationId }) => publicationId === publication.id);
      return platform ? [{ ...publication, platform, story }] : [];
    }),
  };
}
