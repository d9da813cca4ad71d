import { expect, test, vi } from "vitest";
import { readEnv } from "../env";
import { withSettings } from "../testing/settings";
import { armFailPoint, failPoint } from "./fail-point";
import { failPoints } from "./fail-points";

// As in production, FAIL_POINTS is not set.
withSettings({ failPoints: readEnv({}).failPoints });

test.each(failPoints)("without FAIL_POINTS, %s cannot be armed and passing it does nothing", async (point) => {
  const trap = vi.fn();
  expect(() => armFailPoint(point, trap)).toThrow("fail points are off");
  await failPoint(point);
  expect(trap).not.toHaveBeenCalled();
});
