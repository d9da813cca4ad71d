import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { fault, personOf, scheduleAll, textsOf } from "./rig";

/** Each fault hits one call in this many, and never ten in a row: that would count as an outage of the network. */
const EVERY = 25;
const LOSSES = ["drop_response", "cut_body", "http_502_html", "refuse", "late_response"];

/** T3: a fifth of the final calls is accepted but its answer is lost, or is lost before it arrives. */
export const lossy: Trial = {
  id: "T3",
  guarantee: "20 % of the final calls accepted and dropped, cut, late or answered 502: doubled 0, 99 % resolved",
  async run(context, size) {
    const { product } = context;
    const posts = size === "short" ? 50 : 500;
    const each = posts / EVERY; // Five faults, so a fifth of the calls.
    const person = await personOf(product, { accounts: Math.max(8, posts / 50) });
    for (const name of LOSSES)
      await fault(product, { operation: "publish", fault: name, times: each, every: EVERY, afterSeconds: 3 });
    const texts = textsOf("lossy", context.seed, posts);
    const counts = await invariants(context, await scheduleAll(product, person, texts, new Date()), 150);
    // Only a call that was cut before it arrived may be UNKNOWN, because it cannot be looked up.
    if (counts.unknown > each) context.fail(`${counts.unknown} are UNKNOWN; ${each} were never seen by X`);
    return { posts, ...counts };
  },
};
