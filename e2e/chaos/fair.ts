import type { Trial } from "../trials/trial";
import { invariants } from "./invariants";
import { ledger, peopleOf, scheduleAll, textsOf } from "./rig";

/** T10: one owner's flood of posts does not delay another owner's few. */
export const fair: Trial = {
  id: "T10",
  guarantee:
    "10,000 due in one second over 200 accounts and ten of a small owner: those within 5 s, all within 180 s, none early",
  async run(context, size) {
    const { product, fail } = context;
    const [posts, accounts, leadMs] = size === "short" ? [100, 8, 15_000] : [10_000, 200, 240_000];
    const [large, small] = await peopleOf(product, [{ accounts }, { accounts: 1 }]);
    if (!large || !small) throw new Error("no people were created");
    const at = new Date(Date.now() + leadMs);
    const flood = textsOf("flood", context.seed, posts);
    const few = textsOf("few", context.seed, 10);
    const sent = [...(await scheduleAll(product, large, flood, at)), ...(await scheduleAll(product, small, few, at))];
    if (Date.now() > at.getTime()) fail("not all posts were scheduled before their time: the lead is too short");
    const counts = await invariants(context, sent, leadMs / 1000 + 200);
    const held = await ledger(product);
    const lastOf = (texts: string[]) => {
      const wanted = new Set(texts);
      const times = held.filter(({ text }) => wanted.has(text)).map(({ receivedTime }) => Date.parse(receivedTime));
      return (Math.max(...times) - at.getTime()) / 1000;
    };
    const [floodSeconds, fewSeconds] = [lastOf(flood), lastOf(few)];
    // In the short form the machine runs other tests: it may be slow, but must be fair.
    const [fewBar, floodBar] = size === "short" ? [floodSeconds, 180] : [5, 180];
    if (fewSeconds > fewBar) fail(`the small owner's last was out after ${fewSeconds} s`);
    if (floodSeconds > floodBar) fail(`the last was out after ${floodSeconds} s`);
    return { posts, accounts, floodSeconds, fewSeconds, ...counts };
  },
};
