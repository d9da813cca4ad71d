import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PGBOUNCER, startPgBouncer } from "./testing/pgbouncer";

// The tests of this file have a process of their own, because its database is open at other URLs.
const stops: (() => Promise<void>)[] = [];

describe.skipIf(!existsSync(PGBOUNCER))("behind PgBouncer in transaction mode, with DATABASE_DIRECT_URL", () => {
  beforeAll(async () => {
    const direct = process.env.DATABASE_URL ?? "";
    const bouncer = await startPgBouncer(direct);
    stops.push(bouncer.stop);
    Object.assign(process.env, { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: direct });
    const { closeDatabase } = await import(".");
    const { startWorker } = await import("../jobs");
    const { dispatch, rescueLoop } = await import("../schedules");
    const { jobs, releaseAll } = await import("../../worker");
    await import("../testing");
    const worker = await startWorker({ jobs, duties: [dispatch], loops: [rescueLoop], releaseClaims: releaseAll });
    stops.unshift(worker.stop, closeDatabase);
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  test("sessions are shared and use UTC", async () => {
    const { databasePool } = await import(".");
    const pids = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { rows } = await databasePool().query(
          "select pg_backend_pid() as pid, current_setting('TimeZone') as zone",
        );
        expect(rows[0].zone).toBe("UTC");
        return rows[0].pid;
      }),
    );
    expect(new Set(pids).size).toBeLessThanOrEqual(2);
  });

  test("posts are created by many requests at the same time, and published", async () => {
    const { as, connect, newOwner, schedule, settled } = await import("../testing");
    const owner = await newOwner();
    const client = as(owner);
    const { id } = await connect(owner, "X_TWITTER");
    const publications = [
      { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "through a pooler" }] },
    ];
    const inAnHour = new Date(Date.now() + 3_600_000);
    await Promise.all(Array.from({ length: 12 }, () => schedule(client, publications, inAnHour)));
    const { id: due } = await schedule(client, publications);
    expect(await settled(client, due)).toMatchObject({ overallStatus: "COMPLETED" });
    expect((await client.get("/v1/posts?limit=20")).status).toBe(200);
  });

  test("notifications arrive, and a job runs", async () => {
    const { randomUUID } = await import("node:crypto");
    const { z } = await import("zod");
    const { db } = await import(".");
    const { sql } = await import("drizzle-orm");
    const { listenOn } = await import("./listen");
    const { defineJob, enqueue, startWorker } = await import("../jobs");
    const { releaseAll } = await import("../../worker");
    const heard: string[] = [];
    const listener = listenOn("pooled", { notice: (payload) => heard.push(payload), lost: () => {} });
    await expect.poll(listener.isLive).toBe(true);
    await db.execute(sql`select pg_notify('pooled', 'a')`);
    await expect.poll(() => heard).toEqual(["a"]);
    const ran: number[] = [];
    const job = defineJob({
      name: `test.${randomUUID()}`,
      payload: z.object({ number: z.number() }),
      run: async ({ number }) => void ran.push(number),
    });
    const worker = await startWorker({ jobs: [job as never], loops: [], releaseClaims: releaseAll });
    await enqueue(db, job, { number: 7 });
    await expect.poll(() => ran).toEqual([7]);
    await worker.stop();
  });
});
