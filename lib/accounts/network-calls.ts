import { eq, sql } from "drizzle-orm";
import { accounts, db } from "../db";
import { type AccountOptions, type Network, type NetworkSession, networkOf, PlatformError } from "../networks";
import { type Account, requireReconnect } from "./accounts";
import { withQuotaCounting } from "./quota";
import { openSession, replaceRefusedToken } from "./session";

/**
 * What this very account may choose just now, asked of its network; nothing where the network leaves it to its general rules.
 * @throws PlatformError, also where the network takes no more posts of this account for now
 */
export async function getAccountOptions({ id, platform }: Pick<Account, "id" | "platform">): Promise<AccountOptions> {
  const { accountOptions } = networkOf(platform);
  return accountOptions ? callNetwork(id, accountOptions) : { settings: {} };
}

/**
 * A question to a network in an account's name, once more with a new token where this one is refused before its time.
 * @throws PlatformError; `reconnect` is recorded as the account's state
 */
export async function callNetwork<T>(
  accountId: number,
  question: (session: NetworkSession, network: Network) => Promise<T>,
): Promise<T> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  if (!account) throw new PlatformError("reconnect", "This account is no longer connected");
  const network = networkOf(account.platform);
  const once = async () => question(withQuotaCounting(await openSession(account), network), network);
  return once().catch(async (error: unknown) => {
    if (!(error instanceof PlatformError) || error.kind !== "reconnect") throw error;
    if (await replaceRefusedToken(account)) return once();
    await requireReconnect(accountId, error.message);
    throw error;
  });
}

/** A network told this account to slow down: nothing is sent in its name for so long. */
export async function pauseAccount(id: number, seconds: number): Promise<void> {
  await db
    .update(accounts)
    .set({ waitUntil: sql`greatest(${accounts.waitUntil}, clock_timestamp() + make_interval(secs => ${seconds}))` })
    .where(eq(accounts.id, id));
}
