import type { Count } from "./targets";

/** Neutral up to 80 %, amber up to the limit, red above it, and in words each time. */
export function Counter({ count: { used, max, unit } }: { count: Count }) {
  const left = max - used;
  const [colour, words] =
    left < 0
      ? ["font-semibold text-wrong", `${-left} too many`]
      : used > max * 0.8
        ? ["font-semibold text-warn", `${left} left`]
        : ["text-muted", `${used} of ${max.toLocaleString()}`];
  return (
    <span className={`whitespace-nowrap text-sm ${colour}`} title={`Counted as the network counts: ${unit}`}>
      {words}
    </span>
  );
}
