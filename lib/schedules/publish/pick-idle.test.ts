import { expect, test } from "vitest";
import { msUntilNextLook, pauseAfter } from "./pick";

test("if nothing is due, the next look is at the next due time", () => {
  expect(msUntilNextLook({ idleMs: 432 }, 5)).toBe(432);
});

test("if a due publication is blocked, the next look is a little later, unless another one is due before", () => {
  expect(msUntilNextLook({ idleMs: 1_000, newestMs: 700 }, 5)).toBe(100);
  expect(msUntilNextLook({ idleMs: 30, newestMs: 700 }, 5)).toBe(30);
});

test("a publication that became due during the look is claimed at once", () => {
  expect(msUntilNextLook({ idleMs: 1_000, newestMs: 2 }, 5)).toBe(5);
  expect(msUntilNextLook({ idleMs: 1, newestMs: 2 }, 5)).toBe(1);
});

test("after a long look, the pause is as long as the look, up to a limit", () => {
  expect([pauseAfter(4), pauseAfter(49), pauseAfter(3_000)]).toEqual([4, 49, 50]);
});
