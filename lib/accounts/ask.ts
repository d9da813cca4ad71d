import { eq } from "drizzle-orm";
import { accounts, db } from "../db";
import { type Network, networkOf, PlatformError, type Session } from "../networks";
import { requireReconnect } from "./accounts";
import { counted } from "./quota";
import { distrustToken, openSession } from "./session";

/**
 * A question to a network in an account's name, once more with a new token where this one is refused before its time.
 * @throws PlatformError; `reconnect` is recorded as the account's state
 */
export async function ask<T>(
  accountId: number,
  question: (session: Session, network: Network) => Promise<T>,
): Promise<T> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  if (!account) throw new PlatformError("reconnect", "This account is no longer connected");
  const network = networkOf(account.platform);
  const once = async () => question(counted(await openSession(account), network), network);
  return once().catch(async (error: unknown) => {
    if (!(error instanceof PlatformError) || error.kind !== "reconnect") throw error;
    if (await distrustToken(account)) return once();
    await requireReconnect(accountId, error.message);
    throw error;
  });
}
