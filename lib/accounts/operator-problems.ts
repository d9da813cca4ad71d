import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { db, operatorProblems, users } from "../db";
import { log } from "../log";
import { queueMail } from "../mail";
import { networkOf, type PlatformError } from "../networks";
import type { Platform } from "../platforms";

// An error of the kind `operator` is stored by network and reason. `doctor`, `/metrics` and the staff pages list the open ones, and
// the staff get one mail a day about each, however many processes see it.

/** A problem counts as open for this long after it was last seen. A post that waits is tried again at least every hour. */
const OPEN = sql.raw("interval '1 day'");
const BETWEEN_MAILS = sql.raw("interval '1 day'");

export type OperatorProblem = Pick<
  typeof operatorProblems.$inferSelect,
  "platform" | "reason" | "fix" | "times" | "firstAt" | "lastAt"
>;

/** Stores an error of the kind `operator`, and mails the staff if they have not heard of it for a day. Ignores other errors. */
export async function reportOperatorProblem(platform: Platform, error: PlatformError): Promise<void> {
  const { kind, message: reason, fix = "" } = error;
  if (kind !== "operator") return;
  const { resolvedAt, lastAt, firstAt, times, mailedAt } = operatorProblems;
  const isClosed = sql`(${resolvedAt} is not null or ${lastAt} < now() - ${OPEN})`;
  await db.transaction(async (tx) => {
    const [row] = await tx
      .insert(operatorProblems)
      .values({ platform, reason, fix, firstAt: sql`now()`, lastAt: sql`now()`, mailedAt: sql`now()` })
      .onConflictDoUpdate({
        target: [operatorProblems.platform, operatorProblems.reason],
        set: {
          fix,
          firstAt: sql`case when ${isClosed} then now() else ${firstAt} end`,
          times: sql`case when ${isClosed} then 1 else ${times} + 1 end`,
          lastAt: sql`now()`,
          resolvedAt: null,
          mailedAt: sql`case when ${mailedAt} < now() - ${BETWEEN_MAILS} then now() else ${mailedAt} end`,
        },
      })
      .returning({ isMailDue: sql<boolean>`${mailedAt} = now()`, mailedAt });
    if (!row?.isMailDue) return;
    log.error({ platform, fix, answer: error.answer }, reason);
    const staff = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.role, "staff"), sql`${users.emailConfirmedAt} is not null`));
    for (const { id: ownerId } of staff) {
      const facts = { network: networkOf(platform).name, reason, fix };
      const about = [ownerId, platform, row.mailedAt, reason].join(" ");
      await queueMail(tx, { kind: "operatorProblem", ownerId, about, facts });
    }
  });
}

/** The problems that were seen within a day, and for which no waiting post has been published since. */
export async function listOperatorProblems(): Promise<OperatorProblem[]> {
  const { platform, reason, fix, times, firstAt, lastAt, resolvedAt } = operatorProblems;
  return db
    .select({ platform, reason, fix, times, firstAt, lastAt })
    .from(operatorProblems)
    .where(and(isNull(resolvedAt), gt(lastAt, sql`now() - ${OPEN}`)))
    .orderBy(platform, reason);
}

/** Marks the problems for which this publication had waited as solved, after it was published. */
export async function resolveOperatorProblems(platform: Platform, publicationId: number): Promise<void> {
  await db.execute(sql`
    update operator_problems o set resolved_at = now()
    where o.platform = ${platform} and o.resolved_at is null and exists (
      select from publish_attempts a where a.publication_id = ${publicationId} and starts_with(a.message, o.reason))`);
}
