import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { connectAttempts, db } from "../db";
import { env } from "../env";
import { BadRequest } from "../errors";
import { networkOf } from "../networks";
import { type Platform, platforms } from "../platforms";
import { dashboardReturn } from "./addresses";
import { readUpdates } from "./bots";
import { completeAttempt } from "./complete";
import { openAttempt } from "./open";

const PATIENCE_MS = 30_000;

/**
 * Connects an account of a simulated network by sending its consent page's form, as a person would who presses "Allow",
 * and then doing what the bridge does with the callback. For the operator's command line.
 * @throws BadRequest where the network is a real one: that takes a browser and a person
 */
export async function connectWithoutBrowser(
  ownerId: string,
  platform: Platform,
  person: string,
  jti: string = randomUUID(),
): Promise<number> {
  if (env.networks[platforms[platform]].mode !== "sandbox") {
    throw new BadRequest(`platform is not simulated here: ${platform}. Connect it in the dashboard`);
  }
  const attempt = await openAttempt({ jti, owner: ownerId, platform, redirectUri: dashboardReturn() });
  const answer = await fetch(attempt.url, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ account: person, decision: "allow" }),
  });
  if (answer.status >= 400) throw new BadRequest(`person was not taken by the consent page: ${person}`);
  const network = networkOf(platform);
  if (network.connect.kind === "bot") return untilConnected(attempt.id, () => readUpdates(network, 0));
  const callback = new URL(answer.headers.get("location") ?? "", attempt.url);
  return (await completeAttempt(platform, callback.searchParams, [attempt.nonce ?? ""])).accountId;
}

/** The bot hears of it on its own line: a running worker's, or ours where none listens. */
async function untilConnected(attemptId: string, listen: () => Promise<void>): Promise<number> {
  const since = Date.now();
  while (Date.now() - since < PATIENCE_MS) {
    const [row] = await db.select().from(connectAttempts).where(eq(connectAttempts.id, attemptId));
    if (row?.failure) throw new BadRequest(row.failure);
    if (row?.accountId) return row.accountId;
    await listen().catch(() => sleep(100)); // a worker that listens already keeps the line
  }
  throw new Error("the network did not tell its bot of the connection");
}
