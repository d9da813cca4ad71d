import type { Account } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { dateAndTime } from "../time/format";
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

/** An Account's time, which is in UTC and carries no offset, as an instant and as people read it where they are. */
export function instantOf(time: string): { ms: number; words: string } {
  const instant = new Date(`${time}Z`);
  return { ms: instant.getTime(), words: dateAndTime(instant) };
}
