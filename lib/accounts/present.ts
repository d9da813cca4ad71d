import type { Destination } from "../networks";
import type { Platform } from "../platforms";
import { withSixDigits } from "../time";
import type { ListedAccount } from "./accounts";

/** SPEC's Account, with its health beside. Fields without a value are absent. */
export function presentAccount(account: ListedAccount) {
  return {
    id: account.id,
    platform: account.platform,
    accountId: account.networkAccountId,
    accountUsername: account.username,
    accountDisplayName: account.displayName,
    ...(account.avatarUrl ? { accountAvatarUrl: account.avatarUrl } : {}),
    createdTime: withSixDigits(account.createdAt),
    updatedTime: withSixDigits(account.updatedAt),
    state: account.state,
  };
}

/** SPEC's Chat. */
export function presentDestination(platform: Platform, { id, title, type }: Destination) {
  return { id, title, type, platform };
}
