import { sql } from "drizzle-orm";
import type { Post } from "../read";
import type { Claim, Step } from "./claim";
import { resultOf } from "./steps";

/** What a poll remembers that goes on after the final call was accepted. */
export const AFTER_COMMIT = "after commit";

/** The steps of a post that leave open whether it is out: a call without an answer, and a poll after an accepted call. */
export function openSteps({ steps }: Claim, post: Post): Step[] {
  return steps.filter(
    (step) =>
      step.postId === post.id && (step.state === "SENDING" || (step.state === "POLLING" && isAfterCommit(step))),
  );
}

/** Whether a call of this post went out that cannot be taken back. */
export function wasSent(claim: Claim, post: Post): boolean {
  const isSent = claim.steps.some(({ postId, irreversible }) => postId === post.id && irreversible);
  return isSent || openSteps(claim, post).length > 0;
}

/** Open steps in SQL, of a row of `publish_steps` by this name. */
export const isOpen = (row: string) => {
  const step = sql.identifier(row);
  return sql`(${step}.state = 'SENDING' or ${step}.state = 'POLLING' and ${step}.result ->> 'value' = ${AFTER_COMMIT})`;
};

const isAfterCommit = (step: Step) => step.result !== null && resultOf(step) === AFTER_COMMIT;
