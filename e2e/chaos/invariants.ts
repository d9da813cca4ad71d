import type { TrialContext } from "../trials/trial";
import { missingEvents } from "./events";
import { ledger, type Sent, settledAll } from "./rig";

type Group = [Sent, ...Sent[]];

/** Posts without a text look alike on the network, so those of an account are compared as a whole. Every other post is a group. */
function alike(sent: Sent[]): Group[] {
  const groups = new Map<string, Group>();
  for (const one of sent) {
    const key = `${one.network} ${one.textless ?? one.text}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

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
    misreported: 0,
    early: 0,
    missingEvents: 0,
    published: 0,
    unknown: 0,
    failed: 0,
    comments: 0,
  };
  /** @param group posts, or one comment, that cannot be told apart in the ledger, with their statuses and what is live of them */
  function check(what: string, group: Group, statuses: (string | undefined)[], live: { receivedTime: string }[]) {
    const count = (...wanted: (string | undefined)[]) => statuses.filter((status) => wanted.includes(status)).length;
    const note = (how: "lost" | "doubled" | "stuck" | "misreported" | "early") => {
      counts[how] += 1;
      const ids = group.map(({ scheduleId }) => scheduleId).join();
      fail(
        `${how}: ${what} of schedule ${ids} on ${group[0].network} is ${statuses.join()}, and live ${live.length} times`,
      );
    };
    if (count(undefined) > 0) note("lost");
    if (live.length > group.length) note("doubled");
    if (count("PENDING", "IN_PROGRESS") > 0) note("stuck");
    const possible = Math.min(live.length, group.length);
    if (live.length < count("PUBLISHED") || possible > group.length - count("FAILED")) note("misreported");
    const times = group.map(({ at }) => at).sort((a, b) => a - b);
    const received = live.map(({ receivedTime }) => Date.parse(receivedTime)).sort((a, b) => a - b);
    if (received.some((time, index) => time < (times[index] ?? 0))) note("early");
  }
  const publicationOf = ({ scheduleId }: Sent) => seen.get(scheduleId)?.publications[0];
  for (const group of alike(sent)) {
    const [{ text, textless, network }] = group;
    const posts = held.get(network) ?? [];
    const live = posts.filter((post) => (textless ? post.account === textless : post.text.includes(text)));
    check(
      "the post",
      group,
      group.map((one) => publicationOf(one)?.status),
      live,
    );
  }
  for (const one of sent) {
    const publication = publicationOf(one);
    // Only a published post gets its comment.
    if (one.comment && publication?.status === "PUBLISHED") {
      const comments = (held.get(one.network) ?? []).filter((post) => post.text === one.comment);
      check("the comment", [one], [publication.firstComment?.status], comments);
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
