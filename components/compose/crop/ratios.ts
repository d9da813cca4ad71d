/** A ratio of width to height that people know. */
export type Ratio = { name: string; value: number };

export const RATIOS: Ratio[] = [
  { name: "1:1", value: 1 },
  { name: "4:5", value: 4 / 5 },
  { name: "2:3", value: 2 / 3 },
  { name: "9:16", value: 9 / 16 },
  { name: "1.91:1", value: 1.91 },
  { name: "16:9", value: 16 / 9 },
];

/** Returns the known ratio between two bounds that is nearest to a ratio; undefined if none is between them. */
export function nearestRatio(to: number, { min, max }: { min: number; max: number }): Ratio | undefined {
  const distance = ({ value }: Ratio) => Math.abs(Math.log(value / to));
  return RATIOS.filter(({ value }) => value >= min && value <= max).toSorted((a, b) => distance(a) - distance(b))[0];
}
