import { PlatformError, type Session } from "../networks";
import { type Account, requireReconnect } from "./accounts";
import { distrustToken, openSession } from "./session";

/**
 * Asks an account's network something. A token that it does not accept is renewed once; where it wants the person back, that
 * is recorded as the account's state.
 * @throws PlatformError
 */
export async function ask<T>(account: Account, question: (session: Session) => Promise<T>): Promise<T> {
  const once = async () => question(await openSession(account));
  return once().catch(async (error: unknown) => {
    if (!(error instanceof PlatformError) || error.kind !== "reconnect") throw error;
    if (await distrustToken(account)) return once();
    await requireReconnect(account.id, error.message);
    throw error;
  });
}
