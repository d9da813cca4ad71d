import { expect, test } from "vitest";
import { momentWords, sizeOf } from "./cover-window";

test.each([
  [1080, 1920, 1080, 1920],
  [3840, 2160, 1920, 1080],
  [640, 360, 640, 360],
  [8000, 2, 1920, 1],
])("a frame of %d × %d is drawn as %d × %d", (width, height, asWidth, asHeight) => {
  expect(sizeOf(width, height)).toEqual({ width: asWidth, height: asHeight });
});

test.each([
  [0, "0:00.0"],
  [7.26, "0:07.3"],
  [59.96, "1:00.0"],
  [754.5, "12:34.5"],
])("%d seconds are %s", (seconds, words) => {
  expect(momentWords(seconds)).toBe(words);
});
