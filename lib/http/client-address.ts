import { BlockList, isIP } from "node:net";
import { env } from "../env";

/** What the HTTP server passes with a request. Undefined in tests and if Next runs alone. */
type Bindings = { incoming?: { socket?: { remoteAddress?: string } } } | undefined;

/** Returns the client address of a request, or undefined if it is unknown. */
export function clientAddressOf(headers: Headers, bindings: unknown): string | undefined {
  const remote = (bindings as Bindings)?.incoming?.socket?.remoteAddress;
  return clientAddress(remote, headers.get("x-forwarded-for"), env.trustedProxies);
}

/**
 * Returns the address of the connection, or the client address from `X-Forwarded-For` if the connection comes from a trusted
 * proxy. Each proxy appends the address that it saw. So the list is read from its end up to the first untrusted address; the
 * client may have invented everything before that.
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

/** True if the connection comes from a trusted proxy, so that its `X-Forwarded-*` headers count. */
export function isProxy(remote: string | undefined, trusted: BlockList | undefined): boolean {
  return remote !== undefined && trusted !== undefined && isTrusted(plain(remote), trusted);
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** True if a program on this machine has connected. A proxy on this machine is one too. */
export function isFromThisMachine(remote: string | undefined): boolean {
  return isProxy(remote, loopback);
}

/** Returns the key under which an address is counted. IPv6 addresses are counted per /64, which one household or host owns. */
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

/** Converts an IPv4-mapped address (`::ffff:10.0.0.1`, as dual-stack sockets report it) to plain IPv4. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function isTrusted(address: string, trusted: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && trusted.check(address, family === 4 ? "ipv4" : "ipv6");
}
