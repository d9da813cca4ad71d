import { describe, expect, test } from "vitest";
import { batch } from "./batch";

/** Work that ends when the test says so, and records its inputs. */
function work() {
  const asked: number[][] = [];
  const ends: (() => void)[] = [];
  const double = batch(async (all: number[]) => {
    asked.push(all);
    await new Promise<void>((resolve) => ends.push(resolve));
    return all.map((one) => one * 2);
  }, 3);
  return { asked, double, end: () => ends.shift()?.() };
}

describe("calls of several callers", () => {
  test("at the same time run as one batch, and each gets its own result", async () => {
    const { asked, double, end } = work();
    const answers = Promise.all([double(1), double(2)]);
    await expect.poll(() => asked).toEqual([[1, 2]]);
    end();
    expect(await answers).toEqual([2, 4]);
  });

  test("during a running batch wait and form the next one, up to the maximum size", async () => {
    const { asked, double, end } = work();
    const first = double(1);
    await expect.poll(() => asked).toEqual([[1]]);
    const others = [2, 3, 4, 5].map(double);
    end();
    expect(await first).toBe(2);
    await expect.poll(() => asked).toEqual([[1], [2, 3, 4]]);
    end();
    await expect.poll(() => asked).toEqual([[1], [2, 3, 4], [5]]);
    end();
    expect(await Promise.all(others)).toEqual([4, 6, 8, 10]);
  });

  test("are repeated one by one if the batch fails, so only the caller with the invalid input gets the error", async () => {
    const half = batch(async (all: number[]) => {
      if (all.some((one) => one % 2 === 1)) throw new Error(`${all} cannot be halved`);
      return all.map((one) => one / 2);
    });
    const answers = await Promise.allSettled([half(2), half(3), half(4)]);
    expect(answers).toMatchObject([{ value: 1 }, { reason: { message: "3 cannot be halved" } }, { value: 2 }]);
    expect(await half(8)).toBe(4);
  });
});
