import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, publishSteps } from "../../db";
import type { FailPoint } from "../../jobs/fail-points";
import { allNetworks, type Network } from "../../networks";
import { platforms } from "../../platforms";
import { postsOn, read, type Seen } from "../../testing";
import { casesOf } from "../../testing/breadth";
import { withApiServed } from "../../testing/served";
import { createDuePost } from "../testing/due";
import { dieAt, finish } from "../testing/workers";

withApiServed();

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

const statusIn = ({ publications }: Seen) => publications[0]?.status;

/** Makes the intent older than the longest wait for an answer. */
const age = ({ postId }: Due) =>
  db
    .update(publishSteps)
    .set({ startedAt: sql`now() - interval '20 seconds'`, sentAt: sql`now() - interval '20 seconds'` })
    .where(eq(publishSteps.postId, postId));

describe.concurrent.each(allNetworks().map((network) => [network.name, network] as const))(
  "T2: on %s",
  (_, network) => {
    // The steps at the other points are the same for every network, so `npm test` tries them on one.
    const certain = casesOf(CERTAIN, (point) => point === "stored" || network.platform === "X_TWITTER");
    test.each(certain)("a worker that dies %s: one post, recorded as published", { timeout: 60_000 }, async (point) => {
      const one = await due(network);
      await dieAt(point, one.publicationId);
      expect([statusIn(await finish(one)), await one.live()]).toEqual(["PUBLISHED", 1]);
    });

    test.each(IN_DOUBT)(
      "a worker that dies %s: the recorded status is true, and there are never two posts",
      { timeout: 60_000 },
      async (point) => {
        const one = await due(network);
        await dieAt(point, one.publicationId);
        const before = await one.live();
        expect(before).toBeLessThanOrEqual(1);
        await age(one);
        const status = statusIn(await finish(one));
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
  },
);
