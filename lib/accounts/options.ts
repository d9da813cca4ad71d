import { type AccountOptions, networkOf } from "../networks";
import type { Account } from "./accounts";
import { ask } from "./ask";

/**
 * What this very account may choose just now, asked of its network; nothing where the network leaves it to its general rules.
 * @throws PlatformError, also where the network takes no more posts of this account for now
 */
export async function optionsOf(account: Account): Promise<AccountOptions> {
  const read = networkOf(account.platform)?.accountOptions;
  return read ? ask(account, read) : { settings: {} };
}
