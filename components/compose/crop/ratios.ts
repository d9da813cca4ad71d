import type { Target } from "../targets/targets";
import type { Upload } from "../uploads/use-uploads";
import { largest, type Size, wholePixels } from "./box";

export type Ratio = { name: string; value: number };

const RATIOS: Ratio[] = [
  { name: "1:1", value: 1 },
  { name: "4:5", value: 4 / 5 },
  { name: "2:3", value: 2 / 3 },
  { name: "9:16", value: 9 / 16 },
  { name: "1.91:1", value: 1.91 },
  { name: "16:9", value: 16 / 9 },
];

/** Returns the ratios that every network with this picture accepts; all ratios if they have none in common. */
export function ratiosFor({ id }: Pick<Upload, "id">, targets: Target[], picture: Size): Ratio[] {
  const bounds = targets
    .flatMap(({ posts }) => posts.filter(({ files }) => files.some((file) => file.id === id)))
    .flatMap(({ limits }) => limits?.image?.ratio ?? []);
  const taken = RATIOS.filter(({ value }) => {
    const { width, height } = wholePixels(largest(picture, value), picture);
    return bounds.every(({ min, max }) => width / height >= min && width / height <= max);
  });
  return taken.length > 0 ? taken : RATIOS;
}
