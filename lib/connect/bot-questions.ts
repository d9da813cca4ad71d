import { and, eq, gt, isNull, sql } from "drizzle-orm";
import { storeAccount } from "../accounts";
import { accounts, connectAttempts, type db, isUniqueViolation, type Tx, users } from "../db";
import { AccessDenied, AccountInUse } from "../errors";
import { log } from "../log";
import type { BotAnswer, BotStart, Network, Profile } from "../networks";
import { sha256 } from "../secrets";
import { normalized } from "../text";
import { assertNotBeingDeleted, BeingDeleted } from "../users";
import { assertMayConnect, assertWantedAccount } from "./complete";
import { ConnectError, type ConnectFailure, toConnectError } from "./failure";
import { addToTrace, stepAt } from "./traces";

/**
 * A start code only says who opened the link: whoever presses Start is asked, by name, whether to connect. The account is
 * connected when that person presses Yes. The buttons carry the code, so a question needs no row of its own: several
 * people can be asked with one link, and the first answer decides.
 */

/** What the bot sends after an update was stored. */
export type BotReply =
  | { kind: "ask"; personId: string; text: string; buttons: { label: string; data: string }[] }
  | { kind: "tell"; personId: string; text: string }
  | { kind: "conclude"; answer: BotAnswer; text: string };

type Attempt = typeof connectAttempts.$inferSelect;

/** Returns the question for a person who pressed Start; undefined for an unknown code, so that strangers get no reply. */
export async function askPerson(tx: Tx, network: Network, { code, profile }: BotStart): Promise<BotReply | undefined> {
  const [found] = await tx
    .select({ isOpen: isOpen(), owner: users.name })
    .from(connectAttempts)
    .innerJoin(users, eq(users.id, connectAttempts.ownerId))
    .where(ofCode(network, code));
  if (!found) return undefined;
  const personId = profile.accountId;
  if (!found.isOpen) return { kind: "tell", personId, text: botTexts.over };
  const buttons = [
    { label: botTexts.yes, data: `yes:${code}` },
    { label: botTexts.no, data: `no:${code}` },
  ];
  return { kind: "ask", personId, text: botTexts.question(personName(profile), found.owner), buttons };
}

/** Applies a pressed Yes or No exactly once. Returns the text that replaces the question. */
export async function applyAnswer(tx: Tx, network: Network, answer: BotAnswer): Promise<BotReply> {
  return { kind: "conclude", answer, text: await textAfter(tx, network, answer) };
}

async function textAfter(tx: Tx, network: Network, { data, profile }: BotAnswer): Promise<string> {
  const [, choice, code = ""] = /^(yes|no):([A-Za-z0-9_-]+)$/.exec(data) ?? [];
  if (!choice) return botTexts.over;
  const [attempt] = await tx
    .update(connectAttempts)
    .set({ consumedAt: sql`now()` })
    .where(and(ofCode(network, code), isOpen()))
    .returning();
  if (!attempt) return (await isConnectedBy(tx, network, code, profile)) ? botTexts.alreadyConnected : botTexts.over;
  const failed = choice === "yes" ? await connectPerson(tx, network, attempt, profile) : declined(network);
  if (failed) {
    await storeFailure(tx, attempt, failed);
    return choice === "no" ? botTexts.declined : botTexts.failed(failed.failure);
  }
  const [owner] = await tx.select({ name: users.name }).from(users).where(eq(users.id, attempt.ownerId));
  return botTexts.connected(personName(profile), owner?.name ?? "");
}

function ofCode(network: Network, code: string) {
  return and(
    eq(connectAttempts.codeHash, sha256(code)),
    eq(connectAttempts.platform, network.platform),
    isNull(connectAttempts.nonceHash), // only codes that were created for a bot
  );
}

function isOpen() {
  return sql<boolean>`(${and(isNull(connectAttempts.consumedAt), gt(connectAttempts.expiresAt, sql`now()`))})`;
}

function declined(network: Network): ConnectError {
  return new ConnectError("denied", `Connecting ${network.name} was declined`);
}

/** Stores the account. Returns the error if it concerns this attempt only; any other error is thrown. */
async function connectPerson(
  tx: Tx,
  network: Network,
  attempt: Attempt,
  profile: Profile,
): Promise<ConnectError | undefined> {
  try {
    // A savepoint, so that a failure of this event does not roll back the others.
    await (tx as typeof db).transaction(async (inner) => {
      await assertMayConnect(inner, attempt.ownerId);
      await assertNotBeingDeleted(inner, attempt.ownerId);
      await assertWantedAccount(inner, attempt, profile);
      const account = await storeAccount(inner, network, attempt.ownerId, profile, { accessToken: "" });
      await inner
        .update(connectAttempts)
        .set({ completedAt: sql`now()`, accountId: account.id, flowSealed: null })
        .where(eq(connectAttempts.id, attempt.id));
      const end = { outcome: "connected", accountId: account.id } as const;
      await addToTrace(inner, attempt.traceCode, [stepAt("returned"), stepAt("store")], end);
    });
    return undefined;
  } catch (error) {
    const isExpected =
      error instanceof AccountInUse ||
      error instanceof ConnectError ||
      error instanceof AccessDenied ||
      error instanceof BeingDeleted ||
      isUniqueViolation(error);
    if (!isExpected) throw error; // the whole batch must be read again
    return toConnectError(error);
  }
}

async function storeFailure(tx: Tx, attempt: Attempt, { failure, message }: ConnectError): Promise<void> {
  await tx
    .update(connectAttempts)
    .set({ failure: `${failure}: ${message}`, flowSealed: null })
    .where(eq(connectAttempts.id, attempt.id));
  const step = failure === "denied" ? stepAt("returned", { reason: message }) : stepAt("store", { reason: message });
  await addToTrace(tx, attempt.traceCode, failure === "denied" ? [step] : [stepAt("returned"), step], {
    outcome: failure,
  });
  log.info({ attempt: attempt.traceCode, failure }, message);
}

/** Whether this code connected this person: they pressed Yes twice, or the network repeated the update. */
async function isConnectedBy(tx: Tx, network: Network, code: string, { accountId }: Profile): Promise<boolean> {
  const [row] = await tx
    .select({ id: accounts.id })
    .from(connectAttempts)
    .innerJoin(accounts, eq(accounts.id, connectAttempts.accountId))
    .where(and(ofCode(network, code), eq(accounts.networkAccountId, accountId)));
  return row !== undefined;
}

const MAX_NAME = 40;

/**
 * A name as part of the bot's sentence: one line of letters, digits, spaces and a few marks, at most 40 characters. The
 * person who chose it must not be able to write a sentence, a link or a mention into the question.
 */
export function plainName(name: string): string {
  const plain = normalized(name.toWellFormed())
    .replace(/\p{M}{4,}|[^\p{L}\p{M}\p{N} ,'’&()-]/gu, " ")
    .replace(/ +/g, " ")
    .trim();
  return [...plain].slice(0, MAX_NAME).join("").trim();
}

/** How the bot addresses a person: the network's user name, or the displayed name if there is none. */
export function personName({ accountId, username, displayName }: Profile): string {
  return username === accountId ? plainName(displayName) || accountId : `@${username}`;
}

const owned = (owner: string) => plainName(owner) || "a user without a name";

/** What the bot says, as plain text. */
export const botTexts = {
  yes: "Yes",
  no: "No",
  question: (person: string, owner: string) =>
    `Connect ${person} to ${owned(owner)} at Carillon?\n\nPress Yes only if you opened this link from your own Carillon account. After Yes, that Carillon account can post to the channels and groups that you add this bot to.`,
  connected: (person: string, owner: string) =>
    `Done: ${person} is connected to ${owned(owner)} at Carillon. Go back to Carillon to add your channels and groups.`,
  alreadyConnected: "Done: you are connected. Go back to Carillon to add your channels and groups.",
  declined: "Nothing was connected, and the link no longer works.",
  over: "Nothing was connected: this link was used already or is too old. Start again in Carillon.",
  failed: (failure: ConnectFailure) => {
    if (failure === "account in use")
      return "Nothing was connected: another Carillon user has connected your account already. Disconnect it there first, or use another account.";
    if (failure === "other account")
      return "Nothing was connected: Carillon asked you to reconnect another account. Go back to Carillon to choose what to do.";
    return "Nothing was connected. Go back to Carillon to see the reason.";
  },
};
