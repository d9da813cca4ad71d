import { randomUUID } from "node:crypto";
import { inArray, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { dbOrTransaction, publications, schedules, shareTransaction } from "../../db";
import type { Worker } from "../../jobs";
import { as, connectAccount, newOwner, schedule } from "../../testing";
import type { Claim } from "./claim";
import { claimDue, newPickState } from "./pick";

const worker: Worker = { id: randomUUID(), assertAlive() {} };

class Undone extends Error {}

/** One publication in the future on each of this many accounts of one owner. */
async function scheduled(count: number) {
  const owner = await newOwner();
  const accounts = await Promise.all(Array.from({ length: count }, () => connectAccount(owner, "X_TWITTER")));
  const parts = accounts.map(({ id }) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: "a" }],
  }));
  const made = await schedule(as(owner), parts, new Date(Date.now() + 3_600_000));
  return { scheduleId: made.id, ids: made.publications.map(({ id }) => id) };
}

/**
 * Returns which of these are claimed once they are due, after the given numbers of claims without progress. The transaction is
 * rolled back, so no other worker sees them as due.
 */
async function taken(
  { scheduleId, ids }: { scheduleId: number; ids: number[] },
  claims: number[],
  running: Claim[] = [],
) {
  let mine: Claim[] = [];
  const look = shareTransaction(async () => {
    await dbOrTransaction
      .update(schedules)
      .set({ scheduledTime: sql`now()` })
      .where(inArray(schedules.id, [scheduleId]));
    for (const [index, id] of ids.entries()) {
      const set = { claims: claims[index] ?? 0, dueAt: sql`now() - interval '1 second'` };
      await dbOrTransaction
        .update(publications)
        .set(set)
        .where(inArray(publications.id, [id]));
    }
    const { claims: all } = await claimDue(worker, running, newPickState());
    mine = all.filter(({ publicationId }) => ids.includes(publicationId));
    throw new Undone();
  });
  await expect(look).rejects.toThrow(Undone);
  return mine;
}

/** One process picks on a network at a time; while another one does, nothing can be claimed. */
const soon = <T>(look: () => Promise<T>) => vi.waitFor(look, { timeout: 45_000, interval: 20 });

describe("publications that may crash their worker", () => {
  test("are claimed one at a time, next to those that do not", async () => {
    const made = await scheduled(5);
    const [, second, , fourth] = made.ids;
    await soon(async () => {
      const mine = await taken(made, [2, 0, 2, 1, 3]);
      expect(mine.map(({ claims }) => claims).filter((claims) => claims > 2)).toHaveLength(1);
      const others = mine.filter(({ claims }) => claims <= 2).map(({ publicationId }) => publicationId);
      expect(others).toEqual([second, fourth]);
    });
  });

  test("wait while one of them is being published", async () => {
    const made = await scheduled(3);
    await soon(async () => {
      const [suspect, ...others] = await taken(made, [2, 0, 2]);
      if (!suspect) throw new Error("another process is picking");
      expect(others).toHaveLength(1);
      const beside = await taken(made, [0, 0, 2], [suspect]);
      expect(beside.map(({ publicationId }) => publicationId)).toEqual(made.ids.slice(0, 2));
    });
  });
});
