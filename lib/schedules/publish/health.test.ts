import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { db, networkHealth } from "../../db";
import "../../testing";
import { recordNetworkAnswer, recordNetworkFailure } from "./health";

/** Nothing is published there yet, so nobody else is held up. */
const NETWORK = "PINTEREST";
const here = eq(networkHealth.platform, NETWORK);

beforeEach(() => db.delete(networkHealth).where(here));

const state = async () => {
  const closed = sql<boolean>`coalesce(${networkHealth.closedUntil} > now(), false)`;
  const { allowance, closures, consecutiveFailures: faults } = networkHealth;
  return (await db.select({ closed, allowance, closures, faults }).from(networkHealth).where(here))[0];
};
const faults = async (times: number) => {
  for (let time = 0; time < times; time++) await recordNetworkFailure(NETWORK);
};
/** The pause is over. */
const over = () => db.update(networkHealth).set({ closedUntil: sql`now() - interval '1 second'` }).where(here);

describe("a network", () => {
  test("stays open for nine faults in a row; an answer forgets them", async () => {
    await faults(9);
    expect(await state()).toMatchObject({ closed: false, allowance: null, faults: 9 });
    await recordNetworkAnswer(NETWORK);
    expect(await state()).toBeUndefined();
  });

  test("is closed by the tenth, and what was under way closes it no further", async () => {
    await faults(13);
    await db.update(networkHealth).set({ closedUntil: sql`now() + interval '1 minute'` }).where(here);
    await faults(2);
    expect(await state()).toMatchObject({ closed: true, allowance: 1, closures: 1 });
    await recordNetworkAnswer(NETWORK);
    expect(await state()).toMatchObject({ closed: true, allowance: 1 });
  });

  test("is tried with one, then two, then four; with the sixth answer it is well", async () => {
    await faults(10);
    await over();
    const allowed = [];
    for (let answer = 0; answer < 6; answer++) {
      await recordNetworkAnswer(NETWORK);
      allowed.push((await state())?.allowance);
    }
    expect(allowed).toEqual([2, 4, 8, 16, 32, undefined]);
  });

  test("that fails while it is tried is closed again at once, for longer", async () => {
    await faults(10);
    await over();
    await recordNetworkFailure(NETWORK);
    expect(await state()).toMatchObject({ allowance: 1, closures: 2 });
  });
});
