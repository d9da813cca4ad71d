import { describe, expect, test } from "vitest";
import { type Box, type Corner, largest, moved, resized, wholePixels } from "./box";

const picture = { width: 400, height: 300 };
const box: Box = { x: 100, y: 100, width: 100, height: 100 };

test.each<[number | undefined, Box]>([
  [undefined, { x: 0, y: 0, ...picture }],
  [1, { x: 50, y: 0, width: 300, height: 300 }],
  [2, { x: 0, y: 50, width: 400, height: 200 }],
  [0.5, { x: 125, y: 0, width: 150, height: 300 }],
])("the largest part in the ratio %s", (ratio, most) => {
  expect(largest(picture, ratio)).toEqual(most);
});

test("stops at the edge of the picture when it is moved", () => {
  expect(moved(box, { x: 10, y: -20 }, picture)).toEqual({ ...box, x: 110, y: 80 });
  expect(moved(box, { x: 999, y: 999 }, picture)).toEqual({ ...box, x: 300, y: 200 });
  expect(moved(box, { x: -999, y: -999 }, picture)).toEqual({ ...box, x: 0, y: 0 });
});

describe("resizing by a corner", () => {
  test.each<[Corner, { x: number; y: number }, number | undefined, Box]>([
    ["se", { x: 20, y: 10 }, undefined, { x: 100, y: 100, width: 120, height: 110 }],
    ["nw", { x: 20, y: 10 }, undefined, { x: 120, y: 110, width: 80, height: 90 }],
    ["ne", { x: 20, y: 10 }, undefined, { x: 100, y: 110, width: 120, height: 90 }],
    ["sw", { x: 20, y: 10 }, undefined, { x: 120, y: 100, width: 80, height: 110 }],
    ["se", { x: 999, y: 999 }, undefined, { x: 100, y: 100, width: 300, height: 200 }],
    ["se", { x: -999, y: -999 }, undefined, { x: 100, y: 100, width: 16, height: 16 }],
    ["se", { x: 50, y: 0 }, 1, { x: 100, y: 100, width: 150, height: 150 }],
    ["se", { x: 0, y: 50 }, 1, { x: 100, y: 100, width: 150, height: 150 }],
    ["se", { x: 999, y: 0 }, 1, { x: 100, y: 100, width: 200, height: 200 }],
    ["nw", { x: -999, y: 0 }, 1, { x: 0, y: 0, width: 200, height: 200 }],
  ])("%s by %j in the ratio %s", (corner, by, ratio, after) => {
    expect(resized(box, corner, by, picture, ratio)).toEqual(after);
  });

  test("stays inside the picture and keeps its ratio after any change", () => {
    let seed = 3;
    const next = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return (seed % 301) - 150;
    };
    const corners: Corner[] = ["nw", "ne", "sw", "se"];
    for (const ratio of [undefined, 1, 0.8, 1.91]) {
      let now = largest(picture, ratio);
      for (let round = 0; round < 200; round++) {
        const corner = corners[round % 4] ?? "se";
        now = moved(resized(now, corner, { x: next(), y: next() }, picture, ratio), { x: next(), y: next() }, picture);
        expect(Math.min(now.x, now.y, now.width - 1, now.height - 1)).toBeGreaterThanOrEqual(-1e-6);
        expect(now.x + now.width).toBeLessThanOrEqual(picture.width + 1e-6);
        expect(now.y + now.height).toBeLessThanOrEqual(picture.height + 1e-6);
        if (ratio) expect(now.width / now.height).toBeCloseTo(ratio, 6);
      }
    }
  });
});

test.each<[Box, Box]>([
  [
    { x: 0.4, y: 0.6, width: 399.7, height: 0.2 },
    { x: 0, y: 1, width: 399, height: 1 },
  ],
  [
    { x: 0, y: 0, width: 400, height: 400 / 1.91 },
    { x: 0, y: 0, width: 400, height: 210 },
  ],
  [
    { x: 0, y: 0, width: 239.2, height: 299 },
    { x: 0, y: 0, width: 240, height: 299 },
  ],
  [
    { x: 99.5, y: 0.5, width: 299.5, height: 299.5 },
    { x: 100, y: 0, width: 300, height: 300 },
  ],
])("cuts whole pixels, rounded towards a square: %j", (part, pixels) => {
  expect(wholePixels(part, picture)).toEqual(pixels);
});
