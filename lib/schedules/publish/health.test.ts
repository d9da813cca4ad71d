import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { db, networkHealth } from "../../db";
import "../../testing";
import { recordNetworkAnswer, recordNetworkFailure } from "./health";

/** Nothing has been published here yet, so other accounts are not delayed. */
const NETWORK = "PINTEREST";
const here = eq(networkHealth.platform, NETWORK);

const open = () => db.delete(networkHealth).where(here);
beforeEach(open);
afterAll(open); // the next file may publish here

const state = async () => {
  const closed = sql<boolean>`coalesce(${networkHealth.closedUntil} > now(), false)`;
  const { allowance, closures, consecutiveFailures: faults } = networkHealth;
  return (await db.select({ closed, allowance, closures, faults }).from(networkHealth).where(here))[0];
};
const faults = async (times: number) => {
  for (let time = 0; time < times; time++) await recordNetworkFailure(NETWORK);
};
/** Ends the pause. */
const over = () => db.update(networkHealth).set({ closedUntil: sql`now() - interval '1 second'` }).where(here);

describe("a network", () => {
  test("stays open for nine failures in a row; an answer resets the count", async () => {
    await faults(9);
    expect(await state()).toMatchObject({ closed: false, allowance: null, faults: 9 });
    await recordNetworkAnswer(NETWORK);
    expect(await state()).toBeUndefined();
  });

  test("is closed by the tenth failure, and calls that were in progress do not close it for longer", async () => {
    await faults(13);
    await db.update(networkHealth).set({ closedUntil: sql`now() + interval '1 minute'` }).where(here);
    await faults(2);
    expect(await state()).toMatchObject({ closed: true, allowance: 1, closures: 1 });
    await recordNetworkAnswer(NETWORK);
    expect(await state()).toMatchObject({ closed: true, allowance: 1 });
  });

  test("may run one publication, then two, then four; with the sixth answer it is healthy", async () => {
    await faults(10);
    await over();
    const allowed = [];
    for (let answer = 0; answer < 6; answer++) {
      await recordNetworkAnswer(NETWORK);
      allowed.push((await state())?.allowance);
    }
    expect(allowed).toEqual([2, 4, 8, 16, 32, undefined]);
  });

  test("that fails while it recovers is closed again at once, for longer", async () => {
    await faults(10);
    await over();
    await recordNetworkFailure(NETWORK);
    expect(await state()).toMatchObject({ allowance: 1, closures: 2 });
  });
});
