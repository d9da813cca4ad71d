import type { Count } from "./targets";

type Props = { count: Count; of?: string };

/** Neutral up to 80 %, amber up to the limit, red above it, and in words each time. @param of what is counted, where it does not stand beside */
export function Counter({ count: { used, max, unit }, of }: Props) {
  const left = max - used;
  const [colour, words] =
    left < 0
      ? ["font-semibold text-wrong", `${(-left).toLocaleString("en")} too many`]
      : used > max * 0.8
        ? ["font-semibold text-warn", `${left.toLocaleString("en")} left`]
        : ["text-muted", `${used.toLocaleString("en")} of ${max.toLocaleString("en")}`];
  return (
    <span className={`whitespace-nowrap text-sm ${colour}`} title={`Counted as the network counts: ${unit}`}>
      {of && `${of}: `}
      {words}
    </span>
  );
}
