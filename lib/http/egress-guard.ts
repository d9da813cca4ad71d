import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { env } from "../env";
import { EgressError } from "./egress-error";
import { portOf } from "./outside-url";

/** Names that no zone of the internet answers for: without a dot, or under a domain of a machine or a local network. */
const NEAR = /^[^.]+\.?$|\.(?:localhost|local|internal|home\.arpa)\.?$/i;
/** c-ares waits twice as long the second time: the silence of one server is known after four and a half seconds. */
export const ASKED = { timeout: 1_500, tries: 2 };

/**
 * Every address that a name of the internet has, by DNS itself. The system's own way takes one of the few threads that this
 * process has for it until it gives up: a few names whose servers are silent would keep every call to a network waiting.
 * @throws Error with a `code` of `node:dns` where there is none, or none was told in time
 */
export async function resolveByDns(name: string, resolver = new Resolver(ASKED)): Promise<string[]> {
  if (NEAR.test(name)) return resolveBySystem(name);
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = asked.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [failed] = asked.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  if (found.length === 0 && failed) throw failed.reason;
  return found;
}

/** Every address of a name as programs of this machine find it, by its own list of hosts too. */
export async function resolveBySystem(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}

/** The only part of IPv6 that is given out for the public Internet (IANA, "IPv6 Global Unicast Address Assignments"). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is one that anybody on the Internet may be reached at: none of the special-purpose blocks (RFC 6890
 * and IANA's registries), and no IPv4 address in IPv6 clothes (mapped, compatible, NAT64, 6to4, Teredo), whatever it leads
 * to. What is no address at all is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/** One spelling for each address, so that two of them can be compared. */
export function normalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.parse(address).toNormalizedString() : address;
}

/** An exception of `EGRESS_ALLOW`: this very name, leading to this very address, on this very port. */
export type EgressException = { host: string; ip: string; port: number };

/** What decides where a call may go. */
export type Guard = {
  /** Every address that a name has. */
  resolve(host: string): Promise<string[]>;
  allow: readonly EgressException[];
  /** Our own addresses: nobody makes Carillon call itself. */
  own: readonly string[];
};

/** The rule of this process, by its settings. */
export const defaultGuard: Guard = {
  // The operator's exceptions may stand in nothing but the machine's list of hosts.
  resolve: (host) => (env.egressAllow.some((one) => one.host === host) ? resolveBySystem(host) : resolveByDns(host)),
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
