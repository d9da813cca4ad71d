import { NetworkBadge } from "../../networks/badge";
import type { NetworkFacts } from "../../networks/types";
import type { Count, Target } from "../targets/targets";
import { composeWords } from "../words";

const number = new Intl.NumberFormat("en");

type Props = {
  count: Count;
  /** The network whose limit it is, if the field does not show it. */
  network?: NetworkFacts;
};

/** A text length: neutral up to 80%, amber up to the limit, red above, and always in words. */
export function Counter({ count: { used, max, unit }, network }: Props) {
  const left = max - used;
  const colour = left < 0 ? "font-semibold text-wrong" : used > max * 0.8 ? "font-semibold text-warn" : "text-muted";
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap text-sm tabular-nums ${colour}`}
      title={composeWords.countedIn(unit)}
    >
      {network && (
        <>
          <NetworkBadge platform={network.platform} className="size-4" />
          <span className="sr-only">{network.name}</span>
        </>
      )}
      {left < 0
        ? composeWords.tooMany(number.format(-left))
        : network || used > max * 0.8
          ? composeWords.left(number.format(left))
          : composeWords.used(number.format(used), number.format(max))}
    </span>
  );
}

type PartCountersProps = {
  targets: Target[];
  /** Those whose text is being written; undefined for all that have the shared text. */
  written: Target[] | undefined;
  index: number;
  isThread: boolean;
};

/**
 * What is left of a part for three networks: first those that get the text that is being written, the tightest first. The
 * parts of a thread may differ from network to network, so only these are counted there. Small screens show fewer.
 */
export function PartCounters({ targets, written, index, isThread }: PartCountersProps) {
  const counts = targets
    .flatMap((target) => {
      const { network, posts, isOwnText, isJoined } = target;
      const count = posts[index]?.count;
      const isOther = written ? !written.includes(target) : isOwnText || isJoined;
      return count && !(isThread && isOther) ? [{ network, count, isOther, left: count.max - count.used }] : [];
    })
    .sort((a, b) => Number(a.isOther) - Number(b.isOther) || a.left - b.left)
    .filter(({ network }, at, all) => all.findIndex((other) => other.network === network) === at);
  return (
    <span className="ml-auto flex gap-3 px-1.5 max-md:[&>:nth-child(n+2)]:hidden max-wide:[&>:nth-child(n+3)]:hidden">
      {counts.slice(0, 3).map(({ network, count }) => (
        <Counter key={network.platform} count={count} network={network} />
      ))}
    </span>
  );
}
