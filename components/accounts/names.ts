import type { Account } from "../api/types";

/** How an account is written: its handle where it has one. A network without handles gives the name twice. */
export function handleOf(account: Pick<Account, "accountUsername" | "accountDisplayName">): string {
  const { accountUsername, accountDisplayName } = account;
  const hasHandle = accountUsername && accountUsername !== accountDisplayName;
  return hasHandle ? `@${accountUsername.replace(/^@/, "")}` : accountDisplayName;
}
