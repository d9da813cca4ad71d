import { describe, expect, test } from "vitest";
import { fairPlaces } from "./places";

/** Queues tasks, named by their owner, and returns the order in which they get a place. The oldest task ends first. */
async function orderOf(count: number, owners: string): Promise<string> {
  const places = fairPlaces(count);
  const running: (() => void)[] = [];
  let order = "";
  for (const owner of owners) {
    void places.take(owner).then((release) => {
      order += owner;
      running.push(release);
    });
  }
  for (let ended = 0; ended < owners.length; ended += 1) {
    await new Promise(setImmediate);
    running.shift()?.();
  }
  await new Promise(setImmediate);
  expect(places.taken).toBe(0);
  return order;
}

describe("places shared by owners", () => {
  test("one owner never has all of them, however many files it sends", async () => {
    const places = fairPlaces(2);
    const mine = [places.take("a"), places.take("a"), places.take("a")];
    await mine[0];
    expect(places.taken).toBe(1);
    await places.take("b");
    expect(places.taken).toBe(2);
  });

  test("an owner who sends one file is next, after at most one task of each owner before it", async () => {
    expect(await orderOf(2, `${"a".repeat(9)}b`)).toBe(`ab${"a".repeat(8)}`);
    expect(await orderOf(2, `${"a".repeat(5)}${"b".repeat(5)}c`)).toMatch(/^abc/);
  });

  test("the waiting owners take turns", async () => {
    expect(await orderOf(1, "aaabbbccc")).toBe("abcabcabc");
  });

  test("a single place serves one owner's tasks in their order", async () => {
    const places = fairPlaces(1);
    const ended: number[] = [];
    const tasks = [1, 2, 3].map(async (n) => {
      const release = await places.take("a");
      ended.push(n);
      release();
    });
    await Promise.all(tasks);
    expect(ended).toEqual([1, 2, 3]);
  });
});
