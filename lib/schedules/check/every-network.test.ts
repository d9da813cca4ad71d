import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db, publications, publishSteps } from "../../db";
import { type Worker, WorkerLost } from "../../jobs";
import { armFailPoint } from "../../jobs/fail-point";
import type { FailPoint } from "../../jobs/fail-points";
import { allNetworks, type Network } from "../../networks";
import { platforms } from "../../platforms";
import { postsOn, read } from "../../testing";
import { withApiServed } from "../../testing/served";
import { claimPublication } from "../publish/claim";
import { publish } from "../publish/publish";
import { createDuePost } from "../testing/due";

withApiServed();

const newWorker = (): Worker => ({ id: randomUUID(), assertAlive() {} });

/** Before the final call is announced, or after its answer is stored: the outcome is certain. */
const CERTAIN: FailPoint[] = ["claimed", "opened", "prepared", "stored", "settled"];
const IN_DOUBT: FailPoint[] = ["announced", "answered"];

/** The plainest post of a network, and what the network shows of it. */
async function due(network: Network) {
  const one = await createDuePost(network);
  return {
    ...one,
    seen: () => read(one.client, one.id),
    live: async () => (await postsOn(platforms[network.platform], one.person)).length,
  };
}

type Due = Awaited<ReturnType<typeof due>>;

async function work({ publicationId }: Due): Promise<void> {
  const claim = await claimPublication(publicationId, newWorker());
  if (claim) await publish(claim);
}

/** Publishes until the point is reached and the worker dies. Its claims are released. */
async function dieAt(point: FailPoint, one: Due): Promise<void> {
  const died = vi.fn(() => {
    throw new WorkerLost();
  });
  armFailPoint(point, died);
  await vi.waitFor(
    async () => {
      await work(one);
      expect(died).toHaveBeenCalled();
    },
    { timeout: 45_000, interval: 100 },
  );
  await db
    .update(publications)
    .set({ claimWorker: null, claimUntil: null, dueAt: sql`now() + interval '1 hour'` })
    .where(eq(publications.id, one.publicationId));
}

async function finish(one: Due) {
  return vi.waitFor(
    async () => {
      await work(one);
      const seen = await one.seen();
      expect(["COMPLETED", "PARTIALLY_COMPLETED", "FAILED"], JSON.stringify(seen)).toContain(seen.overallStatus);
      return seen.publications[0]?.status;
    },
    { timeout: 45_000, interval: 100 },
  );
}

/** Makes the intent older than the longest wait for an answer. */
const age = ({ postId }: Due) =>
  db
    .update(publishSteps)
    .set({ startedAt: sql`now() - interval '20 seconds'`, sentAt: sql`now() - interval '20 seconds'` })
    .where(eq(publishSteps.postId, postId));

describe.each(allNetworks().map((network) => [network.name, network] as const))("T2: on %s", (_, network) => {
  test.each(CERTAIN)("a worker that dies %s: one post, recorded as published", { timeout: 60_000 }, async (point) => {
    const one = await due(network);
    await dieAt(point, one);
    expect([await finish(one), await one.live()]).toEqual(["PUBLISHED", 1]);
  });

  test.each(IN_DOUBT)(
    "a worker that dies %s: the recorded status is true, and there are never two posts",
    { timeout: 60_000 },
    async (point) => {
      const one = await due(network);
      await dieAt(point, one);
      const before = await one.live();
      expect(before).toBeLessThanOrEqual(1);
      await age(one);
      const status = await finish(one);
      const live = await one.live();
      // The next worker sends the post only if a handle makes that harmless; otherwise nothing changes at the network. A call that
      // was answered may still publish later, because some networks fetch the files of a post afterwards.
      expect([
        ["PUBLISHED", 1],
        ["UNKNOWN", before],
        ["UNKNOWN", point === "answered" ? 1 : before],
      ]).toContainEqual([status, live]);
    },
  );
});
