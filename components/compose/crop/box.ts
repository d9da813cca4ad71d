export type Size = { width: number; height: number };
/** A part of a picture, in pixels of the picture. */
export type Box = Size & { x: number; y: number };
export type Corner = "nw" | "ne" | "sw" | "se";

const MIN_SIDE = 16;

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most));

/** Returns the largest centred part with this ratio (width ÷ height); the whole picture without a ratio. */
export function largest({ width, height }: Size, ratio?: number): Box {
  if (ratio === undefined) return { x: 0, y: 0, width, height };
  const wide = width / height > ratio;
  const size = wide ? { width: height * ratio, height } : { width, height: width / ratio };
  return { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size };
}

/** Moves a part and stops at the edge of the picture. */
export function moved(box: Box, by: { x: number; y: number }, picture: Size): Box {
  const x = within(box.x + by.x, 0, picture.width - box.width);
  const y = within(box.y + by.y, 0, picture.height - box.height);
  return { ...box, x, y };
}

/** Moves one corner. The opposite corner stays, and the ratio is kept if there is one. */
export function resized(box: Box, corner: Corner, by: { x: number; y: number }, picture: Size, ratio?: number): Box {
  const isWest = corner.endsWith("w");
  const isNorth = corner.startsWith("n");
  const fixed = { x: isWest ? box.x + box.width : box.x, y: isNorth ? box.y + box.height : box.y };
  const most = {
    width: isWest ? fixed.x : picture.width - fixed.x,
    height: isNorth ? fixed.y : picture.height - fixed.y,
  };
  const input = {
    width: within(box.width + (isWest ? -by.x : by.x), Math.min(MIN_SIDE, most.width), most.width),
    height: within(box.height + (isNorth ? -by.y : by.y), Math.min(MIN_SIDE, most.height), most.height),
  };
  const size = ratio === undefined ? input : inRatio(input, box, most, ratio);
  return { x: isWest ? fixed.x - size.width : fixed.x, y: isNorth ? fixed.y - size.height : fixed.y, ...size };
}

/** Follows the side that was moved further. */
function inRatio(input: Size, before: Size, most: Size, ratio: number): Size {
  const byWidth = Math.abs(input.width - before.width) >= Math.abs(input.height - before.height) * ratio;
  const width = Math.min(byWidth ? input.width : input.height * ratio, most.width, most.height * ratio);
  return { width, height: width / ratio };
}

/**
 * Rounds to whole pixels inside the picture, towards a square, so that a ratio at a network's limit is not exceeded.
 */
export function wholePixels(box: Box, picture: Size): Box {
  const { width, height } = wholeSize(box);
  const size = {
    width: Math.min(Math.max(1, width), picture.width),
    height: Math.min(Math.max(1, height), picture.height),
  };
  return moved({ x: Math.round(box.x), y: Math.round(box.y), ...size }, { x: 0, y: 0 }, picture);
}

/** Rounding error that must not count as a pixel. */
const ROUNDING_ERROR = 1e-6;

function wholeSize({ width, height }: Size): Size {
  if (Math.abs(width - height) < ROUNDING_ERROR) return { width: Math.round(width), height: Math.round(width) };
  const [more, less] = [
    (side: number) => Math.ceil(side - ROUNDING_ERROR),
    (side: number) => Math.floor(side + ROUNDING_ERROR),
  ];
  return width < height ? { width: more(width), height: less(height) } : { width: less(width), height: more(height) };
}

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
