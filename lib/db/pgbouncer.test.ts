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
    const worker = await startWorker({ jobs, duties: [dispatch()], loops: [rescueLoop], releaseClaims: releaseAll });
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

  test("doctor --live can compare the schema", async () => {
    const { databasePool } = await import(".");
    const { compareSchema } = await import("./migrate");
    expect(await compareSchema(databasePool())).toMatchObject({ pending: [], unknown: 0 });
  });

  test("a command finds that both URLs lead to one database", async () => {
    const { migrateData } = await import("./open");
    expect(await migrateData(() => {})).toEqual([]);
  });

  test("posts are created by many requests at the same time, and published", async () => {
    const { as, connectAccount, newOwner, schedule, settled } = await import("../testing");
    const owner = await newOwner();
    const client = as(owner);
    const { id } = await connectAccount(owner, "X_TWITTER");
    const publications = [
      { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "through a pooler" }] },
    ];
    const inAnHour = new Date(Date.now() + 3_600_000);
    await Promise.all(Array.from({ length: 12 }, () => schedule(client, publications, inAnHour)));
    const { id: due } = await schedule(client, publications);
    expect(await settled(client, due)).toMatchObject({ overallStatus: "COMPLETED" });
    expect((await client.get("/v1/posts?limit=20")).status).toBe(200);
  });

  test("an intent is on disk before its call, although sessions of this role do not wait for the disk", async () => {
    const { as, connectAccount, newOwner, schedule, settled } = await import("../testing");
    const { db } = await import(".");
    const { sql } = await import("drizzle-orm");
    expect((await db.execute(sql`show synchronous_commit`)).rows).toEqual([{ synchronous_commit: "off" }]);
    // A deferred trigger runs when the transaction commits.
    await db.execute(sql`create table committed (post_id bigint, how text)`);
    await db.execute(sql`create function note_commit() returns trigger language plpgsql as
      'begin insert into committed values (new.post_id, current_setting(''synchronous_commit'')); return null; end'`);
    await db.execute(sql`create constraint trigger note_commit after insert on publish_steps
      deferrable initially deferred for each row when (new.state = 'SENDING') execute function note_commit()`);
    try {
      const owner = await newOwner();
      const { id } = await connectAccount(owner, "X_TWITTER");
      const publication = {
        socialMediaAccountId: id,
        platformSettings: { type: "TWITTER" },
        posts: [{ content: "a" }],
      };
      const { id: due, publications } = await schedule(as(owner), [publication]);
      await settled(as(owner), due);
      const { rows } = await db.execute(
        sql`select how from committed where post_id = ${publications[0]?.posts[0]?.id ?? 0}`,
      );
      expect(rows).toEqual([{ how: "on" }]);
    } finally {
      await db.execute(sql`drop function note_commit cascade`);
      await db.execute(sql`drop table committed`);
    }
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
