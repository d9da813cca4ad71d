import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { changeDestination, findAccountOnNetwork, moveDestination, recordDestination, storeAccount } from "../accounts";
import { botOffsets, connectAttempts, db, type Tx } from "../db";
import { AccountInUse } from "../errors";
import type { Loop } from "../jobs";
import { log } from "../log";
import { allNetworks, appOf, type BotEvent, isOffered, type Network } from "../networks";
import { digestOf } from "../secrets";
import { assertStays, BeingDeleted } from "../users";
import { asFailure, type ConnectFailed, isUniqueViolation } from "./failure";
import { addToTrace, stepAt } from "./traces";

/** The first bot's loop has this advisory lock, the next one the number after it. */
const BOT_LOCK = 9_001;
const WAIT_SECONDS = 20;

/** One loop for each bot: of all processes one listens, as a bot's updates can be read by one only. */
export function botLoops(): Loop[] {
  return allNetworks()
    .filter((network) => network.connect.kind === "bot" && isOffered(network.platform))
    .map((network, index) => ({
      name: `${network.name} updates`,
      lock: BOT_LOCK + index,
      turn: () => readUpdates(network, WAIT_SECONDS),
    }));
}

/** Reads what the bot was told since last time; events and offset are kept together, so none is lost or done twice. */
export async function readUpdates(network: Network, waitSeconds: number): Promise<void> {
  if (network.connect.kind !== "bot") return;
  const [row] = await db.select().from(botOffsets).where(eq(botOffsets.platform, network.platform));
  const { events, offset } = await network.connect.updates(appOf(network), row?.offset ?? 0, waitSeconds);
  if (offset === row?.offset) return;
  await db.transaction(async (tx) => {
    for (const event of events) await apply(tx, network, event);
    const kept = { platform: network.platform, offset };
    await tx.insert(botOffsets).values(kept).onConflictDoUpdate({ target: botOffsets.platform, set: kept });
  });
}

async function apply(tx: Tx, network: Network, event: BotEvent): Promise<void> {
  if (event.kind === "moved") return moveDestination(tx, network.platform, event);
  if (event.kind === "destination") {
    const { destination, problem } = event;
    await changeDestination(tx, network.platform, destination.id, problem); // the bot is one: whoever lists it is concerned
    const account = await findAccountOnNetwork(tx, network.platform, event.byAccountId);
    if (account) await recordDestination(tx, account.id, destination, problem);
    return;
  }
  // The code is the proof: made for one user of ours, carried by one person of the network's, good once.
  const [attempt] = await tx
    .update(connectAttempts)
    .set({ consumedAt: sql`now()` })
    .where(
      and(
        eq(connectAttempts.codeHash, digestOf(event.code)),
        eq(connectAttempts.platform, network.platform),
        isNull(connectAttempts.consumedAt),
        gt(connectAttempts.expiresAt, sql`now()`),
      ),
    )
    .returning();
  if (!attempt) return;
  try {
    // A savepoint: what is wrong with this one must not take the other events with it.
    await (tx as typeof db).transaction(async (inner) => {
      await assertStays(inner, attempt.ownerId);
      const account = await storeAccount(inner, network, attempt.ownerId, event.profile, { accessToken: "" });
      await inner
        .update(connectAttempts)
        .set({ completedAt: sql`now()`, accountId: account.id, flowSealed: null })
        .where(eq(connectAttempts.id, attempt.id));
      const end = { outcome: "connected", accountId: account.id } as const;
      await addToTrace(inner, attempt.traceCode, [stepAt("returned"), stepAt("store")], end);
    });
  } catch (error) {
    const failed = failureOf(error);
    if (!failed) throw error;
    const { failure, message: says } = failed;
    await tx
      .update(connectAttempts)
      .set({ failure: `${failure}: ${says}` })
      .where(eq(connectAttempts.id, attempt.id));
    await addToTrace(tx, attempt.traceCode, [stepAt("returned"), stepAt("store", { says })], { outcome: failure });
    log.info({ attempt: attempt.traceCode, failure }, says);
  }
}

/** Why a code that was taken connected nothing; undefined where it is no fault of the code's. */
function failureOf(error: unknown): ConnectFailed | undefined {
  const isOfCode = error instanceof AccountInUse || error instanceof BeingDeleted || isUniqueViolation(error);
  return isOfCode ? asFailure(error) : undefined;
}
