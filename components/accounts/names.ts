import type { Account } from "../api/types";

/** How an account is written: its handle where it has one. */
export function handleOf(account: Account): string {
  const { accountUsername, accountDisplayName } = account;
  return accountUsername ? `@${accountUsername.replace(/^@/, "")}` : accountDisplayName;
}
