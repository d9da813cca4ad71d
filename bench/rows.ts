/** A measured value. `isMet` is absent if there is no target. */
export type Row = { what: string; value: string; target: string; isMet?: boolean };

/** Prints the head of a table in Markdown. */
export function showHead(): void {
  console.log("| what | measured | target |\n|---|---|---|");
}

/** Prints a row of the table. A value that misses its target is bold. */
export function show({ what, value, target, isMet }: Row): void {
  console.log(`| ${what} | ${isMet === false ? `**${value}**` : value} | ${target} |`);
}

/** The value below which this share of the numbers is. */
export function percentile(numbers: number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
