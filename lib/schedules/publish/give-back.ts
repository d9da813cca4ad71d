import { sql } from "drizzle-orm";
import { db, publications } from "../../db";
import type { Post } from "../read";
import { type Chapter, tell } from "./attempts";
import { type Claim, inSeconds, isHeld } from "./claim";

/**
 * Gives a claim back, to be due again after so many seconds, or, without any, when its person asks. `failed` counts an
 * attempt; being told to wait does not. Coming here is progress, unless the fault was ours (`isStuck`).
 */
export async function giveBack(
  claim: Claim,
  post: Post,
  chapter: Chapter,
  { failed = false, isStuck = false }: { failed?: boolean; isStuck?: boolean } = {},
): Promise<void> {
  const { againSeconds } = chapter;
  await db.transaction(async (tx) => {
    const rows = await tx
      .update(publications)
      .set({
        leaseWorker: null,
        leaseUntil: null,
        dueAt: againSeconds === undefined ? null : inSeconds(againSeconds),
        ...(failed ? { attempts: sql`${publications.attempts} + 1` } : {}),
        ...(isStuck ? {} : { claims: 0 }),
      })
      .where(isHeld(claim))
      .returning({ id: publications.id });
    if (rows.length > 0) await tell(tx, [{ claim, post, chapter }]); // else another worker has it, and tells its own
  });
}
