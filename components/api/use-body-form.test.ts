import { expect, test, vi } from "vitest";
import { alone } from "./use-body-form";

test("runs once for two presses at the same time, and again after it has ended", async () => {
  const underWay = { current: false };
  const work = vi.fn(async () => {});
  const first = alone(underWay, work);
  const second = alone(underWay, work);
  expect(work).toHaveBeenCalledTimes(1);
  await Promise.all([first, second]);
  await alone(underWay, work);
  expect(work).toHaveBeenCalledTimes(2);
});

test("does not start another job meanwhile, and recovers after a failure", async () => {
  const underWay = { current: false };
  const other = vi.fn(async () => {});
  const failing = alone(underWay, () => Promise.reject(new Error("no")));
  await alone(underWay, other);
  expect(other).not.toHaveBeenCalled();
  await expect(failing).rejects.toThrow("no");
  await alone(underWay, other);
  expect(other).toHaveBeenCalledTimes(1);
});
