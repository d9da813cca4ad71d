import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";

/** How an account is written: its handle where it has one. A network without handles gives the name twice. */
export function handleOf(account: Pick<Account, "accountUsername" | "accountDisplayName">): string {
  const { accountUsername, accountDisplayName } = account;
  const hasHandle = accountUsername && accountUsername !== accountDisplayName;
  return hasHandle ? `@${accountUsername.replace(/^@/, "")}` : accountDisplayName;
}

type Known = { accounts: Account[]; networks: Pick<NetworkFacts, "platform" | "name">[] };

/** `@alice on X` */
export function accountName({ accounts, networks }: Known, id: number): string {
  const account = accounts.find((one) => one.id === id);
  if (!account) return "an account that is gone";
  return `${handleOf(account)} on ${networks.find(({ platform }) => platform === account.platform)?.name}`;
}
