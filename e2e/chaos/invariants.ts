import type { TrialContext } from "../trials/trial";
import { missingEvents } from "./events";
import { ledger, type Sent, settledAll } from "./rig";

/**
 * Checks what must hold after every run: no post is lost, published twice, stuck or reported wrongly, and no event is
 * missing. Compares the API's state of each post and first comment with what the network has accepted, and the event log with the API.
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
    comments: 0,
  };
  for (const { text, comment, scheduleId, at, network } of sent) {
    const [publication] = seen.get(scheduleId)?.publications ?? [];
    const check = (what: string, status: string | undefined, live: { receivedTime: string }[]) => {
      const note = (how: "lost" | "doubled" | "stuck" | "lied" | "early") => {
        counts[how] += 1;
        fail(`${how}: ${what} of schedule ${scheduleId} on ${network} is ${status}, and live ${live.length} times`);
      };
      if (status === undefined) note("lost");
      if (live.length > 1) note("doubled");
      if (status === "PENDING" || status === "IN_PROGRESS") note("stuck");
      if ((status === "PUBLISHED" && live.length === 0) || (status === "FAILED" && live.length > 0)) note("lied");
      if (live.some(({ receivedTime }) => Date.parse(receivedTime) < at)) note("early");
    };
    const posts = held.get(network) ?? [];
    check(
      "the post",
      publication?.status,
      posts.filter((post) => post.text.includes(text)),
    );
    // Only a published post gets its comment.
    if (comment && publication?.status === "PUBLISHED") {
      const comments = posts.filter((post) => post.text === comment);
      check("the comment", publication.firstComment?.status, comments);
      if (comments.length > 0) counts.comments += 1;
    }
    if (publication?.status === "PUBLISHED") counts.published += 1;
    if (publication?.status === "UNKNOWN") counts.unknown += 1;
    if (publication?.status === "FAILED") counts.failed += 1;
  }
  const missing = await missingEvents(product, sent, seen);
  for (const what of missing) fail(what);
  counts.missingEvents = missing.length;
  return counts;
}
