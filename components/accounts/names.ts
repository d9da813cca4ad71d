import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { uiWords } from "../ui/words";

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
  if (!account) return uiWords.accountNames.gone;
  const network = networks.find(({ platform }) => platform === account.platform);
  return uiWords.accountNames.named(handleOf(account), network?.name ?? account.platform);
}
