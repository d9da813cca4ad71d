import { type BlockList, isIP } from "node:net";
import { env } from "../env";

/** What the web process knows of a request besides itself; nothing where the host does not say (Next alone, tests). */
type Surroundings = { incoming?: { socket?: { remoteAddress?: string } } } | undefined;

/** Where a request comes from, by this process's settings; undefined where nobody knows. */
export function clientAddressOf(headers: Headers, surroundings: unknown): string | undefined {
  const remote = (surroundings as Surroundings)?.incoming?.socket?.remoteAddress;
  return clientAddress(remote, headers.get("x-forwarded-for"), env.trustedProxies);
}

/**
 * Whose request it is: the connection's own address, or what `X-Forwarded-For` says where the connection is a trusted
 * proxy's. Each proxy appends whom it saw, so the list is read from its end up to the first address that is not trusted;
 * what stands before that one anybody may have made up.
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | null | undefined,
  trusted: BlockList | undefined,
): string | undefined {
  let address = remote === undefined ? undefined : plain(remote);
  const hops = forwardedFor?.split(",").map((hop) => plain(hop.trim())) ?? [];
  while (address && trusted && isTrusted(address, trusted)) {
    const hop = hops.pop();
    if (!hop || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** Whether what a connection's other end says of others is believed. */
export function isProxy(remote: string | undefined, trusted: BlockList | undefined): boolean {
  return remote !== undefined && trusted !== undefined && isTrusted(plain(remote), trusted);
}

/** What one household or host can hold many of counts as one: an IPv6 network of 64 bits. */
export function subnetOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const front = head.split(":").filter(Boolean);
  const back = tail?.split(":").filter(Boolean) ?? [];
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => "0");
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

/** IPv4 as itself, also where a socket of both families writes it as `::ffff:10.0.0.1`. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
}
