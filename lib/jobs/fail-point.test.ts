import { expect, test, vi } from "vitest";

// As in production, FAIL_POINTS is not set. This runs before anything reads the settings.
vi.hoisted(() => {
  delete process.env.FAIL_POINTS;
});

import { armFailPoint, failPoint } from "./fail-point";
import { failPoints } from "./fail-points";

test.each(failPoints)("without FAIL_POINTS, %s cannot be armed and passing it does nothing", async (point) => {
  const trap = vi.fn();
  expect(() => armFailPoint(point, trap)).toThrow("fail points are off");
  await failPoint(point);
  expect(trap).not.toHaveBeenCalled();
});
