import type { ApiAccount, ApiAccountGroup } from "../api/types";
import type { NetworkFacts } from "../networks/types";
import { dateAndTime } from "../time/format";
import { uiWords } from "../ui/words";

/** Returns the account's handle, or its name. Networks without handles return the name in both fields. */
export function handleOf(account: Pick<ApiAccount, "accountUsername" | "accountDisplayName">): string {
  const { accountUsername, accountDisplayName } = account;
  const hasHandle = accountUsername && accountUsername !== accountDisplayName;
  return hasHandle ? `@${accountUsername.replace(/^@/, "")}` : accountDisplayName;
}

type Known = { accounts: ApiAccount[]; networks: Pick<NetworkFacts, "platform" | "name">[] };

/** `@alice on X` */
export function displayName({ accounts, networks }: Known, id: number): string {
  const account = accounts.find((one) => one.id === id);
  if (!account) return uiWords.accountNames.gone;
  const network = networks.find(({ platform }) => platform === account.platform);
  return uiWords.accountNames.named(handleOf(account), network?.name ?? account.platform);
}

/** Parses an account's time (UTC without an offset) and formats it in the reader's time zone. */
export function instantOf(time: string): { ms: number; words: string } {
  const instant = new Date(`${time}Z`);
  return { ms: instant.getTime(), words: dateAndTime(instant) };
}

const SOON_MS = 7 * 86_400_000;

/** Returns when an account's permission ends, if that is within a week and only its owner can renew it. */
export function endsSoon({ state, permissionEndsTime }: ApiAccount, nowMs: number) {
  const end = state === "ACTIVE" && permissionEndsTime ? instantOf(permissionEndsTime) : undefined;
  return end && end.ms - nowMs < SOON_MS ? end : undefined;
}

/** The look of the mark of a group. */
export const groupDots: { [colour in ApiAccountGroup["colour"]]: string } = {
  GOLD: "bg-gold",
  CORAL: "bg-[#dd6a49]",
  TEAL: "bg-[#1d9a8c]",
  BLUE: "bg-[#3b7ddd]",
  VIOLET: "bg-[#8b5fd0]",
  GREY: "bg-[#85887d]",
};
