import { lookup, Resolver } from "node:dns/promises";

/** Names that no zone of the internet answers for: without a dot, or under a domain of a machine or a local network. */
const NEAR = /^[^.]+\.?$|\.(?:localhost|local|internal|home\.arpa)\.?$/i;
/** c-ares waits twice as long the second time: the silence of one server is known after four and a half seconds. */
export const ASKED = { timeout: 1_500, tries: 2 };

/**
 * Every address that a name of the internet has, by DNS itself. The system's own way takes one of the few threads that this
 * process has for it until it gives up: a few names whose servers are silent would keep every call to a network waiting.
 * @throws Error with a `code` of `node:dns` where there is none, or none was told in time
 */
export async function addressesOf(name: string, resolver = new Resolver(ASKED)): Promise<string[]> {
  if (NEAR.test(name)) return systemAddressesOf(name);
  const asked = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = asked.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const [failed] = asked.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  if (found.length === 0 && failed) throw failed.reason;
  return found;
}

/** Every address of a name as programs of this machine find it, by its own list of hosts too. */
export async function systemAddressesOf(name: string): Promise<string[]> {
  return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);
}
