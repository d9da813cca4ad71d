import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { releaseAll } from "../../../worker";
import { db, schedules } from "../../db";
import { startWorker } from "../../jobs";
import { networkOf } from "../../networks";
import { read, schedule, settled } from "../../testing";
import { plainPublication } from "../testing/due";
import { dieAt, finish } from "../testing/workers";
import { commentPauseMs } from "./comment";
import { dispatch } from "./dispatch";

/** Longer than any test, so that only a notification or the end of a post can end such a rest. */
const HOUR_MS = 3_600_000;
const REST_MS = 5_000;
const OFTEN_MS = 1_000;

describe("the next look for comments, after one that claimed none", () => {
  test.each([
    ["no comment is due", true, null, REST_MS],
    ["the next one is due in 4,200 ms", true, 4_200, 4_200],
    ["the next one is due in an hour", true, HOUR_MS, REST_MS],
    ["some are due but cannot be claimed", true, -3, OFTEN_MS],
    ["no comment is due and the process gets no notifications", false, null, OFTEN_MS],
    ["the next one is due in 30 ms and the process gets no notifications", false, 30, 30],
  ])("%s", (_, isListening, nextMs, wait) => expect(commentPauseMs(isListening, nextMs)).toBe(wait));
});

describe("a worker at rest", () => {
  beforeAll(async () => {
    const duties = [dispatch({ commentRestMs: HOUR_MS })];
    const worker = await startWorker({ jobs: [], loops: [], duties, releaseClaims: releaseAll });
    return () => worker.stop();
  });

  async function withComment(at: Date) {
    const { client, publication } = await plainPublication(networkOf("X_TWITTER"), "The bells rest");
    const platformSettings = { ...publication.platformSettings, firstComment: "And ring again" };
    const { id, publications } = await schedule(client, [{ ...publication, platformSettings }], at);
    const seen = () => read(client, id);
    const status = async () => (await seen()).publications[0]?.firstComment?.status;
    return { id, client, publicationId: publications[0]?.id ?? 0, seen, status };
  }

  test("sends a comment as soon as its post is published", async () => {
    const { client, id, status } = await withComment(new Date());
    await settled(client, id);
    await expect.poll(status, { timeout: 20_000 }).toBe("PUBLISHED");
  });

  test("sends the comment that a worker claimed that died", async () => {
    const one = await withComment(new Date(Date.now() + HOUR_MS));
    // Without a due time, only the worker that dies publishes it.
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, one.id));
    await finish(one);
    expect(await one.status()).toBe("PENDING");
    await dieAt("claimed", one.publicationId);
    await expect.poll(one.status, { timeout: 20_000 }).toBe("PUBLISHED");
  });
});
