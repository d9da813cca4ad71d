import { expect, test } from "vitest";
import { account, draftFor, file, targetsFor } from "../testing/page";
import { nearestRatio } from "./box";
import { ratiosFor } from "./crop-window";

const accounts = [account(1, "X_TWITTER"), account(2, "INSTAGRAM"), account(3, "TELEGRAM")];
const picture = file("u/a.jpg", "p1");

function offered(
  chosen: typeof accounts,
  more: Parameters<typeof draftFor>[2] = {},
  size = { width: 3000, height: 2000 },
) {
  const targets = targetsFor(draftFor(chosen, ["Ding"], more), chosen, [picture]);
  return ratiosFor(picture, targets, size).map(({ name }) => name);
}

const all = ["1:1", "4:5", "2:3", "9:16", "1.91:1", "16:9"];

test("offers the ratios that every chosen network accepts", () => {
  expect(offered(accounts.slice(0, 1))).toEqual(all);
  expect(offered(accounts)).toEqual(["1:1", "4:5", "1.91:1", "16:9"]);
});

test("a ratio at a limit is accepted for every picture size", () => {
  for (const size of [
    { width: 900, height: 600 },
    { width: 601, height: 601 },
  ]) {
    expect(offered(accounts, {}, size)).toEqual(["1:1", "4:5", "1.91:1", "16:9"]);
  }
});

test("ignores networks that do not get the picture", () => {
  expect(offered(accounts, { without: { a2: [picture.id] } })).toEqual(all);
});

test.each([
  [3, { min: 0.8, max: 1.91 }, "1.91:1"],
  [0.4, { min: 0.8, max: 1.91 }, "4:5"],
  [1.1, { min: 0.8, max: 1.91 }, "1:1"],
  [1.2, { min: 1.3, max: 1.4 }, undefined],
])("of the known ratios between two bounds, the nearest to %d is found (%j): %s", (to, bounds, name) => {
  expect(nearestRatio(to, bounds)?.name).toBe(name);
});
