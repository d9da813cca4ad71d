import { Counter } from "./counter";
import type { Target } from "./targets";

/** How long a part may still be: for the network that takes the least of it, among those that share the text. */
export function PartCounter({ targets, index }: { targets: Target[]; index: number }) {
  const tightest = targets
    .filter(({ isOwnText, isJoined }) => !isOwnText && !isJoined)
    .flatMap(({ network, posts }) => {
      const count = posts[index]?.count;
      return count ? [{ name: network.name, count, left: count.max - count.used }] : [];
    })
    .sort((a, b) => a.left - b.left)[0];
  return tightest ? <Counter count={tightest.count} of={tightest.name} /> : null;
}
