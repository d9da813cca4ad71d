import { sql } from "drizzle-orm";
import type { AttemptOutcome, Tx } from "../db";
import type { NetworkAnswer } from "../networks";
import type { Claim } from "./claim";
import type { Post } from "./read";

const LONGEST = 1_000;

export type Chapter = {
  outcome: AttemptOutcome;
  /** A sentence for a person. */
  says: string;
  answer?: NetworkAnswer;
  againSeconds?: number;
};

/** Adds to a publication's story, in the transaction that records the same; the same thing once more is only counted. */
export async function tell(tx: Tx, claim: Claim, post: Post, chapter: Chapter): Promise<void> {
  const { outcome, answer, againSeconds } = chapter;
  const says = chapter.says.slice(0, LONGEST);
  const kept = answer ? JSON.stringify({ ...answer, message: answer.message?.slice(0, LONGEST) }) : null;
  const again =
    againSeconds === undefined
      ? sql`null::timestamptz`
      : sql`clock_timestamp() + make_interval(secs => ${againSeconds})`;
  await tx.execute(sql`
    with last as (
      select id, post_id, outcome, says from publish_attempts
      where publication_id = ${claim.publicationId} order by id desc limit 1
    ), same as (
      update publish_attempts a set times = a.times + 1, ended_at = clock_timestamp(), again_at = ${again},
        answer = ${kept}::jsonb
      from last where a.id = last.id and last.post_id = ${post.id} and last.outcome = ${outcome} and last.says = ${says}
      returning a.id
    )
    insert into publish_attempts (publication_id, post_id, outcome, says, answer, started_at, ended_at, again_at)
    select ${claim.publicationId}, ${post.id}, ${outcome}, ${says}, ${kept}::jsonb, ${claim.claimedAt}::timestamptz,
      clock_timestamp(), ${again} where not exists (select from same)`);
}
