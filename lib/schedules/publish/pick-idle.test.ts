import { expect, test } from "vitest";
import { restAfter, untilNextLook } from "./pick";

test("where nothing is due, the next look is at the next due time", () => {
  expect(untilNextLook({ idleMs: 432 }, 5)).toBe(432);
});

test("what waits for its turn is looked at a little later, unless something else is due before", () => {
  expect(untilNextLook({ idleMs: 1_000, newestMs: 700 }, 5)).toBe(100);
  expect(untilNextLook({ idleMs: 30, newestMs: 700 }, 5)).toBe(30);
});

test("what became due while the look was under way is taken at once, not with what waits for its turn", () => {
  expect(untilNextLook({ idleMs: 1_000, newestMs: 2 }, 5)).toBe(5);
  expect(untilNextLook({ idleMs: 1, newestMs: 2 }, 5)).toBe(1);
});

test("a long look rests for as long as it took, up to a limit", () => {
  expect([restAfter(4), restAfter(49), restAfter(3_000)]).toEqual([4, 49, 50]);
});
