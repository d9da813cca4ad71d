import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "../env";
import { EgressError } from "./egress-error";
import { portOf } from "./outside-url";

/** Names that public DNS does not resolve: without a dot, or under a domain of a machine or a local network. */
const LOCAL_NAME = /^[^.]+\.?$|\.(?:localhost|local|internal|home\.arpa)\.?$/i;
/** c-ares doubles the timeout for the second try, so an unresponsive server fails after 4.5 seconds. */
export const DNS_OPTIONS = { timeout: 1_500, tries: 2 };

/**
 * Returns every address of a public host name. It asks DNS directly, because the system's resolver blocks one of Node's few
 * threads until it gives up: a few names with unresponsive servers would delay every call to a network.
 * @throws Error with a `code` of `node:dns` if there is no address or no answer in time
 */
export async function resolveByDns(name: string, resolver = new Resolver(DNS_OPTIONS)): Promise<string[]> {
  if (LOCAL_NAME.test(name)) return resolveBySystem(name);
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = asked.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [failed] = asked.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  if (found.length === 0 && failed) throw failed.reason;
  return found;
}

/** Returns every address of a name from the system's resolver, which also reads the hosts file. */
export async function resolveBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}

/** The only part of IPv6 that is assigned for the public Internet (IANA, "IPv6 Global Unicast Address Assignments"). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/** A public address that leads each virtual machine in Azure to its own host, which answers with the machine's configuration. */
const AZURE_HOST = "168.63.129.16";

/**
 * True if an IP address is public. False for special-purpose blocks (RFC 6890 and IANA's registries), for IPv6 addresses that
 * embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo), for Azure's host, and for text that is not an address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || normalAddress(address) === AZURE_HOST) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** One spelling for each address, so that two of them can be compared. */
export function normalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address;
}

/** An exception of `EGRESS_ALLOW`: exactly this host, resolving to exactly this address, on exactly this port. */
export type EgressException = { host: string; ip: string; port: number };

/** Decides which addresses may be called. */
export type Guard = {
  /** Returns every address of a host name. */
  resolve(host: string): Promise<string[]>;
  allow: readonly EgressException[];
  /** Our own URLs. A caller must not make Carillon call itself. */
  own: readonly string[];
};

/** The guard according to the settings of this process. */
export const defaultGuard: Guard = {
  // The operator's exceptions may exist only in the hosts file.
  resolve: (host) => (env.egressAllow.some((one) => one.host === host) ? resolveBySystem(host) : resolveByDns(host)),
  allow: env.egressAllow,
  own: [env.baseUrl, env.authUrl, env.appUrl, env.mediaUrl],
};

/** Time limit for resolving a host name. */
const RESOLVE_MS = 5_000;

/**
 * Returns the addresses at which a URL may be called. An IP address in the URL is checked as it is, because Node does not
 * resolve it. A host name is resolved once, and blocked if any of its addresses is not public. If an exception matches, only
 * the addresses that it names are returned.
 * @param withinMs time limit for resolving the name
 * @throws EgressError `BLOCKED_ADDRESS` or `DNS_FAILURE`
 */
export async function allowedAddresses(url: URL, guard: Guard, withinMs = RESOLVE_MS): Promise<string[]> {
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) ? [host] : await resolved(host, guard, withinMs);
  const excepted = addresses.filter((ip) => guard.allow.some((one) => isException(one, host, ip, portOf(url))));
  if (excepted.length > 0) return excepted;
  if (guard.own.some((own) => new URL(own).host === url.host) || !addresses.every(isPublicAddress)) {
    throw new EgressError("BLOCKED_ADDRESS", "the URL does not lead to a public address", { lasting: true });
  }
  return addresses;
}

function isException(
  { host, ip, port }: EgressException,
  askedHost: string,
  address: string,
  askedPort: number,
): boolean {
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
