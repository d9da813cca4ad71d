import { expect, test } from "vitest";
import { pauseAfter } from "../../jobs/polling-loop";
import { untilNextLook } from "./pick";

test("if nothing is due, the next look is when the next publication is due, at most a second later", () => {
  expect(untilNextLook([{ nextMs: null }, { nextMs: 432 }], 0, 2)).toBe(430);
  expect(untilNextLook([{ nextMs: null }], 0, 2)).toBe(998);
  expect(untilNextLook([], 0, 2)).toBe(998);
});

test("a publication that became due during the look is looked at without a pause", () => {
  expect(untilNextLook([{ nextMs: 3 }], 1, 5)).toBe(0);
});

test("while due publications are blocked, the pause doubles up to half a second, unless another one becomes due before", () => {
  const pauses = [1, 2, 3, 4, 5, 6, 60].map((blocked) => untilNextLook([{ nextMs: null }], blocked, 1));
  expect(pauses).toEqual([20, 40, 80, 160, 320, 500, 500]);
  expect(untilNextLook([{ nextMs: 31 }], 6, 1)).toBe(30);
});

test("after a long look, the pause is as long as the look, up to a limit", () => {
  expect([pauseAfter(4), pauseAfter(49), pauseAfter(3_000)]).toEqual([4, 49, 50]);
});
