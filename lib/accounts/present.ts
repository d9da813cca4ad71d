import type { accounts } from "../db";
import { env } from "../env";
import type { Destination } from "../networks";
import type { Platform } from "../platforms";
import { withSixDigits } from "../time/instant";
import { slotOf } from "../time/weekly";
import type { Queue } from "./queue";

/** The public part of an account, without its tokens. */
export type ListedAccount = {
  /** Whether the owner signs in to the dashboard; only read if the account must be connected again. */
  ownerSignsIn?: boolean | null;
} & Omit<
  typeof accounts.$inferSelect,
  | "ownerId"
  | "callbackAccountId"
  | "profileReadAt"
  | "tokensSealed"
  | "tokensRefreshedAt"
  | "refreshClaimUntil"
  | "disconnectedAt"
>;

/** SPEC's Account plus its state. Fields without a value are absent. */
export function presentAccount(account: ListedAccount) {
  return {
    id: account.id,
    platform: account.platform,
    accountId: account.networkAccountId,
    accountUsername: account.username,
    accountDisplayName: account.displayName,
    ...(account.avatarUrl ? { accountAvatarUrl: account.avatarUrl } : {}),
    ...(account.textMax ? { textMax: account.textMax } : {}),
    createdTime: withSixDigits(account.createdAt),
    updatedTime: withSixDigits(account.updatedAt),
    ...presentState(account),
    ...(account.tokensExpireAt ? { tokenExpiresTime: withSixDigits(account.tokensExpireAt) } : {}),
    ...(account.permissionEndsAt ? { permissionEndsTime: withSixDigits(account.permissionEndsAt) } : {}),
    ...(account.state === "ACTIVE" ? {} : presentIncident(account)),
  };
}

/** RECONNECT_REQUIRED is shown even if the account is also held. */
function presentState({ state, stateSince, heldSince }: ListedAccount) {
  const isHeld = heldSince !== null && state === "ACTIVE";
  return { state: isHeld ? "HELD" : state, stateTime: withSixDigits(isHeld ? heldSince : stateSince) } as const;
}

function presentIncident({ id, stateReason, ownerSignsIn }: ListedAccount) {
  return {
    ...(stateReason ? { stateReason } : {}),
    // A partner's user reconnects with a link from `POST /v1/connect/authorize-url`, as the first time.
    ...(ownerSignsIn ? { reconnectUrl: `${env.appUrl}/accounts/${id}/reconnect` } : {}),
  };
}

/** SPEC's Chat. */
export function presentDestination(platform: Platform, { id, title, type }: Destination) {
  return { id, title, type, platform };
}

/** An account's weekly slots, starting on Monday. */
export function presentQueue({ timeZone, minutes }: Omit<Queue, "accountId">) {
  return { ...(timeZone ? { timeZone } : {}), slots: minutes.map(slotOf) };
}
