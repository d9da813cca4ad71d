import { randomUUID } from "node:crypto";
import { and, eq, lte, notInArray, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  accounts,
  dbOrTransaction,
  networkHealth,
  publications,
  schedules,
  shareTransaction,
  users,
  workers,
} from "../../db";
import { PUBLICATION_PICK_LOCK_CLASS } from "../../db/locks";
import type { Worker } from "../../jobs";
import { concurrencyOf, networkOf } from "../../networks";
import { as, connectAccount, newOwner, schedule } from "../../testing";
import type { Claim } from "./claim";
import { claimDue, newPickState } from "./pick";

const worker: Worker = { id: randomUUID(), assertAlive() {} };
const HOUR = 3_600_000;

class Undone extends Error {}

type Mine = { ownerId: string; accountId: number; scheduleId: number; id: number };

/** Publications in the future on a new account of this owner. */
async function scheduled(ownerId: string, count = 1): Promise<Mine[]> {
  const { id: accountId } = await connectAccount(ownerId, "X_TWITTER");
  const on = { socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] };
  const made: Mine[] = [];
  for (let n = 0; n < count; n++) {
    const one = await schedule(as(ownerId), [on], new Date(Date.now() + HOUR));
    made.push({ ownerId, accountId, scheduleId: one.id, id: one.publications[0]?.id ?? 0 });
  }
  return made;
}

/**
 * Returns the IDs of the publications that are claimed if these are due, the first for the longest time, and no others on X.
 * The transaction is rolled back, so no other worker sees them as due.
 * @param besides additional setup
 */
async function taken(due: Mine[], running: Claim[] = [], besides: () => Promise<unknown> = async () => {}) {
  return (await claimsOf(due, running, besides)).map(({ publicationId }) => publicationId);
}

async function claimsOf(due: Mine[], running: Claim[], besides: () => Promise<unknown>): Promise<Claim[]> {
  let claims: Claim[] = [];
  const ids = due.map(({ id }) => id);
  const look = () =>
    shareTransaction(async () => {
      await dbOrTransaction
        .update(publications)
        .set({ dueAt: null })
        .where(and(lte(publications.dueAt, sql`now()`), notInArray(publications.id, ids)));
      await dbOrTransaction.delete(networkHealth).where(eq(networkHealth.platform, "X_TWITTER"));
      for (const [index, { id, scheduleId }] of due.entries()) {
        await dbOrTransaction.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, scheduleId));
        const seconds = due.length - index;
        await dbOrTransaction
          .update(publications)
          .set({ dueAt: sql`now() - make_interval(secs => ${seconds})` })
          .where(eq(publications.id, id));
      }
      await besides();
      // One process picks on a network at a time, so this look may find nothing while another process is picking.
      const { rows } = await dbOrTransaction.execute<{ free: boolean }>(
        sql`select pg_try_advisory_xact_lock(${PUBLICATION_PICK_LOCK_CLASS}, hashtext('X_TWITTER')) as free`,
      );
      if (!rows[0]?.free) throw new Error("another process is picking");
      ({ claims } = await claimDue(worker, running, newPickState()));
      throw new Undone();
    });
  await vi.waitFor(() => expect(look()).rejects.toThrow(Undone), { timeout: 45_000, interval: 20 });
  return claims;
}

/** Claims of this process for this many publications of an owner. */
async function busyWith(ownerId: string, count: number): Promise<Claim[]> {
  const [claim] = await claimsOf(strangers, [], async () => {});
  if (!claim) throw new Error("nothing was taken");
  return Array.from({ length: count }, () => ({ ...claim, ownerId }));
}

const network = networkOf("X_TWITTER");
if (!network) throw new Error("X is not there");
const { slots, perOwner } = concurrencyOf(network);

let strangers: Mine[];
let large: Mine[];
let small: Mine[];
beforeAll(async () => {
  const [stranger, owner, other] = [await newOwner(), await newOwner(), await newOwner()];
  strangers = await scheduled(stranger);
  large = (await Promise.all([1, 2, 3].map(() => scheduled(owner)))).flat();
  small = await scheduled(other, 3);
});

const idsOf = (some: Mine[]) => some.map(({ id }) => id);

describe("the publications of an account", () => {
  test("go one at a time, the one that is due for the longest time first", async () => {
    const [first, second, third] = small;
    if (!first || !second || !third) throw new Error("one is missing");
    expect(await taken([second, first, third])).toEqual([second.id]);
  });

  test("wait while another worker publishes one of them", async () => {
    const [first, second] = small;
    if (!first || !second) throw new Error("one is missing");
    const other = randomUUID();
    const claimed = async () => {
      await dbOrTransaction.insert(workers).values({ id: other });
      await dbOrTransaction
        .update(publications)
        .set({
          claimWorker: other,
          claimUntil: sql`now() + interval '1 minute'`,
          dueAt: sql`now() + interval '1 minute'`,
        })
        .where(eq(publications.id, first.id));
    };
    expect(await taken(small, [], claimed)).toEqual([]);
  });

  test("wait for as long as the network asked", async () => {
    const told = (seconds: number) => () =>
      dbOrTransaction
        .update(accounts)
        .set({ waitUntil: sql`now() + make_interval(secs => ${seconds})` })
        .where(eq(accounts.id, small[0]?.accountId ?? 0));
    expect(new Set(await taken([...small, ...large], [], told(60)))).toEqual(new Set(idsOf(large)));
    expect(await taken(small, [], told(-1))).toEqual(idsOf(small.slice(0, 1)));
  });
});

describe("an owner", () => {
  test("runs no more than its limit at once, and does not delay other owners", async () => {
    const owner = large[0]?.ownerId ?? "";
    const due = [...large, ...small];
    const own = async (room: number) => taken(due, await busyWith(owner, perOwner - room));
    expect((await own(2)).sort()).toEqual(idsOf([...large.slice(0, 2), ...small.slice(0, 1)]).sort());
    expect(await own(0)).toEqual(idsOf(small.slice(0, 1)));
  });

  test("with many overdue publications gets one turn before any owner gets a second", async () => {
    const room = await busyWith(strangers[0]?.ownerId ?? "", slots - 2);
    expect((await taken([...large, ...small], room)).sort()).toEqual(
      idsOf([...large.slice(0, 1), ...small.slice(0, 1)]).sort(),
    );
  });
});

describe("t27: overdue publications of owners who are suspended or being deleted", () => {
  test.each([
    { who: "suspended", set: { suspendedAt: sql`now()` } },
    { who: "being deleted", set: { deletingAt: sql`now()` } },
  ])("take no places of other owners ($who)", async ({ set }) => {
    const room = await busyWith(strangers[0]?.ownerId ?? "", slots - 1);
    const stop = () =>
      dbOrTransaction
        .update(users)
        .set(set)
        .where(eq(users.id, large[0]?.ownerId ?? ""));
    expect(await taken([...large, ...small], room)).toEqual(idsOf(large.slice(0, 1)));
    expect(await taken([...large, ...small], room, stop)).toEqual(idsOf(small.slice(0, 1)));
  });
});

describe("a network", () => {
  test("runs no more than its limit at once in a process", async () => {
    const busy = (free: number) => busyWith(strangers[0]?.ownerId ?? "", slots - free);
    expect(await taken(large, await busy(1))).toEqual(idsOf(large.slice(0, 1)));
    expect(await taken(large, await busy(0))).toEqual([]);
  });

  test("that is closed runs none, and one while it recovers", async () => {
    const closed = (seconds: number) => () =>
      dbOrTransaction.insert(networkHealth).values({
        platform: "X_TWITTER",
        consecutiveFailures: 10,
        allowance: 1,
        closedUntil: sql`now() + make_interval(secs => ${seconds})`,
      });
    expect(await taken(large, [], closed(60))).toEqual([]);
    expect(await taken(large, [], closed(-1))).toEqual(idsOf(large.slice(0, 1)));
  });
});
