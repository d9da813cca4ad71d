import { sql } from "drizzle-orm";
import type { AttemptOutcome, Tx } from "../../db";
import { statement, value } from "../../db/statement";
import type { NetworkAnswer } from "../../networks";
import type { Post } from "../read";
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
    select *, clock_timestamp() + make_interval(secs => "againSeconds") as again_at
    from jsonb_to_recordset(${value("chapters", "jsonb")}) as t("publicationId" bigint, "postId" bigint, outcome text,
      says text, answer jsonb, "claimedAt" timestamptz, "againSeconds" float8)
  ), same as (
    update publish_attempts a set times = a.times + 1, ended_at = clock_timestamp(), again_at = t.again_at, answer = t.answer
    from told t
    where a.id = (select max(id) from publish_attempts where publication_id = t."publicationId")
      and a.post_id = t."postId" and a.outcome = t.outcome and a.says = t.says
    returning a.publication_id
  )
  insert into publish_attempts (publication_id, post_id, outcome, says, answer, started_at, ended_at, again_at)
  select "publicationId", "postId", outcome, says, answer, "claimedAt", clock_timestamp(), again_at from told
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
