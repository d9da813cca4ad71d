import { BadRequest } from "../errors";
import { destinationOf, type Guard, standingGuard } from "../http/destination";
import { EgressError } from "../http/egress-error";
import { outsideUrl, portOf } from "../http/outside-url";

/** For its name to be resolved in: somebody waits for the answer. */
const RESOLVE_MS = 1_000;

/**
 * Refuses a URL that no event could ever be sent to; where it leads is checked again whenever something is. A name that
 * cannot be resolved just now may be one later.
 * @throws BadRequest
 */
export async function assertTarget(address: string, guard: Guard = standingGuard): Promise<void> {
  const problem = await problemOf(address, guard);
  if (problem) throw new BadRequest({ path: "url", message: problem, rule: "webhook.url" });
}

async function problemOf(address: string, guard: Guard): Promise<string | undefined> {
  try {
    const url = outsideUrl(address);
    const isExcepted = guard.allow.some(({ host, port }) => host === url.hostname && port === portOf(url));
    if (url.protocol !== "https:" && !isExcepted) return "has to begin with https://";
    await destinationOf(url, guard, RESOLVE_MS);
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (error.fault === "DNS_FAILURE") return undefined;
    return error.fault === "BLOCKED_ADDRESS" ? "does not lead to a public address" : error.message;
  }
}
