import { expect, test } from "vitest";
import { msUntilNextLook, pauseAfter } from "./pick";

test("where nothing is due, the next look is at the next due time", () => {
  expect(msUntilNextLook({ idleMs: 432 }, 5)).toBe(432);
});

test("what waits for its turn is looked at a little later, unless something else is due before", () => {
  expect(msUntilNextLook({ idleMs: 1_000, newestMs: 700 }, 5)).toBe(100);
  expect(msUntilNextLook({ idleMs: 30, newestMs: 700 }, 5)).toBe(30);
});

test("what became due while the look was under way is taken at once, not with what waits for its turn", () => {
  expect(msUntilNextLook({ idleMs: 1_000, newestMs: 2 }, 5)).toBe(5);
  expect(msUntilNextLook({ idleMs: 1, newestMs: 2 }, 5)).toBe(1);
});

test("a long look rests for as long as it took, up to a limit", () => {
  expect([pauseAfter(4), pauseAfter(49), pauseAfter(3_000)]).toEqual([4, 49, 50]);
});
