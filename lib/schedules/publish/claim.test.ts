import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, db, publications, schedules } from "../../db";
import { type Worker, WorkerLost } from "../../jobs";
import {
  as,
  attemptsOf,
  callsOn,
  connectAccount,
  dueIn,
  forget,
  newOwner,
  read,
  schedule,
  settled,
  withWorker,
} from "../../testing";
import { refuseTwice } from "../testing/due";
import { type Claim, ClaimLost, claimPublication, releaseClaims } from "./claim";
import { publish } from "./publish";
import { rescuePublications } from "./rescue";
import { settleFailed } from "./settle";
import { storeStep } from "./steps";

withWorker();

const HOUR = 3_600_000;
const newWorker = (): Worker => ({ id: randomUUID(), assertAlive() {} });

/** A schedule in the future with one publication. */
async function scheduled(inMs = HOUR) {
  const owner = await newOwner();
  const { id: account, person } = await connectAccount(owner, "X_TWITTER");
  const client = as(owner);
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] };
  const made = await schedule(client, [on], new Date(Date.now() + inMs));
  return { account, client, made, person, publicationId: made.publications[0]?.id ?? 0 };
}

/** The same, whose time has come but whose due time is far away: only this test works on it. */
async function due() {
  const one = await scheduled();
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, one.made.id));
  return one;
}

/** Claims and publishes one publication, as a worker does. */
async function publishAs(publicationId: number, worker: Worker): Promise<void> {
  const claim = await claimPublication(publicationId, worker);
  if (claim) await publish(claim);
}

/** Stores a step, which requires the claim. */
const hold = (claim: Claim) => storeStep(claim, claim.posts[0]?.id ?? 0, "held", "DONE");

const rowOf = async (id: number) => (await db.select().from(publications).where(eq(publications.id, id)))[0];

describe("a claim", () => {
  test("belongs to one worker: others get none, and the publication is due again when the claim expires", async () => {
    const { publicationId, made } = await due();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimPublication(publicationId, newWorker())));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await rowOf(publicationId)).toMatchObject({ status: "IN_PROGRESS", claimFence: 1 });
    expect(await dueIn(publicationId)).toBeGreaterThan(20);
    await db.delete(schedules).where(eq(schedules.id, made.id)); // before it is due
  });

  test("that expired goes to the next worker, and the first worker can no longer record anything", async () => {
    const { publicationId, client, made } = await due();
    const [one, two] = [newWorker(), newWorker()];
    const first = await claimPublication(publicationId, one);
    await db.update(publications).set({ claimUntil: sql`now()` }).where(eq(publications.id, publicationId));
    if (!first?.posts[0]) throw new Error("not claimed");
    await expect(hold(first)).rejects.toThrow(ClaimLost);
    const second = await claimPublication(publicationId, two);
    expect(second?.fence).toBe(2);
    await expect(settleFailed(first, first.posts[0], { status: "FAILED", message: "from the past" })).rejects.toThrow(
      ClaimLost,
    );
    expect((await read(client, made.id)).publications[0]?.posts[0]).toMatchObject({ status: "PENDING" });
    if (second) await hold(second);
  });

  test("of a dead worker is released and due again", async () => {
    const { publicationId, account, client, made } = await due();
    await db.execute(sql`update accounts set tokens_sealed = null where id = ${account}`); // a worker that claims it posts nothing
    const worker = newWorker();
    await claimPublication(publicationId, worker);
    await forget(publicationId);
    await db.transaction(async (tx) => {
      await releaseClaims(tx, randomUUID());
      expect((await rowOf(publicationId))?.claimWorker).toBe(worker.id);
      await releaseClaims(tx, worker.id);
    });
    const seen = await settled(client, made.id);
    expect(seen.publications[0]?.status).toBe("FAILED");
    expect(await rowOf(publicationId)).toMatchObject({ claimWorker: null, claimFence: 2 });
  });

  test("is taken only while its worker is alive", async () => {
    const { publicationId } = await due();
    let alive = true;
    const worker: Worker = {
      id: randomUUID(),
      assertAlive() {
        if (!alive) throw new WorkerLost();
      },
    };
    const claim = await claimPublication(publicationId, worker);
    if (!claim) throw new Error("not claimed");
    await hold(claim);
    alive = false;
    await expect(hold(claim)).rejects.toThrow(WorkerLost);
  });
});

describe("a worker that is no longer alive before the final call", () => {
  /** Alive when it claims, and not afterwards. */
  function lostAfterClaiming(): Worker {
    let asked = 0;
    return {
      id: randomUUID(),
      assertAlive() {
        asked += 1;
        if (asked > 1) throw new WorkerLost();
      },
    };
  }

  test("leaves the publication due again once its claim has expired", async () => {
    const { made, person, publicationId } = await due();
    await publishAs(publicationId, lostAfterClaiming());
    const seconds = await dueIn(publicationId);
    expect(seconds).toBeGreaterThan(25);
    expect(seconds).toBeLessThan(32);
    expect(await callsOn("x", person, "publish")).toEqual([]);
    await db.delete(schedules).where(eq(schedules.id, made.id)); // before it is due
  });

  test("claims nothing: the publication stays due", async () => {
    const { made, publicationId } = await due();
    const lost: Worker = {
      id: randomUUID(),
      assertAlive() {
        throw new WorkerLost();
      },
    };
    await expect(publishAs(publicationId, lost)).rejects.toThrow(WorkerLost);
    expect(await rowOf(publicationId)).toMatchObject({ status: "PENDING", claimFence: 0, claimWorker: null });
    expect(await dueIn(publicationId)).toBeGreaterThan(3000);
    await db.delete(schedules).where(eq(schedules.id, made.id));
  });
});

describe("an unfinished publication without a due time", () => {
  /** It has no claim and no due time, and its time is in an hour; rescuing it posts nothing. */
  async function forgotten() {
    const one = await scheduled();
    await db.update(accounts).set({ tokensSealed: null }).where(eq(accounts.id, one.account));
    await forget(one.publicationId);
    const set = (values: { [column: string]: unknown }) =>
      db.update(publications).set(values).where(eq(publications.id, one.publicationId));
    const pass = (seconds: number) =>
      db
        .update(schedules)
        .set({ scheduledTime: sql`now() - make_interval(secs => ${seconds})` })
        .where(eq(schedules.id, one.made.id));
    return { ...one, set, pass };
  }

  test.each<[what: string, values: { [column: string]: unknown }]>([
    ["without a claim", { claimUntil: null }],
    [
      "whose claim ran out long ago",
      { status: "IN_PROGRESS", claimWorker: randomUUID(), claimUntil: sql`now() - interval '20 seconds'` },
    ],
  ])("%s is rescued", async (_, values) => {
    const { client, made, publicationId, set, pass } = await forgotten();
    await set(values);
    await pass(20);
    await rescuePublications(); // the worker's own loop may be faster
    expect((await settled(client, made.id)).publications[0]?.status).toBe("FAILED");
    expect(await rowOf(publicationId)).toMatchObject({ claimFence: 1 });
  });

  test("is not rescued if its time has not passed or has only just passed, it is or was just claimed, it is finished, or it is a draft", async () => {
    const [later, now, claimed, lately, finished, draft] = [
      await forgotten(),
      await forgotten(),
      await forgotten(),
      await forgotten(),
      await forgotten(),
      await forgotten(),
    ];
    const lease = (seconds: number) => ({
      status: "IN_PROGRESS",
      claimWorker: randomUUID(),
      claimUntil: sql`now() + make_interval(secs => ${seconds})`,
    });
    await claimed.set(lease(3600));
    await finished.set({ status: "PUBLISHED" });
    await db.update(schedules).set({ status: "DRAFT" }).where(eq(schedules.id, draft.made.id));
    // The times pass last, because the worker of these tests rescues too.
    for (const one of [claimed, finished, draft]) await one.pass(20);
    await lately.set(lease(-1));
    await lately.pass(20);
    await now.pass(0);
    await rescuePublications();
    for (const one of [later, now, claimed, lately, finished, draft]) {
      expect(await dueIn(one.publicationId)).toBeUndefined();
      expect(await rowOf(one.publicationId)).toMatchObject({ claimFence: 0 });
      await db.delete(schedules).where(eq(schedules.id, one.made.id));
    }
  });

  test("is not rescued if it has a later due time", async () => {
    const { made, publicationId } = await due();
    await db
      .update(schedules)
      .set({ scheduledTime: sql`now() - interval '20 seconds'` })
      .where(eq(schedules.id, made.id));
    await rescuePublications();
    expect(await dueIn(publicationId)).toBeGreaterThan(3000);
    await db.delete(schedules).where(eq(schedules.id, made.id));
  });
});

describe("no call is made", () => {
  test("before the scheduled time", async () => {
    const { client, made, person, publicationId } = await scheduled();
    await publishAs(publicationId, newWorker());
    expect(await read(client, made.id)).toEqual(made);
    expect(await dueIn(publicationId)).toBeGreaterThan(3000);
    expect(await callsOn("x", person, "publish")).toEqual([]);
  });

  test("for a publication that was deleted or is not to be published", async () => {
    await publishAs(999_999_999, newWorker());
    const { made, person, publicationId } = await due();
    await db.update(schedules).set({ status: "DRAFT" }).where(eq(schedules.id, made.id));
    await publishAs(publicationId, newWorker());
    expect(await callsOn("x", person, "publish")).toEqual([]);
    expect(await rowOf(publicationId)).toMatchObject({ status: "PENDING", claimFence: 0 });
  });

  test("for an account that was disconnected before: the publication fails with the reason", async () => {
    const { account, client, made, person } = await scheduled(1000);
    expect((await client.delete(`/v1/accounts/${account}`)).status).toBe(204);
    const seen = await settled(client, made.id);
    expect(seen.publications[0]).toMatchObject({ status: "FAILED", posts: [{ status: "FAILED" }] });
    expect(seen.publications[0]?.posts[0]?.error).toMatch(/^This account is no longer connected/);
    expect(await callsOn("x", person, "publish")).toEqual([]);
  });

  test.each<[what: string, values: Partial<typeof accounts.$inferInsert>, reason: string]>([
    [
      "disconnected",
      { disconnectedAt: new Date().toISOString(), tokensSealed: null, tokensExpireAt: null },
      "This account is no longer connected",
    ],
    [
      "waiting for its person",
      { state: "RECONNECT_REQUIRED", stateReason: "X wants you back. Reconnect the account." },
      "X wants you back",
    ],
  ])(
    "for an account %s, however old its token: one attempt, which fails with the reason",
    async (_, values, reason) => {
      const { account, client, made, person, publicationId } = await scheduled(1000);
      await db
        .update(accounts)
        .set({ ...values, tokensRefreshedAt: sql`now() - interval '3 minutes'` })
        .where(eq(accounts.id, account));
      const { publications: parts } = await settled(client, made.id);
      const error = `${reason}. Reconnect the account, then try this post again.`;
      expect(parts).toMatchObject([{ status: "FAILED", posts: [{ status: "FAILED", error }] }]);
      expect(await rowOf(publicationId)).toMatchObject({ claimFence: 1, claimWorker: null });
      expect(await attemptsOf(publicationId)).toBe(0);
      expect(await dueIn(publicationId)).toBeUndefined();
      expect(await callsOn("x", person, "publish")).toEqual([]);
    },
  );
});

test("a claim is given back when its end cannot be recorded because the database is away", async () => {
  const { client, made, person, publicationId } = await scheduled();
  const released = "old.claim_worker is not null and new.claim_worker is null";
  const back = await refuseTwice(
    `update on publications for each row when (new.id = ${publicationId} and ${released})`,
  );
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  await db.update(publications).set({ dueAt: sql`now()` }).where(eq(publications.id, publicationId));
  const { overallStatus } = await settled(client, made.id);
  await back();
  expect(overallStatus).toBe("COMPLETED");
  // Announcing the call has made the claim last for minutes.
  expect(await rowOf(publicationId)).toMatchObject({ claimFence: 2, claims: 0, attempts: 0 });
  expect(await callsOn("x", person, "publish")).toHaveLength(1);
});
