import { expect, test, vi } from "vitest";

// As in production: nobody has set FAIL_POINTS. Before anything reads the settings.
vi.hoisted(() => {
  delete process.env.FAIL_POINTS;
});

import { armFailPoint, failPoint } from "./fail-point";
import { failPoints } from "./fail-points";

test.each(failPoints)("without the setting nobody can arm %s, and passing it does nothing", async (point) => {
  const trap = vi.fn();
  expect(() => armFailPoint(point, trap)).toThrow("fail points are off");
  await failPoint(point);
  expect(trap).not.toHaveBeenCalled();
});
