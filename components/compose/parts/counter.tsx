import type { Count, Target } from "../targets/targets";
import { composeWords } from "../words";

const number = new Intl.NumberFormat("en");

type Props = { count: Count; of?: string };

/**
 * A text length: neutral up to 80%, amber up to the limit, red above, and always in words.
 * @param of the unit that is counted, if it is not shown next to the number
 */
export function Counter({ count: { used, max, unit }, of }: Props) {
  const left = max - used;
  const [colour, length] =
    left < 0
      ? ["font-semibold text-wrong", composeWords.tooMany(number.format(-left))]
      : used > max * 0.8
        ? ["font-semibold text-warn", composeWords.left(number.format(left))]
        : ["text-muted", composeWords.used(number.format(used), number.format(max))];
  return (
    <span className={`whitespace-nowrap text-sm ${colour}`} title={composeWords.countedIn(unit)}>
      {of ? composeWords.lengthOf(of, length) : length}
    </span>
  );
}

/** The remaining length of a part for the network with the least room, among those that share the text. */
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
