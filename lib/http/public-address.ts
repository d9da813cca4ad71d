import ipaddr from "ipaddr.js";

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
