import { env } from "../env";
import { BadRequest } from "../errors";
import { isOffered, type Network, networkOf } from "../networks";
import { type Platform, platforms } from "../platforms";

/** @throws BadRequest where the platform is not one that can be connected here and now */
export function connectable(platform: Platform): Network {
  const network = networkOf(platform);
  if (!network || !isOffered(platform)) throw new BadRequest(`platform cannot be connected here yet: ${platform}`);
  return network;
}

/** Where a network sends the browser back to; a path of its own for each, so that one cannot answer for another. */
export function callbackUri({ platform, connect }: Network): string {
  const { loopbackAddress } = connect.kind === "oauth" ? connect : {};
  return `${loopbackAddress ? appUrlAt(loopbackAddress) : env.appUrl}/oauth/connect/callback/${platforms[platform]}`;
}

/** Our own address; on this machine by number where it is set by name. */
function appUrlAt(loopbackAddress: string): string {
  const url = new URL(env.appUrl);
  if (url.hostname === "localhost") url.hostname = loopbackAddress;
  return url.origin;
}

/**
 * Where a connect link has to be opened instead: a network that sends people back to this machine by number would not
 * find the cookie that was set under its name. Undefined where the browser is at the right place.
 * @param host the Host header, compared and never used as an address
 */
export function rightPlace(platform: Platform, sealed: string, host: string | null): string | undefined {
  const { origin, host: right } = new URL(callbackUri(connectable(platform)));
  if (origin === env.appUrl || host === right) return undefined;
  return `${origin}/oauth/connect?whitelabel_state=${sealed}`;
}

/** Where the dashboard's own connect links end. */
export function dashboardReturn(): string {
  return `${env.appUrl}/accounts`;
}

/** The same for a link that the dashboard opened in a window of its own. */
export function popupReturn(): string {
  return `${env.appUrl}/accounts/connected`;
}

/** A partner's `redirectUri` goes out byte for byte; only the dashboard's own learns which account it was. */
export function locationAfter(redirectUri: string, accountId: number): string {
  const isOurs = redirectUri === dashboardReturn() || redirectUri === popupReturn();
  return isOurs ? `${redirectUri}?connected=${accountId}` : redirectUri;
}
