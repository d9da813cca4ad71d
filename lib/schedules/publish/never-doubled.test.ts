import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { openSession } from "../../accounts";
import { accounts, db, publications, publishSteps, schedules, users } from "../../db";
import { armFailPoint } from "../../jobs/fail-point";
import type { FailPoint } from "../../jobs/fail-points";
import {
  as,
  callsOn,
  connectAccount,
  dueIn,
  fault,
  newOwner,
  postsOn,
  read,
  readResponse,
  schedule,
} from "../../testing";
import { attemptPublication, dieAt, finish, newWorker } from "../testing/workers";
import { claimPublication } from "./claim";
import { pausePublishing, resumePublishing } from "./pause";
import { publish } from "./publish";

const HOUR = 3_600_000;

/** A due schedule on X that only this test's worker picks up. */
async function due(...texts: string[]) {
  const owner = await newOwner();
  const { id: account, person } = await connectAccount(owner, "X_TWITTER");
  const client = as(owner);
  const posts = texts.map((content) => ({ content }));
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts };
  const made = await schedule(client, [on], new Date(Date.now() + HOUR));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const publicationId = made.publications[0]?.id ?? 0;
  const postId = made.publications[0]?.posts[0]?.id ?? 0;
  return {
    owner,
    account,
    person,
    client,
    on,
    id: made.id,
    publicationId,
    postId,
    seen: () => read(client, made.id),
    texts: async () => (await postsOn("x", person)).map(({ text }) => text),
    asked: async () => (await callsOn("x", person, "publish")).length,
  };
}

/** 24 hours are 24 minutes at this TIME_FACTOR. */
const aDayAgo = sql`now() - interval '25 minutes'`;

/** Makes the intent older than the longest wait for an answer. */
const age = (postId: number) =>
  db
    .update(publishSteps)
    .set({ startedAt: sql`now() - interval '20 seconds'`, sentAt: sql`now() - interval '20 seconds'` })
    .where(eq(publishSteps.postId, postId));

describe("a worker that dies", () => {
  test.each<[FailPoint]>([["claimed"], ["opened"], ["prepared"], ["answered"], ["stored"], ["settled"]])(
    "%s: one call, one post, recorded as published",
    async (point) => {
      const one = await due("once");
      await dieAt(point, one.publicationId);
      const seen = await finish(one);
      expect(seen.overallStatus).toBe("COMPLETED");
      expect([await one.texts(), await one.asked()]).toEqual([["once"], 1]);
      const [post] = await postsOn("x", one.person);
      expect(seen.publications[0]?.posts[0]?.networkPostId).toBe(post?.id);
    },
  );

  test("announced: the call may have been made, so nothing is sent and the post is UNKNOWN", async () => {
    const one = await due("never sent");
    await dieAt("announced", one.publicationId);
    await age(one.postId);
    expect((await finish(one)).publications[0]).toMatchObject({ status: "UNKNOWN" });
    expect([await one.texts(), await one.asked()]).toEqual([[], 0]);
  });

  test("found, after another worker died with the answer: found again, and not sent again", async () => {
    const one = await due("found");
    await dieAt("answered", one.publicationId);
    await dieAt("found", one.publicationId);
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
    expect([await one.texts(), await one.asked()]).toEqual([["found"], 1]);
  });

  test("in the middle of a thread: the next worker continues after the last accepted post", async () => {
    const one = await due("first", "second", "third");
    await dieAt("settled", one.publicationId);
    await dieAt("stored", one.publicationId);
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
    expect([await one.texts(), await one.asked()]).toEqual([["first", "second", "third"], 3]);
  });

  test("three times at the same publication: it fails with the reason and can be retried", async () => {
    const one = await due("poison");
    for (let time = 1; time <= 3; time++) await dieAt("claimed", one.publicationId);
    const seen = await finish(one);
    expect(seen.publications[0]?.posts[0]?.error).toMatch(
      /started publishing this three times .* not try again automatically/,
    );
    expect(await one.asked()).toBe(0);
    expect((await readResponse(one.client.post(`/v1/posts/${one.id}/retry`, {})))[0]).toBe(200);
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
  });
});

describe("a post that is live, but whose outcome was not stored", () => {
  test("with a sent call, it is UNKNOWN and never FAILED; a retry looks it up and sends nothing", async () => {
    const one = await due("out already");
    await dieAt("stored", one.publicationId);
    for (let time = 1; time <= 3; time++) await dieAt("claimed", one.publicationId);
    const seen = await finish(one);
    const [post] = seen.publications[0]?.posts ?? [];
    expect(post).toMatchObject({
      status: "UNKNOWN",
      error: expect.stringMatching(/not try again automatically.* the post may be live/),
    });
    expect((await readResponse(one.client.post(`/v1/posts/${one.id}/retry`, {})))[0]).toBe(200);
    await vi.waitFor(
      async () => {
        await attemptPublication(one.publicationId);
        expect((await one.seen()).overallStatus).toBe("COMPLETED");
      },
      { timeout: 45_000 },
    );
    expect([await one.texts(), await one.asked()]).toEqual([["out already"], 1]);
  });

  test("is recorded as published even a day late", async () => {
    const one = await due("out in time");
    await dieAt("stored", one.publicationId);
    await db.update(schedules).set({ scheduledTime: aDayAgo }).where(eq(schedules.id, one.id));
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
  });

  test("is UNKNOWN and never FAILED if the account's token is invalid", async () => {
    const one = await due("out with a dead token");
    await dieAt("stored", one.publicationId);
    await db.update(accounts).set({ state: "RECONNECT_REQUIRED" }).where(eq(accounts.id, one.account));
    expect((await finish(one)).publications[0]).toMatchObject({ status: "UNKNOWN" });
  });
});

describe("a worker that is suspended before its call", () => {
  test("sends nothing when it resumes and another worker has the claim", async () => {
    const one = await due("whose");
    armFailPoint("prepared", async () => {
      await db
        .update(publications)
        .set({ claimUntil: sql`now() - interval '1 second'` })
        .where(eq(publications.id, one.publicationId));
      await attemptPublication(one.publicationId);
    });
    await attemptPublication(one.publicationId);
    expect((await one.seen()).overallStatus).toBe("COMPLETED");
    expect([await one.texts(), await one.asked()]).toEqual([["whose"], 1]);
  });
});

describe("a call that another worker announces again meanwhile does not count as answered", () => {
  const announceElsewhere = (postId: number) =>
    db
      .update(publishSteps)
      .set({ workerId: randomUUID(), sentAt: sql`clock_timestamp()`, result: null, finishedAt: null })
      .where(eq(publishSteps.postId, postId));
  const expectUnanswered = async (one: Awaited<ReturnType<typeof due>>) => {
    const [intent] = await db.select().from(publishSteps).where(eq(publishSteps.postId, one.postId));
    expect(intent).toMatchObject({ state: "SENDING", finishedAt: null });
    expect(intent?.result).not.toMatchObject({ answered: true });
    await age(one.postId);
    expect((await finish(one)).publications[0]).toMatchObject({ status: "UNKNOWN" });
    expect(await one.texts()).toEqual([]);
  };

  test("while the network answers the old call with an internal error", async () => {
    const one = await due("whose answer");
    await fault({ network: "x", operation: "publish", account: one.person, fault: "http_500" });
    armFailPoint("announced", async () => void (await announceElsewhere(one.postId)));
    await attemptPublication(one.publicationId);
    await expectUnanswered(one);
  });

  test("while the old call, which was answered with an internal error, is looked up", async () => {
    const one = await due("whose lookup");
    const call = { name: "post", state: "SENDING", workerId: randomUUID(), sentAt: sql`clock_timestamp()` } as const;
    await db.insert(publishSteps).values({ postId: one.postId, ...call, result: { answered: true, looks: 0 } });
    await fault({ network: "x", operation: "status", account: one.person, fault: "slow", afterSeconds: 1 });
    const attempt = attemptPublication(one.publicationId);
    await vi.waitFor(async () => expect(await callsOn("x", one.person, "status")).toHaveLength(1), { timeout: 45_000 });
    await announceElsewhere(one.postId);
    await attempt;
    await expectUnanswered(one);
  });
});

describe("UNKNOWN", () => {
  test("is looked up for a day, and becomes PUBLISHED when the network shows the post", async () => {
    const one = await due("late after all");
    await dieAt("announced", one.publicationId);
    await age(one.postId);
    await finish(one);
    expect(await dueIn(one.publicationId)).toBeLessThan(60);
    const claim = await claimPublication(one.publicationId, newWorker());
    const session = claim && (await openSession(claim.account));
    const headers = { "content-type": "application/json" };
    await session?.fetch("/2/tweets", { method: "POST", headers, body: JSON.stringify({ text: "late after all" }) });
    if (claim) await publish(claim);
    expect(await one.seen()).toMatchObject({
      overallStatus: "COMPLETED",
      publications: [{ status: "PUBLISHED", posts: [{ status: "PUBLISHED", networkPostId: expect.any(String) }] }],
    });
    expect(await one.asked()).toBe(1);
  });

  test("is no longer looked up after a day", async () => {
    const one = await due("never seen");
    await dieAt("announced", one.publicationId);
    const day = sql`now() - interval '25 minutes'`;
    await db.update(publishSteps).set({ startedAt: day, sentAt: day }).where(eq(publishSteps.postId, one.postId));
    expect((await finish(one)).publications[0]?.status).toBe("UNKNOWN");
    expect(await dueIn(one.publicationId)).toBeUndefined();
  });
});

test("if the database cannot write, no intent is stored and no call is made; the post goes out when it can write again", async () => {
  const one = await due("disk full");
  const name = sql.identifier(`full_${one.postId}`);
  await db.execute(sql`create function ${name}() returns trigger language plpgsql as
    'begin raise exception ''could not extend file: No space left on device'' using errcode = ''53100''; end'`);
  await db.execute(sql`create trigger ${name} before insert on publish_steps for each row
    when (new.post_id = ${sql.raw(String(one.postId))}) execute function ${name}()`);
  for (let time = 1; time <= 4; time++) await attemptPublication(one.publicationId);
  expect(await one.asked()).toBe(0);
  await db.execute(sql`drop function ${name} cascade`);
  expect((await finish(one)).overallStatus).toBe("COMPLETED");
  expect([await one.texts(), await one.asked()]).toEqual([["disk full"], 1]);
});

test("more than 24 hours late: not sent, with the reason", async () => {
  const one = await due("yesterday's news");
  await db.update(schedules).set({ scheduledTime: aDayAgo }).where(eq(schedules.id, one.id));
  const seen = await finish(one);
  expect(seen.publications[0]?.posts[0]).toMatchObject({
    status: "FAILED",
    error: "This post could not be published within 24 hours of its scheduled time, so it was not sent",
  });
  expect(await one.asked()).toBe(0);
});

describe("changes before the final call is announced", () => {
  /** Makes the change when everything is prepared. */
  async function changed(one: Awaited<ReturnType<typeof due>>, change: () => Promise<unknown>) {
    armFailPoint("prepared", async () => {
      await change();
    });
    await attemptPublication(one.publicationId);
    expect([await one.texts(), await one.asked()]).toEqual([[], 0]);
  }

  test("publishing is paused: nothing is sent until it is resumed", async () => {
    const one = await due("paused");
    await changed(one, () => pausePublishing("a test"));
    expect(await claimPublication(one.publicationId, newWorker())).toBeUndefined();
    expect(await resumePublishing()).toMatchObject({ paused: false });
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
  });

  test("the owner is suspended: nothing is sent until they are back", async () => {
    const one = await due("suspended");
    const suspend = (at: string | null) => db.update(users).set({ suspendedAt: at }).where(eq(users.id, one.owner));
    await changed(one, () => suspend(new Date().toISOString()));
    expect(await claimPublication(one.publicationId, newWorker())).toBeUndefined();
    await suspend(null);
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
  });

  test("the account is disconnected: it fails with the reason", async () => {
    const one = await due("disconnected");
    const answers: number[] = [];
    await changed(one, async () => answers.push((await one.client.delete(`/v1/accounts/${one.account}`)).status));
    expect(answers).toEqual([204]);
    expect((await finish(one)).publications[0]?.posts[0]?.error).toMatch(/^This account is no longer connected/);
  });
});

describe("requests while the post is being published", () => {
  type Due = Awaited<ReturnType<typeof due>>;
  const other = { scheduledTime: new Date(Date.now() + HOUR).toISOString(), publications: [] };
  const changes: [what: string, call: (one: Due) => Promise<Response>][] = [
    ["replacing", (one) => one.client.put(`/v1/posts/${one.id}`, { ...other, publications: [one.on] })],
    ["deleting", (one) => one.client.delete(`/v1/posts/${one.id}`)],
    ["retrying", (one) => one.client.post(`/v1/posts/${one.id}/retry`, {})],
  ];
  const points: FailPoint[] = ["claimed", "prepared", "announced", "answered", "stored"];

  test.each(changes.flatMap(([what, call]) => points.map((point) => [what, point, call] as const)))(
    "%s, %s: 409, and the original post goes out once",
    async (_, point, call) => {
      const one = await due("too late");
      const answers: number[] = [];
      armFailPoint(point, async () => void answers.push((await call(one)).status));
      await attemptPublication(one.publicationId);
      expect(answers).toEqual([409]);
      expect((await finish(one)).overallStatus).toBe("COMPLETED");
      expect([await one.texts(), await one.asked()]).toEqual([["too late"], 1]);
    },
  );

  test("disconnecting, announced: 409", async () => {
    const one = await due("too late");
    const answers: number[] = [];
    armFailPoint(
      "announced",
      async () => void answers.push((await one.client.delete(`/v1/accounts/${one.account}`)).status),
    );
    await attemptPublication(one.publicationId);
    expect(answers).toEqual([409]);
    expect((await finish(one)).overallStatus).toBe("COMPLETED");
    expect(await one.texts()).toEqual(["too late"]);
  });
});
