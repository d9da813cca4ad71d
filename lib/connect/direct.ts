import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { storeAccount } from "../accounts";
import { connectAttempts, db } from "../db";
import { env } from "../env";
import { BadRequest } from "../errors";
import { appOf, networkOf, networkSession } from "../networks";
import { type Platform, platforms } from "../platforms";
import { assertNotBeingDeleted, assertStillAllowed } from "../users";
import { connectableNetwork, dashboardReturn } from "./addresses";
import { readUpdates } from "./bots";
import { assertWantedAccount, completeAttempt } from "./complete";
import { openAttempt } from "./open";
import { addToTrace, beginTrace, newTraceCode, stepAt } from "./traces";

const BOT_TIMEOUT_MS = 30_000;

type Credentials = { account: string; password: string; host?: string };
/** A connect link. Its page asks for the outcome by the link's `jti`. */
type Link = { jti: string; redirectUri: string; sessionEpoch?: number };

/**
 * Connects an account with an app password: signs in, reads the profile and stores the account in one transaction. The app
 * password itself is not stored.
 * @throws Unauthorized if the person's own password was reset in the meantime; BadRequest if the network accepts no app passwords;
 * PlatformError if it refuses this one; AccountInUse; ConnectError if the link asked for another account
 */
export async function connectWithPassword(
  ownerId: string,
  platform: Platform,
  credentials: Credentials,
  link?: Link,
): Promise<number> {
  const network = connectableNetwork(platform);
  const password = network.connect.kind === "oauth" ? network.connect.password : undefined;
  if (!password) throw new BadRequest(`platform does not accept passwords: ${platform}`);
  const tokens = await password.signIn(appOf(network), credentials);
  const profile = await network.profile(networkSession(network, { accountId: "", username: "", tokens }));
  const account = await db.transaction(async (tx) => {
    await assertStillAllowed(tx, { id: ownerId, sessionEpoch: link?.sessionEpoch });
    await assertNotBeingDeleted(tx, ownerId);
    if (link) await assertWantedAccount(tx, { ownerId, platform, redirectUri: link.redirectUri }, profile);
    const stored = await storeAccount(tx, network, ownerId, profile, tokens);
    if (!link) return stored;
    const code = newTraceCode();
    await beginTrace(tx, { ...link, code, owner: ownerId, platform, steps: [stepAt("opened")] });
    await addToTrace(tx, code, [stepAt("store")], { outcome: "connected", accountId: stored.id });
    return stored;
  });
  return account.id;
}

/**
 * Connects an account of a simulated network: submits its consent page as a person who presses Allow, then handles the
 * callback as the bridge does. Used by the operator's command line, rehearsals and tests.
 * @throws BadRequest if the network is a real one, which needs a browser and a person
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
    headers: { connection: "close" }, // an idle connection would keep a command running after it has printed
    body: new URLSearchParams({ account: person, decision: "allow" }),
  });
  await answer.body?.cancel(); // an unread body can end the process (ADR 61)
  if (answer.status >= 400) throw new BadRequest(`the consent page did not accept this person: ${person}`);
  const network = networkOf(platform);
  if (network.connect.kind === "bot") return waitForBot(attempt.id, () => readUpdates(network, 0));
  const callback = new URL(answer.headers.get("location") ?? "", attempt.url);
  return (await completeAttempt(platform, callback.searchParams, [attempt.nonce ?? ""])).accountId;
}

/** Waits until the bot's update arrives. A running worker reads it; if none is running, this call reads it. */
async function waitForBot(attemptId: string, readOnce: () => Promise<void>): Promise<number> {
  const since = Date.now();
  while (Date.now() - since < BOT_TIMEOUT_MS) {
    const [row] = await db.select().from(connectAttempts).where(eq(connectAttempts.id, attemptId));
    if (row?.failure) throw new BadRequest(row.failure);
    if (row?.accountId) return row.accountId;
    await readOnce().catch(() => sleep(100)); // a running worker is reading already
  }
  throw new Error("the network did not report the connection to its bot");
}
