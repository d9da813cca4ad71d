import { type Platform, platformValues } from "../platforms";
import { bluesky } from "./bluesky";
import { facebook } from "./facebook";
import { instagram } from "./instagram";
import { linkedin } from "./linkedin";
import type { Network, Profile } from "./network";
import { pinterest } from "./pinterest";
import { telegram } from "./telegram";
import { threads } from "./threads";
import { tiktok } from "./tiktok";
import { x } from "./x";
import { youtube } from "./youtube";

export { type Animation, animationVideo } from "./animation";
export { type DryRunRequest, dryRun } from "./dry-run";
export { type ErrorKind, type NetworkAnswer, PlatformError, ReadBackImpossible } from "./errors";
export * from "./limits";
export type { ByHand, LiveCheck } from "./live-checks";
export { chooseLookalike, earliestCreation, Indistinguishable } from "./lookalikes";
export type * from "./network";
export {
  documentation,
  networkFormat,
  networkFormats,
  VERSIONS_AS_OF,
  versionListProblems,
  versionProblems,
} from "./network";
export { concurrencyOf, dailyLimits, dateIn, type Price, priceOf, untilMidnight } from "./quota";
export { searchPost } from "./search-run";
export { appOf, isOffered, networkSession } from "./wire/fetch";

/** Each definition keeps its own settings type. Outside this folder, settings have the type `unknown`. */
const networks: { [P in Platform]: Network } = {
  X_TWITTER: x,
  YOUTUBE: youtube,
  THREADS: threads,
  TIKTOK: tiktok,
  INSTAGRAM: instagram,
  LINKEDIN: linkedin,
  BLUE_SKY: bluesky,
  TELEGRAM: telegram,
  FACEBOOK: facebook,
  PINTEREST: pinterest,
};

/** Returns the network of a platform. */
export function networkOf(platform: Platform): Network {
  return networks[platform];
}

/** Returns every network, in the order of `platforms`. */
export function allNetworks(): Network[] {
  return platformValues.map(networkOf);
}

/** `@ada`; on networks without handles the name, which they return in both fields. */
export function accountHandle({ username, displayName }: Pick<Profile, "username" | "displayName">): string {
  return username && username !== displayName ? `@${username.replace(/^@/, "")}` : displayName;
}
