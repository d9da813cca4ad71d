import { env } from "../env";
import { BadRequest } from "../errors";
import { appOf, isOffered, type Network, networkOf } from "../networks";
import { type Platform, platforms, platformValues } from "../platforms";

/** @throws BadRequest if this network is not set up here */
export function connectableNetwork(platform: Platform): Network {
  if (!isOffered(platform)) throw new BadRequest(`platform cannot be connected here yet: ${platform}`);
  return networkOf(platform);
}

/** The redirect URI for a network. Each network has its own path, so that one cannot answer for another. */
export function callbackUri({ platform, connect }: Network): string {
  const { loopbackAddress } = connect.kind === "oauth" ? connect : {};
  return `${loopbackAddress ? appUrlAt(loopbackAddress) : env.appUrl}/oauth/connect/callback/${platforms[platform]}`;
}

/** APP_URL, with a loopback IP address instead of `localhost`. */
function appUrlAt(loopbackAddress: string): string {
  const url = new URL(env.appUrl);
  if (url.hostname === "localhost") url.hostname = loopbackAddress;
  return url.origin;
}

/**
 * The same connect link on the callback's host. A network that returns people to a loopback IP address would not find a
 * cookie set on `localhost`. Undefined if the browser already uses the right host.
 * @param host the Host header; it is compared and never used as an address
 */
export function linkOnCallbackHost(platform: Platform, sealed: string, host: string | null): string | undefined {
  const { origin, host: callbackHost } = new URL(callbackUri(connectableNetwork(platform)));
  if (origin === env.appUrl || host === callbackHost) return undefined;
  return `${origin}/oauth/connect?whitelabel_state=${sealed}`;
}

/**
 * Where the dashboard's own connect links end.
 * @param reconnects the id of the account that the person wants to reconnect. The link is signed, so it cannot be changed
 */
export function dashboardReturn(reconnects?: number): string {
  return withReconnects(`${env.appUrl}/accounts`, reconnects);
}

/** The same for a link that the dashboard opened in a separate window. */
export function popupReturn(reconnects?: number): string {
  return withReconnects(`${env.appUrl}/accounts/connected`, reconnects);
}

function withReconnects(address: string, reconnects: number | undefined): string {
  return reconnects === undefined ? address : `${address}?reconnects=${reconnects}`;
}

/** Reads the query of one of the two addresses above; undefined for a partner's redirectUri. */
export function readDashboardReturn(redirectUri: string): { isPopup: boolean; reconnects?: number } | undefined {
  const [address = "", query] = redirectUri.split("?");
  const isPopup = address === popupReturn();
  const [, id] = /^reconnects=(\d{1,15})$/.exec(query ?? "") ?? [];
  const isOurs = (isPopup || address === dashboardReturn()) && (query === undefined || id !== undefined);
  return isOurs ? { isPopup, reconnects: id === undefined ? undefined : Number(id) } : undefined;
}

/** A partner's `redirectUri` is returned byte for byte; only the dashboard's own address gets the account's id. */
export function returnLocation(redirectUri: string, accountId: number): string {
  const ours = readDashboardReturn(redirectUri);
  if (!ours) return redirectUri;
  return `${ours.isPopup ? popupReturn() : dashboardReturn()}?connected=${accountId}`;
}

/**
 * The public OAuth client document with this name, which is the last part of its client id; undefined if there is none, or if the
 * network is not the real one here.
 */
export function findClientDocument(name: string): object | undefined {
  const platform = platformValues.find((value) => platforms[value] === name.split("-")[0]);
  if (!platform || env.networks[platforms[platform]].mode !== "real") return undefined;
  const network = networkOf(platform);
  if (network.connect.kind !== "oauth") return undefined;
  const documents = network.connect.clientDocuments?.(appOf(network), callbackUri(network));
  return documents?.find(({ client_id }) => client_id.endsWith(`/${name}`));
}
