import { isLoopback } from "../../env";
import { EgressError } from "../../http/egress-error";
import { allowedAddresses, defaultGuard } from "../../http/egress-guard";
import { parseOutsideUrl } from "../../http/outside-url";
import { PlatformError } from "../errors";
import type { App, Network } from "../network";

/**
 * Resolves the addresses that a call to an account's own host may connect to (RELIABILITY, section 5); checked for every
 * call. Returns undefined for networks with fixed hosts and for configured hosts, which need no check.
 * @throws PlatformError `rejected` if the address is not public, `later` if its name cannot be resolved
 */
export async function guardedAddresses(network: Network, app: App, url: string): Promise<string[] | undefined> {
  if (!network.anyHost || isOwnHost(network, app, url)) return undefined;
  try {
    return await allowedAddresses(parseOutsideUrl(url), defaultGuard);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    const answer = { status: 0, code: error.fault };
    const says = `${network.name} refers to a host that Carillon must not call: ${error.message}`;
    throw new PlatformError(error.lasting ? "rejected" : "later", says, { refused: true, answer });
  }
}

/** Whether an address is on one of the configured hosts. On this machine, all loopback names of the same port are equal. */
function isOwnHost(network: Network, app: App, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const asked = new URL(address);
  return Object.keys(network.hosts).some((purpose) => {
    const own = new URL(app.url("/", purpose));
    if (own.origin === asked.origin) return true;
    return own.port === asked.port && own.protocol === asked.protocol && isLoopback(own.href) && isLoopback(asked.href);
  });
}
