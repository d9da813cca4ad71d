import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, publications, schedules } from "../db";
import { type Worker, WorkerLost } from "../jobs";
import { as, callsOn, connect, newOwner, read, schedule, settled, withWorker } from "../testing";
import { ClaimLost, claimPublication, holdClaim, releaseClaims } from "./claim";
import { publishPublication } from "./publish";
import { settleFailed } from "./settle";

withWorker();

const HOUR = 3_600_000;
const newWorker = (): Worker => ({ id: randomUUID(), assertAlive() {} });

/** A schedule for later, with one publication. */
async function scheduled(inMs = HOUR) {
  const owner = await newOwner();
  const { id: account, person } = await connect(owner, "X_TWITTER");
  const client = as(owner);
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] };
  const made = await schedule(client, [on], new Date(Date.now() + inMs));
  return { account, client, made, person, publicationId: made.publications[0]?.id ?? 0 };
}

/** The same, due now, its job far away: nobody but this test works on it. */
async function due() {
  const one = await scheduled();
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, one.made.id));
  return one;
}

const rowOf = async (id: number) => (await db.select().from(publications).where(eq(publications.id, id)))[0];

async function jobOf(publicationId: number) {
  const { rows } = await db.execute<{ seconds: number }>(
    sql`select extract(epoch from run_at - now())::float8 as seconds from graphile_worker.jobs where key = ${`publication:${publicationId}`}`,
  );
  return rows[0]?.seconds;
}

describe("a claim", () => {
  test("is one worker's: whoever else asks gets none, and a job that looks again when it runs out", async () => {
    const { publicationId, made } = await due();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimPublication(publicationId, newWorker())));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await rowOf(publicationId)).toMatchObject({ status: "IN_PROGRESS", fence: 1 });
    expect(await jobOf(publicationId)).toBeGreaterThan(20);
    await db.delete(schedules).where(eq(schedules.id, made.id)); // before that job comes
  });

  test("that ran out is the next worker's, and the first one can record nothing any more", async () => {
    const { publicationId, client, made } = await due();
    const [one, two] = [newWorker(), newWorker()];
    const first = await claimPublication(publicationId, one);
    await db.update(publications).set({ leaseUntil: sql`now()` }).where(eq(publications.id, publicationId));
    if (!first?.posts[0]) throw new Error("not claimed");
    await expect(holdClaim(first)).rejects.toThrow(ClaimLost);
    const second = await claimPublication(publicationId, two);
    expect(second?.fence).toBe(2);
    await expect(settleFailed(first, first.posts[0], "FAILED", "from the past")).rejects.toThrow(ClaimLost);
    expect((await read(client, made.id)).publications[0]?.posts[0]).toMatchObject({ status: "PENDING" });
    if (second) await holdClaim(second);
  });

  test("of a dead worker is free again, with a job that wakes it", async () => {
    const { publicationId, account, client, made } = await due();
    await db.execute(sql`update accounts set tokens_sealed = null where id = ${account}`); // whoever wakes posts nothing
    const worker = newWorker();
    await claimPublication(publicationId, worker);
    await db.execute(sql`select graphile_worker.remove_job(${`publication:${publicationId}`})`);
    await db.transaction(async (tx) => {
      await releaseClaims(tx, randomUUID());
      expect((await rowOf(publicationId))?.leaseWorker).toBe(worker.id);
      await releaseClaims(tx, worker.id);
    });
    const seen = await settled(client, made.id);
    expect(seen.publications[0]?.status).toBe("FAILED");
    expect(await rowOf(publicationId)).toMatchObject({ leaseWorker: null, fence: 2 });
  });

  test("counts only while its worker is sure of itself", async () => {
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
    await holdClaim(claim);
    alive = false;
    await expect(holdClaim(claim)).rejects.toThrow(WorkerLost);
  });
});

describe("no call is made", () => {
  test("by a job that comes too early: it is put back", async () => {
    const { client, made, person, publicationId } = await scheduled();
    await publishPublication.run({ publicationId }, newWorker());
    expect(await read(client, made.id)).toEqual(made);
    expect(await jobOf(publicationId)).toBeGreaterThan(3000);
    expect(await callsOn("x", person, "publish")).toEqual([]);
  });

  test("by a job whose publication is gone, or not to be published", async () => {
    await publishPublication.run({ publicationId: 999_999_999 }, newWorker());
    const { made, person, publicationId } = await due();
    await db.update(schedules).set({ status: "DRAFT" }).where(eq(schedules.id, made.id));
    await publishPublication.run({ publicationId }, newWorker());
    expect(await callsOn("x", person, "publish")).toEqual([]);
    expect(await rowOf(publicationId)).toMatchObject({ status: "PENDING", fence: 0 });
  });

  test("for an account that was disconnected before the time: the reason is told", async () => {
    const { account, client, made, person } = await scheduled(1000);
    expect((await client.delete(`/v1/accounts/${account}`)).status).toBe(204);
    const seen = await settled(client, made.id);
    expect(seen.publications[0]).toMatchObject({ status: "FAILED", posts: [{ status: "FAILED" }] });
    expect(seen.publications[0]?.posts[0]?.error).toMatch(/^This account is no longer connected/);
    expect(await callsOn("x", person, "publish")).toEqual([]);
  });
});
