import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { callsTo, fault, personOf, scheduleAll, textsOf } from "./rig";

const WAIT_SECONDS = 6;

/** T8: the network answers 429: no call comes before Retry-After, and everything is published. */
export const storm: Trial = {
  id: "T8",
  guarantee: "a storm of 429: no account's next call comes before its time, everything is sent, nothing fails",
  async run(context, size) {
    const { product, fail } = context;
    const [posts, told] = size === "short" ? [20, 6] : [400, 100];
    const person = await personOf(product, { accounts: 10 });
    await fault(product, { operation: "publish", fault: "rate_limit", times: told, afterSeconds: WAIT_SECONDS });
    const texts = textsOf("storm", context.seed, posts);
    const counts = await invariants(context, await scheduleAll(product, person, texts, new Date()), 300);
    if (counts.published !== posts) fail(`${posts - counts.published} of ${posts} did not go out`);
    // X reports the reset in whole seconds, so a call may come up to a second before the wait ends.
    const calls = await callsTo(product);
    const waits = new Map<string, number>();
    let early = 0;
    for (const { operation, status, account = "", time } of calls) {
      if (operation !== "publish") continue;
      if (Date.parse(time) < (waits.get(account) ?? 0)) early += 1;
      if (status === 429 && account) waits.set(account, Date.parse(time) + (WAIT_SECONDS - 1) * 1000);
    }
    if (early > 0) fail(`${early} calls came too early`);
    return { posts, told, callsTooEarly: early, ...counts };
  },
};
