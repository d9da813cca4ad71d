import { env } from "../env";
import { type Platform, platforms, platformValues } from "../platforms";
import { sha256 } from "../secrets";
import { type ConnectUser, provisionConnectUser } from "./connect-users";
import type { Partner } from "./partners";

/**
 * Connect rehearsal: before going live, a partner opens connect links for test users and chooses each outcome on the
 * simulated network's consent page. Test users are ordinary connect users. Their externalUserId starts with
 * `rehearsal-`, so the partner recognises them in lists and webhooks and can delete them.
 */
const REHEARSAL_USERS = {
  /** Opens the links. */
  "rehearsal-user": "Rehearsal user",
  /** Already owns the account of `rehearsalPerson`. */
  "rehearsal-other-user": "Rehearsal: another user",
  /** Always suspended. */
  "rehearsal-suspended-user": "Rehearsal: suspended user",
} as const;

export type RehearsalUser = keyof typeof REHEARSAL_USERS;

/** The networks of SPEC's partner API. */
const PARTNER_PLATFORMS: Platform[] = [
  "INSTAGRAM",
  "FACEBOOK",
  "YOUTUBE",
  "TIKTOK",
  "X_TWITTER",
  "LINKEDIN",
  "THREADS",
];

/** The networks on which a partner can rehearse: only simulated ones, so that no rehearsal calls a real network. */
export function rehearsalPlatforms(): Platform[] {
  if (!env.sandbox) return [];
  return platformValues.filter(
    (platform) => PARTNER_PLATFORMS.includes(platform) && env.networks[platforms[platform]].mode === "sandbox",
  );
}

/**
 * Returns a test user of the partner and creates it on first use.
 * @throws BeingDeleted while a deletion of this user is in progress
 */
export function provisionRehearsalUser(partnerId: string, externalUserId: RehearsalUser): Promise<ConnectUser> {
  return provisionConnectUser(partnerId, { externalUserId, name: REHEARSAL_USERS[externalUserId] });
}

/** The simulated person whose account another test user owns. The name is different for each partner. */
export function rehearsalPerson({ clientId }: Pick<Partner, "clientId">): string {
  return `r${sha256(clientId).toString("hex").slice(0, 10)}`;
}
