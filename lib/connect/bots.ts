import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { findAccountOnNetwork, moveDestination, recordDestination, updateDestinationEverywhere } from "../accounts";
import { botOffsets, connectAttempts, db, type Tx } from "../db";
import { FIRST_BOT_LOOP_LOCK } from "../db/locks";
import type { Loop } from "../jobs";
import { log } from "../log";
import { allNetworks, appOf, type BotConnect, type BotEvent, isOffered, type Network } from "../networks";
import type { Platform } from "../platforms";
import { readDashboardReturn } from "./addresses";
import { applyAnswer, askPerson, type BotReply } from "./bot-questions";
import { flowOf } from "./open";

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

/** Reads the bot's new updates and stores their effects together with the offset, so that each is applied exactly once. Then replies. */
export async function readUpdates(network: Network, waitSeconds: number): Promise<void> {
  if (network.connect.kind !== "bot") return;
  const [row] = await db.select().from(botOffsets).where(eq(botOffsets.platform, network.platform));
  const { connect } = network;
  const { events, offset } = await connect.updates(appOf(network), row?.offset ?? 0, waitSeconds);
  if (offset === row?.offset) return;
  const replies = await db.transaction(async (tx) => {
    const collected: BotReply[] = [];
    for (const event of events) {
      const reply = await applyEvent(tx, network, event);
      if (reply) collected.push(reply);
    }
    const values = { platform: network.platform, offset };
    await tx.insert(botOffsets).values(values).onConflictDoUpdate({ target: botOffsets.platform, set: values });
    return collected;
  });
  await sendReplies(network, connect, replies);
}

async function applyEvent(tx: Tx, network: Network, event: BotEvent): Promise<BotReply | undefined> {
  if (event.kind === "moved") {
    await moveDestination(tx, network.platform, event);
    return undefined;
  }
  if (event.kind === "destination") {
    const { destination, problem } = event;
    await updateDestinationEverywhere(tx, network.platform, destination.id, problem); // all accounts share one bot
    const account = await findAccountOnNetwork(tx, network.platform, event.byAccountId);
    if (account) await recordDestination(tx, account.id, destination, problem);
    return undefined;
  }
  return event.kind === "start" ? askPerson(tx, network, event) : applyAnswer(tx, network, event);
}

/** Sends the bot's messages. A lost one does no harm: the person presses Start or the button again. */
async function sendReplies(network: Network, connect: BotConnect, replies: BotReply[]): Promise<void> {
  const app = appOf(network);
  const sendReply = (reply: BotReply) => {
    if (reply.kind === "ask") return connect.ask(app, reply.personId, reply.text, reply.buttons);
    if (reply.kind === "tell") return connect.tell(app, reply.personId, reply.text);
    return connect.conclude(app, reply.answer, reply.text);
  };
  await Promise.all(
    replies.map((reply) =>
      sendReply(reply).catch((error: unknown) =>
        log.warn({ network: network.name, reply: reply.kind, error: String(error) }, "the bot's message was not sent"),
      ),
    ),
  );
}

type BotFailure = "account in use" | "other account" | "declined" | "other";

/**
 * The state of connecting through a bot; `startUrl` opens the conversation with the bot, `reconnects` is the account that the
 * person wanted to reconnect.
 */
export type BotConnection = { platform: Platform; traceCode: string } & (
  | { state: "waiting"; startUrl: string }
  | { state: "connected"; accountId: number }
  | { state: "failed"; reason: BotFailure; reconnects?: number }
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
  const { platform, traceCode, accountId, failure, redirectUri, flowSealed, codeHash } = row.attempt;
  const about = { platform, traceCode };
  if (accountId !== null) return { ...about, state: "connected", accountId };
  if (failure) {
    const reconnects = readDashboardReturn(redirectUri)?.reconnects;
    return { ...about, state: "failed", reason: reasonOf(failure), reconnects };
  }
  if (row.isExpired || !flowSealed) return { ...about, state: "expired" };
  return { ...about, state: "waiting", startUrl: flowOf({ codeHash, flowSealed }).keep.url ?? "" };
}

function reasonOf(failure: string): BotFailure {
  if (failure.startsWith("account in use")) return "account in use";
  if (failure.startsWith("other account")) return "other account";
  return failure.startsWith("denied") ? "declined" : "other";
}
