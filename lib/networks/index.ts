import { type Platform, platformValues } from "../platforms";
import { bluesky } from "./bluesky";
import { instagram } from "./instagram";
import type { Network } from "./network";
import { telegram } from "./telegram";
import { x } from "./x";

export { type NetworkAnswer, PlatformError } from "./errors";
export { appOf, isOffered, sessionOf } from "./fetch";
export { formatOf, formatsOf } from "./formats";
export * from "./limits";
export type * from "./network";
export { paceOf } from "./pace";
export { rehearse, type ShownRequest } from "./rehearse";

/** Each definition keeps its own settings type; seen from outside, settings are what its schema made of them. */
const networks: { [P in Platform]?: Network } = {
  X_TWITTER: x,
  INSTAGRAM: instagram,
  BLUE_SKY: bluesky,
  TELEGRAM: telegram,
};

/** A platform's network; undefined where Carillon cannot publish to it. */
export function networkOf(platform: Platform): Network | undefined {
  return networks[platform];
}

/** Every network that Carillon can publish to, in the order of `platforms`. */
export function allNetworks(): Network[] {
  return platformValues.flatMap((platform) => networks[platform] ?? []);
}
