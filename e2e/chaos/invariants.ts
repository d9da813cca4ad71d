import type { TrialContext } from "../trials/trial";
import { missingEvents } from "./events";
import { ledger, type Sent, settledAll } from "./rig";

/**
 * Checks what must hold after every run: no post is lost, published twice, stuck or reported wrongly, and no event is
 * missing. Compares the API's state of each post with what the network has accepted, and the event log with the API.
 */
export async function invariants({ product, fail }: TrialContext, sent: Sent[], seconds: number) {
  const seen = await settledAll(product, sent, seconds);
  const networks = [...new Set(sent.map(({ network }) => network))];
  const held = new Map(await Promise.all(networks.map(async (one) => [one, await ledger(product, one)] as const)));
  const counts = {
    lost: 0,
    doubled: 0,
    stuck: 0,
    lied: 0,
    early: 0,
    missingEvents: 0,
    published: 0,
    unknown: 0,
    failed: 0,
  };
  for (const { text, scheduleId, at, network } of sent) {
    const live = held.get(network)?.filter((post) => post.text.includes(text)) ?? [];
    const status = seen.get(scheduleId)?.publications[0]?.status;
    const note = (what: "lost" | "doubled" | "stuck" | "lied" | "early") => {
      counts[what] += 1;
      fail(`${what}: schedule ${scheduleId} on ${network} is ${status}, and live ${live.length} times`);
    };
    if (status === undefined) note("lost");
    if (live.length > 1) note("doubled");
    if (status === "PENDING" || status === "IN_PROGRESS") note("stuck");
    if ((status === "PUBLISHED" && live.length === 0) || (status === "FAILED" && live.length > 0)) note("lied");
    if (live.some(({ receivedTime }) => Date.parse(receivedTime) < at)) note("early");
    if (status === "PUBLISHED") counts.published += 1;
    if (status === "UNKNOWN") counts.unknown += 1;
    if (status === "FAILED") counts.failed += 1;
  }
  const missing = await missingEvents(product, sent, seen);
  for (const what of missing) fail(what);
  counts.missingEvents = missing.length;
  return counts;
}
