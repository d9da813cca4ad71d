import { isLoopback } from "../../env";
import { destinationOf, standingGuard } from "../../http/destination";
import { EgressError } from "../../http/egress-error";
import { outsideUrl } from "../../http/outside-url";
import { PlatformError } from "../errors";
import type { App, Network } from "../network";

/**
 * The addresses that a call to somebody's own host may go to (RELIABILITY, section 5), checked at every call; undefined for
 * a network whose hosts are all its own, and for those of its hosts that are set up here.
 * @throws PlatformError `rejected` where the address is not a public one, `later` where its name cannot be resolved
 */
export async function guardedAddresses(network: Network, app: App, url: string): Promise<string[] | undefined> {
  if (!network.anyHost || isOwnHost(network, app, url)) return undefined;
  try {
    return await destinationOf(outsideUrl(url), standingGuard);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const answer = { status: 0, code: error.fault };
    const says = `${network.name} names a host that Carillon cannot call: ${error.message}`;
    throw new PlatformError(error.lasting ? "rejected" : "later", says, { refused: true, answer });
  }
}

/** One of the hosts that this network is set up with; on this machine the same port under any of its names. */
function isOwnHost(network: Network, app: App, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const asked = new URL(address);
  return Object.keys(network.hosts).some((purpose) => {
    const own = new URL(app.url("/", purpose));
    if (own.origin === asked.origin) return true;
    return own.port === asked.port && own.protocol === asked.protocol && isLoopback(own.href) && isLoopback(asked.href);
  });
}
