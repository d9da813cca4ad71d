import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { disconnectAccount } from "../../accounts";
import { accounts, db, posts, publications, publishSteps, schedules } from "../../db";
import { env } from "../../env";
import {
  as,
  callsOn,
  connectAccount,
  fault,
  inAnHour,
  letDue,
  newOwner,
  picture,
  postsOn,
  read,
  schedule,
  settled,
  withWorker,
} from "../../testing";
import { attemptPublication } from "../testing/workers";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "X_TWITTER");
  const on = (...texts: (string | { content?: string; attachmentPaths?: string[] })[]) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TWITTER" },
    posts: texts.map((text) => (typeof text === "string" ? { content: text } : text)),
  });
  return { owner, account: id, person, client: as(owner), on };
}

/** The statuses of the final calls; 0: no answer. */
const asked = async (person: string) => (await callsOn("x", person, "publish")).map(({ status }) => status);

/** The wait before a call that was answered with an error is repeated: 120 s at this TIME_FACTOR. */
const SETTLED_MS = 120_000 / env.timeFactor;

/** A publication without an answer takes 15 s at this TIME_FACTOR: it starts before the other tests and is read after them. */
let silent: Awaited<ReturnType<typeof owned>> & { id: number };

beforeAll(async () => {
  const account = await owned();
  await fault({ network: "x", operation: "publish", account: account.person, fault: "refuse" });
  const made = await schedule(account.client, [account.on("into silence")]);
  silent = { ...account, id: made.id };
  const post = made.publications[0]?.posts[0]?.id ?? 0;
  await vi.waitFor(async () => {
    const steps = await db.select().from(publishSteps).where(eq(publishSteps.postId, post));
    expect(steps).toMatchObject([{ state: "SENDING", result: { answered: false } }]);
  }, 45_000);
});

describe.concurrent("time", () => {
  test("a post never goes out early", async () => {
    const { client, person, on } = await owned();
    const at = new Date(Date.now() + 1500);
    const made = await schedule(client, [on("in time")], at);
    expect(made.overallStatus).toBe("SCHEDULED");
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    const [post] = await postsOn("x", person);
    expect(Date.parse(post?.receivedTime ?? "")).toBeGreaterThanOrEqual(at.getTime());
  });

  test("a time up to five minutes ago means now", async () => {
    const { client, person, on } = await owned();
    const made = await schedule(client, [on("late")], new Date(Date.now() - 4.5 * 60_000));
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    expect(await postsOn("x", person)).toHaveLength(1);
  });
});

describe.concurrent("at most once", () => {
  test("eight workers on one publication: one post, one call", async () => {
    const { client, person, on } = await owned();
    const made = await schedule(client, [on("once")], inAnHour());
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
    const publicationId = made.publications[0]?.id ?? 0;
    await Promise.all(Array.from({ length: 8 }, () => attemptPublication(publicationId)));
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    expect(await asked(person)).toEqual([201]);
    // Another attempt to claim it, later.
    await attemptPublication(publicationId);
    expect(await postsOn("x", person)).toHaveLength(1);
  });
});

describe("the network answers the call and its repeat with an internal error", () => {
  test("each repeat waits until a post of the previous call would be visible, counted from its answer", async () => {
    const { client, person, on } = await owned();
    const intent = async (post: number) =>
      (await db.select().from(publishSteps).where(eq(publishSteps.postId, post)))[0];
    const since = new Date().toISOString();
    const slowError = { fault: "http_500", times: 2, afterSeconds: 1 };
    await fault({ network: "x", operation: "publish", account: person, ...slowError });
    const made = await schedule(client, [on("at the third time")]);
    const post = made.publications[0]?.posts[0]?.id ?? 0;
    const first = await vi.waitFor(async () => {
      const step = await intent(post);
      expect(step).toMatchObject({ state: "SENDING", result: { answered: true } });
      return step;
    }, 5_000);
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    const last = await intent(post);
    expect(last?.startedAt).toBe(first?.startedAt);
    expect(Date.parse(last?.sentAt ?? "") - Date.parse(first?.sentAt ?? "")).toBeGreaterThanOrEqual(2 * SETTLED_MS);
    // Two calls were answered with an error before their token was read; the third one succeeded.
    const times = [...(await callsOn("x", undefined, "publish")), ...(await callsOn("x", person, "publish"))]
      .filter(({ time, status }) => time >= since && status > 0)
      .map(({ time }) => Date.parse(time));
    expect(times).toHaveLength(3);
    const [one = 0, two = 0, three = 0] = times;
    for (const gap of [two - one, three - two]) expect(gap).toBeGreaterThanOrEqual(SETTLED_MS + 1_000);
    expect(await postsOn("x", person)).toHaveLength(1);
  });
});

describe.concurrent("the final call was sent and not answered", () => {
  test("and the account is disconnected before the lookup: UNKNOWN with both reasons, never FAILED", async () => {
    const { owner, account, client, person, on } = await owned();
    const made = await schedule(client, [on("out there")], inAnHour());
    const postId = made.publications[0]?.posts[0]?.id ?? 0;
    await db.insert(publishSteps).values({ postId, name: "post", state: "SENDING", workerId: randomUUID() });
    await disconnectAccount(db, owner, account);
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
    await attemptPublication(made.publications[0]?.id ?? 0);
    const seen = await settled(client, made.id);
    const error =
      "This account is no longer connected. Reconnect the account, then try this post again. " +
      "The final call had been sent before, so the post may be live: look there first.";
    expect(seen.publications).toMatchObject([{ status: "UNKNOWN", posts: [{ status: "UNKNOWN", error }] }]);
    expect(await asked(person)).toEqual([]);
  });
});

describe.concurrent("a claim that is lost while the final call is under way", () => {
  test.each<[how: string, lose: { [column: string]: unknown }]>([
    ["ran out", { claimUntil: sql`now()` }],
    ["was taken", { claimWorker: randomUUID(), claimUntil: sql`now() + interval '1 hour'`, claimFence: 7 }],
  ])("it %s: the answer is stored, and the next worker sends nothing", async (_, lose) => {
    const { client, person, on } = await owned();
    const made = await schedule(client, [on("whose is it")], inAnHour());
    const publicationId = made.publications[0]?.id ?? 0;
    const set = (values: { [column: string]: unknown }) =>
      db.update(publications).set(values).where(eq(publications.id, publicationId));
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
    await fault({ network: "x", operation: "publish", account: person, fault: "late_response", afterSeconds: 1 });
    const running = attemptPublication(publicationId);
    await vi.waitFor(async () => expect(await asked(person)).toEqual([0]), { timeout: 45_000 });
    await set(lose);
    await running;
    expect((await read(client, made.id)).overallStatus).toBe("IN_PROGRESS");
    await set({ claimUntil: null, claimWorker: null });
    await attemptPublication(publicationId);
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    expect(await postsOn("x", person)).toHaveLength(1);
    expect(await asked(person)).toEqual([201]);
  });
});

describe.concurrent("a post that was started and has to wait", () => {
  test("goes out with the alt text that it started with, even if that has become too long", async () => {
    const { owner, client, person, on } = await owned();
    const path = await picture(owner);
    const saying = (altText: string) => client.patch(`/v1/media/${path.split("/")[1]}`, { altText });
    await saying("A bell");
    await fault({ network: "x", operation: "publish", account: person, fault: "rate_limit", afterSeconds: 3 });
    const made = await schedule(client, [on({ content: "begun", attachmentPaths: [path] })]);
    const post = made.publications[0]?.posts[0]?.id ?? 0;
    await vi.waitFor(
      async () => {
        const steps = await db.select().from(publishSteps).where(eq(publishSteps.postId, post));
        expect(steps.map(({ name }) => name)).toContain("image 1, alt text");
      },
      { timeout: 45_000, interval: 20 },
    );
    await saying("a".repeat(1001));
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    expect(await postsOn("x", person)).toMatchObject([{ settings: { altTexts: ["A bell"] } }]);
  });
});

describe.concurrent("a thread", () => {
  test("continues after its last accepted post and never repeats one", async () => {
    const { client, person, on } = await owned();
    const before = await settled(client, (await schedule(client, [on("head")])).id);
    const head = before.publications[0]?.posts[0];
    const made = await schedule(client, [on("head", "middle", "tail")], inAnHour());
    const [first] = made.publications[0]?.posts ?? [];
    const { networkPostId, permalink } = head ?? {};
    await db
      .update(posts)
      .set({ status: "PUBLISHED", networkPostId, permalink })
      .where(eq(posts.id, first?.id ?? 0));
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
    await attemptPublication(made.publications[0]?.id ?? 0);
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    const held = await postsOn("x", person);
    expect(held.map(({ text }) => text)).toEqual(["head", "middle", "tail"]);
    expect(held.map(({ replyTo }) => replyTo)).toEqual([undefined, held[0]?.id, held[1]?.id]);
  });

  test("stops at a rejected post: published posts are reported, and later posts are not sent", async () => {
    const { client, person, on } = await owned();
    const made = await schedule(client, [on("same", "other", "same", "never")]);
    const { overallStatus, publications } = await settled(client, made.id);
    expect([overallStatus, publications[0]?.status]).toEqual(["PARTIALLY_COMPLETED", "FAILED"]);
    expect(publications[0]?.posts.map(({ status, error }) => [status, error])).toEqual([
      ["PUBLISHED", undefined],
      ["PUBLISHED", undefined],
      [
        "FAILED",
        "X refused this post because the same text was already posted to this account. The 2 posts before it are live",
      ],
      ["PENDING", undefined],
    ]);
    expect((await postsOn("x", person)).map(({ text }) => text)).toEqual(["same", "other"]);
  });
});

describe.concurrent("several accounts", () => {
  test("a failure on one does not affect the other: PARTIALLY_COMPLETED", async () => {
    const { owner, client, person, on } = await owned();
    const other = await connectAccount(owner, "X_TWITTER");
    await db
      .update(accounts)
      .set({ state: "RECONNECT_REQUIRED", stateReason: "X wants you back" })
      .where(eq(accounts.id, other.id));
    const made = await schedule(client, [on("both"), { ...on("both"), socialMediaAccountId: other.id }]);
    const seen = await settled(client, made.id);
    expect(seen.overallStatus).toBe("PARTIALLY_COMPLETED");
    expect(seen.publications).toMatchObject([
      { status: "PUBLISHED", posts: [{ status: "PUBLISHED" }] },
      {
        status: "FAILED",
        posts: [{ status: "FAILED", error: "X wants you back. Reconnect the account, then try this post again." }],
      },
    ]);
    expect(await postsOn("x", person)).toHaveLength(1);
    expect(await postsOn("x", other.person)).toEqual([]);
  });
});

test.concurrent("a schedule that is deleted before its time is never published", async () => {
  const { client, person, on } = await owned();
  const [gone, after] = [
    await schedule(client, [on("gone")], inAnHour()),
    await schedule(client, [on("after")], inAnHour()),
  ];
  expect((await client.delete(`/v1/posts/${gone.id}`)).status).toBe(204);
  for (const made of [gone, after]) await letDue(made);
  await settled(client, after.id);
  expect((await postsOn("x", person)).map(({ text }) => text)).toEqual(["after"]);
});

test.concurrent("no answer, and no post for 15 minutes: UNKNOWN with an honest message, and never sent again", async () => {
  const seen = await settled(silent.client, silent.id);
  expect(seen).toMatchObject({
    overallStatus: "FAILED",
    publications: [
      {
        status: "UNKNOWN",
        posts: [
          { status: "UNKNOWN", error: expect.stringMatching(/^X did not answer the final call, .* may be live/) },
        ],
      },
    ],
  });
  expect(await postsOn("x", silent.person)).toEqual([]);
  expect(await asked(silent.person)).toEqual([]);
});
