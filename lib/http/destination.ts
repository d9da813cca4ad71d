import { isIP } from "node:net";
import { env } from "../env";
import { addressesOf, systemAddressesOf } from "./addresses";
import { EgressError } from "./egress-error";
import { portOf } from "./outside-url";
import { isPublicAddress, normalAddress } from "./public-address";

/** An exception of `EGRESS_ALLOW`: this very name, leading to this very address, on this very port. */
export type Exception = { host: string; ip: string; port: number };

/** What decides where a call may go. */
export type Guard = {
  /** Every address that a name has. */
  resolve(host: string): Promise<string[]>;
  allow: readonly Exception[];
  /** Our own addresses: nobody makes Carillon call itself. */
  own: readonly string[];
};

/** The rule of this process, by its settings. */
export const standingGuard: Guard = {
  // The operator's exceptions may stand in nothing but the machine's list of hosts.
  resolve: (host) => (env.egressAllow.some((one) => one.host === host) ? systemAddressesOf(host) : addressesOf(host)),
  allow: env.egressAllow,
  own: [env.baseUrl, env.authUrl, env.appUrl],
};

/** For a name to be resolved in, before a call. */
const RESOLVE_MS = 5_000;

/**
 * The addresses that a URL may be called at. A literal is checked as it stands (Node asks no resolver about it); a name is
 * resolved once and refused if any of its addresses is not public. Where an exception fits, only what it names is called.
 * @param withinMs for resolving the name
 * @throws EgressError `BLOCKED_ADDRESS` or `DNS_FAILURE`
 */
export async function destinationOf(url: URL, guard: Guard, withinMs = RESOLVE_MS): Promise<string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) ? [host] : await resolved(host, guard, withinMs);
  const excepted = addresses.filter((ip) => guard.allow.some((one) => isException(one, host, ip, portOf(url))));
  if (excepted.length > 0) return excepted;
  if (guard.own.some((own) => new URL(own).host === url.host) || !addresses.every(isPublicAddress)) {
    throw new EgressError("BLOCKED_ADDRESS", "the URL does not lead to a public address", { lasting: true });
  }
  return addresses;
}

function isException({ host, ip, port }: Exception, askedHost: string, address: string, askedPort: number): boolean {
  return host === askedHost && port === askedPort && normalAddress(ip) === normalAddress(address);
}

async function resolved(host: string, guard: Guard, withinMs: number): Promise<string[]> {
  const failed = (message: string, lasting = false) => new EgressError("DNS_FAILURE", message, { lasting });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(failed("the name of the server could not be resolved in time")), withinMs);
  });
  try {
    const addresses = await Promise.race([guard.resolve(host), late]);
    if (addresses.length === 0) throw failed("the name of the server has no address");
    return addresses;
  } catch (error) {
    if (error instanceof EgressError) throw error;
    throw failed("the name of the server could not be resolved");
  } finally {
    clearTimeout(timer);
  }
}
