import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { listOperatorProblems, openSession } from "../../accounts";
import { accounts, db, publications, publishAttempts, publishSteps, schedules } from "../../db";
import { env } from "../../env";
import type { FailPoint } from "../../jobs/fail-points";
import { allNetworks, networkOf } from "../../networks";
import { memoryRun } from "../../networks/testing/run";
import { type Platform, platforms } from "../../platforms";
import { callsOn, eventsOf, fault, postsOn, read, readResponse, schedule } from "../../testing";
import { isLongRun } from "../../testing/breadth";
import { withApiServed } from "../../testing/served";
import { setSuspended } from "../../users";
import { previewSchedule } from "../preview";
import { plainPublication } from "../testing/due";
import { attemptPublication, dieAt, finish, newWorker } from "../testing/workers";
import { type AttemptEntry, recordAttempts } from "./attempts";
import { claimPublication } from "./claim";
import { claimDueComments } from "./comment";

withApiServed(); // some networks fetch files themselves, from the product's own address

const FAULTS = `${env.sandbox?.url}/_control/faults`;
// A fault without an account hits the next call of any file, so none may be left from an earlier one.
beforeAll(async () => void (await fetch(FAULTS, { method: "DELETE" })));

type Attempt = { postId: number; outcome: string; message: string; times: number; firstComment?: true };
type Receipt = { publications: { nextAttemptTime?: string; story: Attempt[]; firstComment?: { status: string } }[] };

const HOUR_MS = 3_600_000;
const TEXT = "The first comment, with https://example.com/more";

const withComments = allNetworks().filter(({ comment }) => comment !== undefined);
const named = (networks: typeof withComments) => networks.map((network) => [network.name, network.platform] as const);

/** A due schedule with a first comment, which only this test's workers pick up. */
async function due(platform: Platform, firstComment = TEXT, posts = 1) {
  const network = networkOf(platform);
  const { client, account, person, publication } = await plainPublication(network, "The bells of the town");
  const [post] = publication.posts;
  const more = Array.from({ length: posts - 1 }, (_, index) => ({ ...post, content: `The bells, part ${index + 2}` }));
  const platformSettings = { ...publication.platformSettings, firstComment };
  const on = { ...publication, platformSettings, posts: [...publication.posts, ...more] };
  const made = await schedule(client, [on], new Date(Date.now() + HOUR_MS));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const [first] = made.publications;
  const publicationId = first?.id ?? 0;
  const seen = () => read(client, made.id);
  const held = () => postsOn(platforms[platform], person);
  return {
    ...{ client, account, person, id: made.id, publicationId, seen, held },
    /** The calls of this account that a fault can hit. */
    publishing: { network: platforms[platform], operation: "publish", account: person },
    /** The comments on the network. */
    comments: async () => (await held()).filter(({ text }) => text === firstComment),
    /** The attempts at the comment that the receipt lists. */
    story: async () => {
      const [, receipt] = await readResponse(client.get(`/v1/posts/${made.id}/receipt`));
      const [publication] = (receipt as Receipt).publications;
      return publication?.story.filter((attempt) => attempt.firstComment) ?? [];
    },
    asked: async () => (await callsOn(platforms[platform], person, "publish")).length,
    outcome: async () => (await seen()).publications[0],
    owner: async () => (await db.select().from(schedules).where(eq(schedules.id, made.id)))[0]?.ownerId ?? "",
    /** Works on the comment until it has ended. */
    ended: () =>
      vi.waitFor(
        async () => {
          await attemptPublication(publicationId);
          const now = (await seen()).publications[0];
          expect(["PUBLISHED", "FAILED", "UNKNOWN"]).toContain(now?.firstComment?.status);
          return now?.firstComment;
        },
        { timeout: 45_000, interval: 100 },
      ),
    /** Makes the comment's intent older than the longest wait for an answer. */
    age: async () => {
      const old = sql`now() - interval '20 seconds'`;
      const ids = (await seen()).publications[0]?.posts.map(({ id }) => id) ?? [];
      for (const id of ids)
        await db.update(publishSteps).set({ startedAt: old, sentAt: old }).where(eq(publishSteps.postId, id));
    },
  };
}

/** The same, with its posts published and the comment still to be sent. */
async function published(platform: Platform, firstComment = TEXT, posts = 1) {
  const one = await due(platform, firstComment, posts);
  await finishPosts(one);
  return one;
}

async function finishPosts(one: Awaited<ReturnType<typeof due>>): Promise<void> {
  expect((await finish(one)).overallStatus).toBe("COMPLETED");
  expect((await one.outcome())?.firstComment).toEqual({ status: "PENDING" });
}

/** Writes the same comment in the name of the account, without Carillon. Returns its ID. */
async function writtenByHand(publicationId: number): Promise<string> {
  const claim = await claimPublication(publicationId, newWorker());
  const post = claim?.posts.at(-1);
  if (!claim || !post?.networkPostId) throw new Error("the comment is not due");
  const on = { id: post.networkPostId, permalink: post.permalink ?? undefined };
  const run = memoryRun(await openSession(claim.account));
  const made = await networkOf(claim.account.platform).comment?.publish(
    { text: TEXT, settings: claim.settings, on, chatId: post.chatId ?? undefined },
    run,
  );
  await db.update(publications).set({ claimUntil: null, claimWorker: null }).where(eq(publications.id, publicationId));
  return made?.id ?? "";
}

/** The points before the call of the comment. */
const BEFORE: FailPoint[] = ["claimed", "opened", "prepared"];

describe.concurrent.each(named(withComments))("a first comment on %s", (_, platform) => {
  const index = withComments.findIndex((network) => network.platform === platform);
  const isReadable = platform !== "LINKEDIN"; // LinkedIn's comments cannot be looked up
  test("appears in a preview, and is published after the post, with its own outcome, later if the network throttles it", async () => {
    const one = await due(platform);
    const { publications: shown } = await previewSchedule(await one.owner(), one.id);
    const requests = shown[0]?.posts[0]?.requests.filter(({ step }) => step.startsWith("first comment")) ?? [];
    expect(shown[0]?.posts[0]?.problem).toBeUndefined();
    expect(requests.filter(({ isFinal, method }) => isFinal && method === "POST")).toHaveLength(1);

    await finishPosts(one);
    expect(await one.comments()).toEqual([]);
    await fault({ ...one.publishing, fault: "rate_limit", afterSeconds: 1 });
    await one.ended();
    const story = await one.story();
    const answer = expect.objectContaining({ status: expect.any(Number) });
    const waited = { outcome: "WAITING", answer, nextAttemptTime: expect.any(String) };
    expect(story).toContainEqual(expect.objectContaining(waited));
    expect(story.at(-1)).toMatchObject({ outcome: "PUBLISHED", message: "First comment: it is out" });
    const [comment, ...others] = await one.comments();
    const [post] = (await one.seen()).publications[0]?.posts ?? [];
    expect(others).toEqual([]);
    expect(comment?.replyTo).toBe(post?.networkPostId);
    expect((await one.outcome())?.firstComment).toMatchObject({
      status: "PUBLISHED",
      networkCommentId: comment?.id,
    });
    expect(await one.outcome()).toMatchObject({ status: "PUBLISHED" });
  });

  const beforeCall = (turn: number) => BEFORE[(index + turn) % BEFORE.length] as FailPoint;
  // Several workers die for one comment. In the long run, each point has a comment of its own too.
  const chains: FailPoint[][] = [
    isReadable ? ["answered", "found"] : [beforeCall(2), "answered"],
    [beforeCall(0), "stored"],
  ];
  const alone: FailPoint[] = isLongRun ? [...BEFORE, "answered", "stored"] : [];
  test.each([...chains, ...alone.map((point) => [point])].map((points) => [points.join(", "), points] as const))(
    "is published once if workers die: %s",
    async (_, points) => {
      const one = await published(platform);
      for (const point of points) await dieAt(point, one.publicationId);
      const outcome = await one.ended();
      const isLost = !isReadable && points.includes("answered");
      expect(outcome?.status).toBe(isLost ? "UNKNOWN" : "PUBLISHED");
      expect(await one.comments()).toHaveLength(1);
    },
  );

  test("is not sent a second time if its answer is lost", async () => {
    const one = await published(platform);
    const before = await one.asked();
    await fault({ ...one.publishing, fault: "drop_response" });
    expect((await one.ended())?.status).toBe(isReadable ? "PUBLISHED" : "UNKNOWN");
    expect(await one.comments()).toHaveLength(1);
    expect((await one.asked()) - before).toBe(1);
    expect((await one.seen()).overallStatus).toBe("COMPLETED");
  });

  test("is not taken for one with the same text that the account wrote by hand before it was sent", async () => {
    const one = await published(platform);
    const byHand = await writtenByHand(one.publicationId);
    await dieAt("announced", one.publicationId);
    // A call of Bluesky or Threads names a key or a container, so it can be repeated.
    const isRepeatable = platform === "BLUE_SKY" || platform === "THREADS";
    if (isRepeatable) await one.ended();
    for (let look = 0; look < 2; look++) await attemptPublication(one.publicationId);
    const { networkCommentId } = (await one.outcome())?.firstComment ?? {};
    expect(networkCommentId).not.toBe(byHand);
    expect(networkCommentId !== undefined).toBe(isRepeatable);
  });

  test("that is announced and never sent changes nothing about the publication", async () => {
    const one = await published(platform);
    await dieAt(beforeCall(1), one.publicationId);
    await dieAt("announced", one.publicationId);
    await one.age();
    const outcome = await one.ended();
    // A call of Bluesky or Threads names a key or a container, so it can be repeated.
    const isRepeatable = platform === "BLUE_SKY" || platform === "THREADS";
    expect(outcome?.status).toBe(isRepeatable ? "PUBLISHED" : "UNKNOWN");
    expect(await one.comments()).toHaveLength(isRepeatable ? 1 : 0);
    expect(await one.outcome()).toMatchObject({ status: "PUBLISHED" });
    expect((await one.seen()).overallStatus).toBe("COMPLETED");
  });
});

describe("a comment that fails", () => {
  const NO_SUCH_PLAN = "X does not offer this action in the plan";
  /** A text that the network refuses. It was valid when it was scheduled. */
  const lengthen = (publicationId: number) =>
    db
      .update(publications)
      .set({ settings: sql`settings || jsonb_build_object('firstComment', repeat('x', 20000))` })
      .where(eq(publications.id, publicationId));

  test.concurrent.each(named(withComments))(
    "on %s has its own reason and leaves the account connected",
    async (_, platform) => {
      const one = await published(platform);
      const { publicationId, account } = one;
      await lengthen(publicationId);
      const { error, ...ended } = (await one.ended()) ?? {};
      expect(ended).toMatchObject({ status: "FAILED" });
      expect(error).toMatch(/\w{3}/);
      expect(await one.story()).toMatchObject([{ outcome: "FAILED", message: `First comment: ${error}` }]);
      expect(await one.outcome()).toMatchObject({ status: "PUBLISHED" });
      expect((await one.seen()).overallStatus).toBe("COMPLETED");
      const [row] = await db.select().from(accounts).where(eq(accounts.id, account));
      expect(row?.state).toBe("ACTIVE");
      expect(await dueTimes(publicationId)).toEqual({ dueAt: null, commentDueAt: null });
    },
  );

  test("because the network refuses our application is retried, and the operator's problem is solved when it is out", async () => {
    const one = await published("X_TWITTER");
    const problem = async () => (await listOperatorProblems()).find(({ reason }) => reason.startsWith(NO_SUCH_PLAN));
    await fault({ ...one.publishing, fault: "operator", reason: "453" });
    await attemptPublication(one.publicationId);
    expect((await one.story()).map(({ outcome }) => outcome)).toEqual(["RETRYING"]);
    expect(await problem()).toBeDefined();
    expect((await one.ended())?.status).toBe("PUBLISHED");
    expect(await problem()).toBeUndefined();
  });

  test("cannot be retried, because the publication is published", async () => {
    const one = await published("X_TWITTER");
    await lengthen(one.publicationId);
    await one.ended();
    expect((await readResponse(one.client.post(`/v1/posts/${one.id}/retry`, {})))[0]).toBe(409);
  });

  test("without the permission for comments says how to get it, and so does validate", async () => {
    const [before, at] = [env.comments.instagram, "publications[0].platformSettings.firstComment"];
    Object.assign(env.comments, { instagram: false });
    try {
      const one = await due("INSTAGRAM");
      const { publications: parts } = await one.seen();
      const [part] = parts;
      const body = {
        scheduledTime: new Date(Date.now() + HOUR_MS).toISOString(),
        publications: [
          {
            socialMediaAccountId: one.account,
            platformSettings: part?.platformSettings,
            posts: part?.posts.map(({ attachmentPaths, content }) => ({ attachmentPaths, content })),
          },
        ],
      };
      const [, validated] = await readResponse(one.client.post("/v1/posts/validate", body));
      expect(validated).toMatchObject({
        valid: true,
        problems: [{ path: at, rule: "comment.scope", severity: "warning", fix: expect.stringMatching(/^Reconnect/) }],
      });
      await finish(one);
      expect(await one.ended()).toMatchObject({
        status: "FAILED",
        error: expect.stringMatching(/Reconnect the account/),
      });
      expect(await one.comments()).toEqual([]);
    } finally {
      Object.assign(env.comments, { instagram: before });
    }
  });
});

const dueTimes = async (publicationId: number) => {
  const columns = { dueAt: publications.dueAt, commentDueAt: publications.commentDueAt };
  const [times] = await db.select(columns).from(publications).where(eq(publications.id, publicationId));
  return times;
};

test("a comment whose answer was stored is not reported as failed, however many workers die since", async () => {
  const one = await published("YOUTUBE");
  for (const point of ["stored", "opened", "opened"] as const) await dieAt(point, one.publicationId);
  expect((await one.ended())?.status).toBe("UNKNOWN");
  expect(await one.comments()).toHaveLength(1);
});

test("a first reply to a thread follows its last post", async () => {
  const one = await published("BLUE_SKY", TEXT, 3);
  await one.ended();
  const posts = (await one.outcome())?.posts ?? [];
  expect((await one.comments()).map(({ replyTo }) => replyTo)).toEqual([posts.at(-1)?.networkPostId]);
});

test("a publication that a worker of the previous release settles owes its comment", async () => {
  const one = await due("X_TWITTER");
  await db.update(publications).set({ status: "PUBLISHED" }).where(eq(publications.id, one.publicationId));
  expect((await one.outcome())?.firstComment).toEqual({ status: "PENDING" });
});

test("workers of the previous release do not wait for a publication that is claimed for its comment", async () => {
  const one = await published("X_TWITTER");
  const claim = await claimPublication(one.publicationId, newWorker());
  expect(claim?.comment).toEqual({ status: "PENDING" });
  expect(await dueTimes(one.publicationId)).toMatchObject({ dueAt: null });
  expect((await one.outcome())?.status).toBe("PUBLISHED");
});

test("comments of suspended owners, however long overdue, do not keep others waiting", async () => {
  const [suspended, other] = [await published("X_TWITTER"), await published("X_TWITTER")];
  await setSuspended(await suspended.owner(), true);
  for (const [{ publicationId }, years] of [
    [suspended, 2],
    [other, 1],
  ] as const) {
    const commentDueAt = sql`now() - make_interval(years => ${years})`;
    await db.update(publications).set({ commentDueAt }).where(eq(publications.id, publicationId));
  }
  const claims = await claimDueComments(newWorker(), { room: 1 });
  expect(claims.map(({ publicationId }) => publicationId)).toEqual([other.publicationId]);
});

test("without a comment, nothing is owed", async () => {
  const { client, publication } = await plainPublication(networkOf("X_TWITTER"), "Bells alone");
  const made = await schedule(client, [publication], new Date(Date.now() + HOUR_MS));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  const publicationId = made.publications[0]?.id ?? 0;
  const seen = await finish({ publicationId, seen: () => read(client, made.id) });
  expect(seen.publications[0]?.firstComment).toBeUndefined();
  expect(await dueTimes(publicationId)).toEqual({ dueAt: null, commentDueAt: null });
});

test("events and the receipt show the outcome, and the receipt when the comment is tried", async () => {
  const one = await published("X_TWITTER");
  const read = async () =>
    ((await readResponse(one.client.get(`/v1/posts/${one.id}/receipt`)))[1] as Receipt).publications[0];
  const { commentDueAt } = (await dueTimes(one.publicationId)) ?? {};
  expect(Date.parse((await read())?.nextAttemptTime ?? "")).toBe(Date.parse(`${commentDueAt}`));
  await one.ended();
  const [post] = (await one.outcome())?.posts ?? [];
  expect((await read())?.nextAttemptTime).toBeUndefined();
  expect(await one.story()).toEqual([
    {
      ...{ postId: post?.id, firstComment: true, outcome: "PUBLISHED", message: "First comment: it is out", times: 1 },
      ...{ startTime: expect.any(String), endTime: expect.any(String) },
    },
  ]);
  const events = await eventsOf(await one.owner());
  const [event] = events.filter(({ type }) => type === "comment.published");
  expect(event?.data).toMatchObject({ scheduleId: one.id, firstComment: { status: "PUBLISHED" } });
  const [, receipt] = await readResponse(one.client.get(`/v1/posts/${one.id}/receipt`));
  expect(receipt).toMatchObject({ publications: [{ firstComment: { status: "PUBLISHED" } }] });
});

test("the receipt marks attempts at the comment that a release without the column stored", async () => {
  const one = await due("X_TWITTER");
  const [post] = (await one.outcome())?.posts ?? [];
  const on = { publicationId: one.publicationId, postId: post?.id ?? 0, startedAt: sql`now()`, endedAt: sql`now()` };
  await db.insert(publishAttempts).values([
    { ...on, outcome: "PUBLISHED", message: "it is out" },
    { ...on, outcome: "FAILED", message: "First comment: X refused it" },
  ]);
  expect(await one.story()).toMatchObject([{ outcome: "FAILED", message: "First comment: X refused it" }]);
});

test("equal attempts at a post and at its comment are listed separately, and a repeated one is counted", async () => {
  const one = await due("X_TWITTER");
  const claim = await claimPublication(one.publicationId, newWorker());
  const post = claim?.posts[0];
  if (!claim || !post) throw new Error("the publication was not claimed");
  const attempt: AttemptEntry = { outcome: "RETRYING", message: "X is away" };
  const comment = { ...claim, comment: { status: "PENDING" as const } };
  for (const on of [claim, comment, comment])
    await db.transaction((tx) => recordAttempts(tx, [{ claim: on, post, attempt }]));
  const [, receipt] = await readResponse(one.client.get(`/v1/posts/${one.id}/receipt`));
  const { story } = (receipt as Receipt).publications[0] ?? { story: [] };
  expect(story.map(({ message, firstComment, times }) => [message, firstComment, times])).toEqual([
    ["X is away", undefined, 1],
    ["First comment: X is away", true, 2],
  ]);
});

describe("before scheduling", () => {
  async function problemsOf(platform: Platform, settings: object) {
    const { client, publication } = await plainPublication(networkOf(platform), "Bells");
    const platformSettings = { ...publication.platformSettings, ...settings };
    const scheduledTime = new Date(Date.now() + HOUR_MS).toISOString();
    const body = { scheduledTime, publications: [{ ...publication, platformSettings }] };
    const [, answer] = await readResponse(client.post("/v1/posts/validate", body));
    const { problems } = answer as { problems: { path: string; rule: string }[] };
    return problems.filter(({ path }) => path.endsWith(".firstComment")).map(({ rule }) => rule);
  }

  test.concurrent.each(named(withComments))(
    "%s: a text of its limit is accepted, and one more is not",
    async (_, platform) => {
      const max = networkOf(platform).comment?.text.max ?? 0;
      expect(await problemsOf(platform, { firstComment: "x".repeat(max) })).toEqual([]);
      expect(await problemsOf(platform, { firstComment: "x".repeat(max + 1) })).toEqual(["text.length"]);
      expect(await problemsOf(platform, { firstComment: " " })).toEqual(["text.required"]);
      expect(await problemsOf(platform, { firstComment: "" })).toEqual([]);
    },
  );

  test.each<[Platform, object]>([
    ["INSTAGRAM", { publicationType: "STORY" }],
    ["FACEBOOK", { publicationType: "STORY" }],
    ["YOUTUBE", { privacyStatus: "PRIVATE" }],
  ])("%s takes no comment with %j", async (platform, settings) => {
    expect(await problemsOf(platform, { ...settings, firstComment: TEXT })).toEqual(["comment.unsupported"]);
  });

  test.each<[Platform]>([["TELEGRAM"], ["PINTEREST"], ["TIKTOK"]])("%s has no comments", async (platform) => {
    expect(await problemsOf(platform, { firstComment: TEXT })).toEqual(["settings.unknown"]);
  });
});
