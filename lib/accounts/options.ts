import { type AccountOptions, networkOf } from "../networks";
import type { Account } from "./accounts";
import { ask } from "./ask";

/**
 * What this very account may choose just now, asked of its network; nothing where the network leaves it to its general rules.
 * @throws PlatformError, also where the network takes no more posts of this account for now
 */
export async function optionsOf({ id, platform }: Pick<Account, "id" | "platform">): Promise<AccountOptions> {
  const { accountOptions } = networkOf(platform);
  return accountOptions ? ask(id, accountOptions) : { settings: {} };
}
