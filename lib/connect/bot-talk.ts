import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { connectAttempts, db } from "../db";
import type { Platform } from "../platforms";
import { unseal } from "../secrets";

/** How connecting by a bot stands: where the person begins the talk, or what became of it. */
export type BotTalk = { platform: Platform; traceCode: string } & (
  | { state: "waiting"; startUrl: string }
  | { state: "connected"; accountId: number }
  | { state: "failed"; isInUse: boolean }
  | { state: "past" }
);

/** The talk that an owner began with this link; undefined for somebody else's and for none. */
export async function botTalkOf(ownerId: string, jti: string): Promise<BotTalk | undefined> {
  if (!z.uuid().safeParse(jti).success) return undefined;
  const [row] = await db
    .select({ attempt: connectAttempts, isPast: sql<boolean>`${connectAttempts.expiresAt} <= now()` })
    .from(connectAttempts)
    .where(
      and(
        eq(connectAttempts.ownerId, ownerId),
        eq(connectAttempts.stateId, jti),
        sql`${connectAttempts.nonceHash} is null`,
      ),
    )
    .orderBy(desc(connectAttempts.createdAt))
    .limit(1);
  if (!row) return undefined;
  const { platform, traceCode, accountId, failure, flowSealed, codeHash } = row.attempt;
  const about = { platform, traceCode };
  if (accountId !== null) return { ...about, state: "connected", accountId };
  if (failure) return { ...about, state: "failed", isInUse: failure.startsWith("account in use") };
  if (row.isPast || !flowSealed) return { ...about, state: "past" };
  const flow = JSON.parse(unseal("connect attempt", codeHash.toString("hex"), flowSealed));
  return { ...about, state: "waiting", startUrl: flow.keep.url };
}
