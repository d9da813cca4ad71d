import { expect, test } from "vitest";
import { placed } from "./time-grid";

const at = (...minutes: number[]) => minutes.map((minute) => ({ minute }));
const columns = (minutes: number[], most = 3) =>
  placed(at(...minutes), 60, most).map(({ column, columns }) => `${column + 1}/${columns}`);

test("items that do not overlap have the whole width", () => {
  expect(columns([0, 60, 180])).toEqual(["1/1", "1/1", "1/1"]);
});

test("items that overlap share the width", () => {
  expect(columns([0, 30, 45])).toEqual(["1/3", "2/3", "3/3"]);
});

test("a later item takes a column that is free again", () => {
  expect(columns([0, 30, 60, 200])).toEqual(["1/2", "2/2", "1/2", "1/1"]);
});

test("items that find no column are counted at the chip in the last column, and none is lost", () => {
  const shown = placed(at(0, 0, 5, 10, 20, 300), 60, 3);
  expect(shown.map(({ minute, rest }) => [minute, rest])).toEqual([
    [0, 0],
    [0, 0],
    [5, 2],
    [300, 0],
  ]);
});
