import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import {
  findAccountOnNetwork,
  moveDestination,
  recordDestination,
  storeAccount,
  updateDestinationEverywhere,
} from "../accounts";
import { botOffsets, connectAttempts, db, type Tx } from "../db";
import { FIRST_BOT_LOOP_LOCK } from "../db/locks";
import { AccountInUse } from "../errors";
import type { Loop } from "../jobs";
import { log } from "../log";
import { allNetworks, appOf, type BotEvent, isOffered, type Network } from "../networks";
import type { Platform } from "../platforms";
import { sha256, unseal } from "../secrets";
import { assertNotBeingDeleted, BeingDeleted } from "../users";
import { type ConnectError, isUniqueViolation, toConnectError } from "./failure";
import { addToTrace, stepAt } from "./traces";

const WAIT_SECONDS = 20;

/** One loop per bot. Only one process runs it at a time, because a bot's updates can be read by only one reader. */
export function botLoops(): Loop[] {
  return allNetworks()
    .filter((network) => network.connect.kind === "bot" && isOffered(network.platform))
    .map((network, index) => ({
      name: `${network.name} updates`,
      lock: FIRST_BOT_LOOP_LOCK + index,
      turn: () => readUpdates(network, WAIT_SECONDS),
    }));
}

/** Reads the bot's new updates and stores their effects together with the offset, so that each is applied exactly once. */
export async function readUpdates(network: Network, waitSeconds: number): Promise<void> {
  if (network.connect.kind !== "bot") return;
  const [row] = await db.select().from(botOffsets).where(eq(botOffsets.platform, network.platform));
  const { events, offset } = await network.connect.updates(appOf(network), row?.offset ?? 0, waitSeconds);
  if (offset === row?.offset) return;
  await db.transaction(async (tx) => {
    for (const event of events) await applyEvent(tx, network, event);
    const values = { platform: network.platform, offset };
    await tx.insert(botOffsets).values(values).onConflictDoUpdate({ target: botOffsets.platform, set: values });
  });
}

async function applyEvent(tx: Tx, network: Network, event: BotEvent): Promise<void> {
  if (event.kind === "moved") return moveDestination(tx, network.platform, event);
  if (event.kind === "destination") {
    const { destination, problem } = event;
    await updateDestinationEverywhere(tx, network.platform, destination.id, problem); // all accounts share one bot
    const account = await findAccountOnNetwork(tx, network.platform, event.byAccountId);
    if (account) await recordDestination(tx, account.id, destination, problem);
    return;
  }
  // The code proves who connects: it was created for one of our users, sent by one person, and works once.
  const [attempt] = await tx
    .update(connectAttempts)
    .set({ consumedAt: sql`now()` })
    .where(
      and(
        eq(connectAttempts.codeHash, sha256(event.code)),
        eq(connectAttempts.platform, network.platform),
        isNull(connectAttempts.consumedAt),
        gt(connectAttempts.expiresAt, sql`now()`),
      ),
    )
    .returning();
  if (!attempt) return;
  try {
    // A savepoint, so that a failure of this event does not roll back the others.
    await (tx as typeof db).transaction(async (inner) => {
      await assertNotBeingDeleted(inner, attempt.ownerId);
      const account = await storeAccount(inner, network, attempt.ownerId, event.profile, { accessToken: "" });
      await inner
        .update(connectAttempts)
        .set({ completedAt: sql`now()`, accountId: account.id, flowSealed: null })
        .where(eq(connectAttempts.id, attempt.id));
      const end = { outcome: "connected", accountId: account.id } as const;
      await addToTrace(inner, attempt.traceCode, [stepAt("returned"), stepAt("store")], end);
    });
  } catch (error) {
    const failed = expectedError(error);
    if (!failed) throw error;
    const { failure, message } = failed;
    await tx
      .update(connectAttempts)
      .set({ failure: `${failure}: ${message}` })
      .where(eq(connectAttempts.id, attempt.id));
    const steps = [stepAt("returned"), stepAt("store", { reason: message })];
    await addToTrace(tx, attempt.traceCode, steps, { outcome: failure });
    log.info({ attempt: attempt.traceCode, failure }, message);
  }
}

/** The error if it concerns this attempt only; undefined if the whole batch must be read again. */
function expectedError(error: unknown): ConnectError | undefined {
  const isExpected = error instanceof AccountInUse || error instanceof BeingDeleted || isUniqueViolation(error);
  return isExpected ? toConnectError(error) : undefined;
}

/** The state of connecting through a bot; `startUrl` opens the conversation with the bot. */
export type BotConnection = { platform: Platform; traceCode: string } & (
  | { state: "waiting"; startUrl: string }
  | { state: "connected"; accountId: number }
  | { state: "failed"; isInUse: boolean }
  | { state: "expired" }
);

/** The bot connection that this owner started with a link; undefined if the link is unknown or belongs to someone else. */
export async function findBotConnection(ownerId: string, jti: string): Promise<BotConnection | undefined> {
  if (!z.uuid().safeParse(jti).success) return undefined;
  const [row] = await db
    .select({ attempt: connectAttempts, isExpired: sql<boolean>`${connectAttempts.expiresAt} <= now()` })
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
  if (row.isExpired || !flowSealed) return { ...about, state: "expired" };
  const flow = JSON.parse(unseal("connect attempt", codeHash.toString("hex"), flowSealed));
  return { ...about, state: "waiting", startUrl: flow.keep.url };
}
