import { setTimeout as sleep } from "node:timers/promises";
import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { env } from "../env";
import {
  type AccountOptions,
  type Network,
  type NetworkSession,
  networkOf,
  PlatformError,
  type SettingOption,
} from "../networks";
import type { Platform } from "../platforms";
import { type Account, requireReconnect } from "./accounts";
import { reportOperatorProblem } from "./operator-problems";
import { withQuotaCounting } from "./quota";
import { openSession, replaceOrRequireReconnect } from "./session";

/**
 * The settings that this account may choose now, read from its network; empty if the network has only general rules.
 * @throws PlatformError, also if the network accepts no more posts from this account for now
 */
export async function getAccountOptions({ id, platform }: Pick<Account, "id" | "platform">): Promise<AccountOptions> {
  const { accountOptions } = networkOf(platform);
  return accountOptions ? callNetwork(id, accountOptions) : { settings: {} };
}

/**
 * What this account can choose for a setting, read from its network; empty if its network lists no values for the setting.
 * @param text the name to search for, if the network's values are searched; without it, none is returned
 * @throws PlatformError; `reconnect` is stored as the account's state
 */
export async function listSettingOptions(
  { id, platform }: Pick<Account, "id" | "platform">,
  setting: string,
  text: string,
): Promise<SettingOption[]> {
  const { settingOptions = {}, settingSearches = {} } = networkOf(platform);
  const list = new Map(Object.entries(settingOptions)).get(setting); // a setting's name comes from the caller
  const search = new Map(Object.entries(settingSearches)).get(setting);
  if (search) return text ? callNetwork(id, (session) => search(session, text)) : [];
  return list ? callNetwork(id, list) : [];
}

/** Ten seconds in all; people report that five are enough. */
const NEW_TOKEN_WAITS_SECONDS = [1, 2, 3, 4];
/** For so long after it was issued, a token counts as new. */
const NEW_TOKEN_SECONDS = 60;

/**
 * Makes a call with a token that the network has just issued. Some servers of the network may not know the token yet; then the call is
 * repeated, for ten seconds at most.
 * @throws PlatformError
 */
export async function withNewToken<T>({ connect }: Network, work: () => Promise<T>): Promise<T> {
  for (const seconds of NEW_TOKEN_WAITS_SECONDS) {
    try {
      return await work();
    } catch (error) {
      const isTooNew = connect.kind === "oauth" && error instanceof PlatformError && connect.isTooNew?.(error);
      if (!isTooNew) throw error;
      await sleep((seconds * 1000) / env.timeFactor);
    }
  }
  return work();
}

const hasNewToken = ({ tokensRefreshedAt }: Account) =>
  tokensRefreshedAt !== null && Date.now() - Date.parse(tokensRefreshedAt) < NEW_TOKEN_SECONDS * 1000;

/** More than the tokens that an account can have: the current one, the one before it, and one that replaces both. */
const MAX_TOKENS = 3;

/**
 * Calls a network on behalf of an account. If the network refuses the token before it expires, tries again with another one.
 * @throws PlatformError; `reconnect` is stored as the account's state
 */
export async function callNetwork<T>(
  accountId: number,
  work: (session: NetworkSession, network: Network) => Promise<T>,
): Promise<T> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  if (!account) throw new PlatformError("reconnect", "This account is no longer connected");
  const network = networkOf(account.platform);
  for (let tries = 1; ; tries++) {
    let token: string | undefined;
    try {
      const session = await openSession(account);
      token = session.tokens.accessToken;
      const call = () => work(withQuotaCounting(session, network), network);
      return await (hasNewToken(account) ? withNewToken(network, call) : call());
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (token) await reportOperatorProblem(network.platform, error); // `openSession` reports its own
      if (error.kind !== "reconnect" || !token) throw error; // and it stores that the person must connect again
      if (tries === MAX_TOKENS) await requireReconnect(accountId, error.message, token);
      else if (await replaceOrRequireReconnect(account, error.message, token)) continue;
      throw error;
    }
  }
}

/**
 * Finds a connected account for a test of its network: the one with this ID, or else the newest, preferably one whose token is
 * valid for another hour.
 * @returns undefined if there is none that can be used now
 */
export async function findAccountToTry(
  platform: Platform,
  id?: number,
): Promise<{ id: number; username: string } | undefined> {
  const [account] = await db
    .select({ id: accounts.id, username: accounts.username })
    .from(accounts)
    .where(
      and(
        eq(accounts.platform, platform),
        id === undefined ? undefined : eq(accounts.id, id),
        eq(accounts.state, "ACTIVE"),
        isNull(accounts.disconnectedAt),
        isNull(accounts.heldSince),
        sql`${accounts.tokensSealed} is not null`,
        sql`coalesce(${accounts.waitUntil} < now(), true)`,
      ),
    )
    .orderBy(desc(sql`coalesce(${accounts.tokensExpireAt} > now() + interval '1 hour', true)`), desc(accounts.id))
    .limit(1);
  return account;
}

/** Sends nothing on behalf of an account for a time, because its network asked it to slow down. */
export async function pauseAccount(id: number, seconds: number): Promise<void> {
  await db
    .update(accounts)
    .set({ waitUntil: sql`greatest(${accounts.waitUntil}, clock_timestamp() + make_interval(secs => ${seconds}))` })
    .where(eq(accounts.id, id));
}
