import type { Count } from "./targets";

const number = new Intl.NumberFormat("en");

type Props = { count: Count; of?: string };

/** Neutral up to 80 %, amber up to the limit, red above it, and in words each time. @param of what is counted, where it does not stand beside */
export function Counter({ count: { used, max, unit }, of }: Props) {
  const left = max - used;
  const [colour, words] =
    left < 0
      ? ["font-semibold text-wrong", `${number.format(-left)} too many`]
      : used > max * 0.8
        ? ["font-semibold text-warn", `${number.format(left)} left`]
        : ["text-muted", `${number.format(used)} of ${number.format(max)}`];
  return (
    <span className={`whitespace-nowrap text-sm ${colour}`} title={`Counted as the network counts: ${unit}`}>
      {of && `${of}: `}
      {words}
    </span>
  );
}
