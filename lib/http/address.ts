import { BlockList, isIP } from "node:net";
import { env } from "../env";

/** What the web process knows of a request besides itself; empty where the host does not say (Next alone, tests). */
type Surroundings = { incoming?: { socket?: { remoteAddress?: string } } } | undefined;

/**
 * Where a request comes from: the other end of its connection, or what a trusted proxy there says. Of a chain of
 * `X-Forwarded-For` only the part that trusted proxies have added counts; the rest anybody can write.
 */
export function addressOf(headers: Headers, surroundings: unknown, proxies = trusted(env.trustedProxies)): string {
  let address = plain((surroundings as Surroundings)?.incoming?.socket?.remoteAddress ?? "");
  const chain = (headers.get("x-forwarded-for") ?? "").split(",").map((entry) => plain(entry.trim()));
  for (let next = chain.pop(); next && isIP(next) && holds(proxies, address); next = chain.pop()) address = next;
  return address;
}

export function trusted(list: string | undefined): BlockList {
  const proxies = new BlockList();
  for (const entry of list?.split(",") ?? []) {
    const [address = "", bits] = entry.trim().split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (isIP(address)) proxies.addSubnet(address, Number(bits ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return proxies;
}

function holds(proxies: BlockList, address: string): boolean {
  return isIP(address) !== 0 && proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** An IPv4 address that arrived on an IPv6 socket is the same address. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
