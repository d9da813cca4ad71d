import { randomUUID } from "node:crypto";
import { and, eq, ne, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { db, deletedCalls, installation, posts, publications, publishSteps, schedules } from "../../db";
import { holdPublishing } from "../../db/installation";
import { Indistinguishable, type Published } from "../../networks";
import { as, inAnHour, schedule } from "../../testing";
import type { Post } from "../read";
import { claimedPost } from "../testing/due";
import { attemptPublication } from "../testing/workers";
import type { Claim, Step } from "./claim";
import { deleteUnneededCalls, destinationKeyOf, lookalikeKeyOf, openLookup } from "./lookup";
import { RESTORED } from "./restored";
import { deleteSteps, storeIntent } from "./steps";

// A lost call and another post on the same account, in the states that the other post can have. The network lists one post that
// looks the same.

const LIKENESS = "One";
const LISTED = "1857000000000000001";
/** The network's answers state no time. */
const UNTIMED = { statedTime: () => undefined };

let claim: Claim;
let post: Post;
let intent: Step;
let account: number;
beforeAll(async () => {
  ({ claim, post } = await claimedPost());
  await storeIntent(claim, post.id, "post", { lookalikeKey: lookalikeKeyOf(claim, post, LIKENESS), listedBefore: [] });
  const [step] = await db.select().from(publishSteps).where(eq(publishSteps.postId, post.id));
  if (!step) throw new Error("the intent was not stored");
  intent = { ...step, seconds: 0 };
  account = claim.account.id;
});

beforeEach(async () => {
  await db.update(posts).set({ networkPlace: null, networkPostId: null }).where(eq(posts.id, post.id));
  await db.delete(schedules).where(and(eq(schedules.ownerId, claim.ownerId), ne(schedules.id, claim.scheduleId)));
  const same = and(eq(publishSteps.lookalikeKey, keyOf(LIKENESS)), ne(publishSteps.postId, post.id));
  await db.update(publishSteps).set({ lookalikeKey: null }).where(same);
  await db.delete(deletedCalls).where(eq(deletedCalls.lookalikeKey, keyOf(LIKENESS)));
});

const keyOf = (likeness: string) => lookalikeKeyOf(claim, post, likeness);

async function lookUp(...ids: string[]): Promise<Published | undefined | "cannot be told apart"> {
  const lookup = openLookup(claim, post, intent, { lookalikes: { likeness: LIKENESS } }, UNTIMED);
  try {
    return await lookup.identify([LISTED, ...ids].map((id) => ({ id, createdAt: new Date() })));
  } catch (error) {
    if (error instanceof Indistinguishable) return "cannot be told apart";
    throw error;
  }
}

type Other = Partial<typeof posts.$inferInsert> & {
  step?: Partial<typeof publishSteps.$inferInsert>;
  /** A second call of the same post. */
  secondCall?: Partial<typeof publishSteps.$inferInsert>;
};

/** Another post of the same owner, with a final call. It is published under another ID than the listed one. */
async function other({ step, secondCall, ...state }: Other) {
  const on = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "One" }] };
  const made = await schedule(as(claim.ownerId), [on], inAnHour());
  const postId = made.publications[0]?.posts[0]?.id ?? 0;
  const place = { networkPlace: destinationKeyOf(claim, post), networkPostId: `9${postId}` };
  const published = { status: "PUBLISHED", permalink: "https://x.com/i/1", ...place } as const;
  await db
    .update(posts)
    .set({ ...published, ...state })
    .where(eq(posts.id, postId));
  const call = { postId, name: "post", state: "DONE", workerId: randomUUID(), lookalikeKey: keyOf(LIKENESS) } as const;
  const calls = [{ ...step }, ...(secondCall ? [{ name: "second", ...secondCall }] : [])];
  await db.insert(publishSteps).values(calls.map((one) => ({ ...call, sentAt: sql`now()` as never, ...one })));
  return made.id;
}

const ago = (time: string) => sql`now() - ${time}::interval` as never;
const FOUND = { id: LISTED };
const cases: [string, Other, object | string | undefined][] = [
  ["is published under another ID", {}, FOUND],
  ["has the listed ID", { networkPostId: LISTED }, undefined],
  ["has the same ID in another place", { networkPostId: LISTED, networkPlace: "X_TWITTER 0" }, FOUND],
  ["has an unknown outcome", { status: "UNKNOWN", networkPostId: null, permalink: null }, "cannot be told apart"],
  ["is known only by a handle", { networkPostId: "publish_id", permalink: null }, "cannot be told apart"],
  ["has the listed ID without a permalink", { networkPostId: LISTED, permalink: null }, undefined],
  ["is open and looks different", { status: "UNKNOWN", permalink: null, step: { lookalikeKey: "another" } }, FOUND],
  ["was sent over a day before", { status: "UNKNOWN", permalink: null, step: { sentAt: ago("25 hours") } }, FOUND],
  [
    "was sent within a day before, and has an unknown outcome",
    { status: "UNKNOWN", permalink: null, step: { sentAt: ago("23 hours") } },
    "cannot be told apart",
  ],
  [
    "was first sent over a day before, and again now",
    { status: "UNKNOWN", permalink: null, step: { startedAt: ago("25 hours") } },
    "cannot be told apart",
  ],
  [
    "was sent over a day before, and has no time of its newest call",
    { status: "UNKNOWN", permalink: null, step: { startedAt: ago("25 hours"), sentAt: null } },
    FOUND,
  ],
  [
    "was sent within a day before, and has no time of its newest call",
    { status: "UNKNOWN", permalink: null, step: { startedAt: ago("23 hours"), sentAt: null } },
    "cannot be told apart",
  ],
  ["is not looked up in lists", { status: "UNKNOWN", permalink: null, step: { lookalikeKey: null } }, FOUND],
  ["made several posts, as several stories are, of which one ID is known", { secondCall: {} }, "cannot be told apart"],
  ["made several posts that look different", { secondCall: { lookalikeKey: "another" } }, FOUND],
  ["was discarded by the network before it was published", { secondCall: { irreversible: false } }, FOUND],
  ["was discarded by the network", { status: "FAILED", permalink: null, step: { irreversible: false } }, FOUND],
];

describe("a listed post is adopted only if it cannot be another post of ours, which", () => {
  test.each(cases)("%s", async (_, state, outcome) => {
    await other(state);
    expect(await lookUp()).toEqual(outcome);
  });

  test.each(cases)("%s, and was deleted", async (_, state, outcome) => {
    await db.delete(schedules).where(eq(schedules.id, await other(state)));
    expect(await lookUp()).toEqual(outcome);
  });
});

describe("a post that the network stamped a second after the intent", () => {
  const SECONDS = 1_000;
  /** The network's clock is this far ahead of ours, and its answers state its time. */
  async function lookUpAhead(aheadMs: number, listedBefore: string[] | null) {
    const statedTime = () => new Date(Math.floor((Date.now() + aheadMs) / SECONDS) * SECONDS);
    const recovery = { lookalikes: { likeness: LIKENESS } };
    const lookup = openLookup(claim, post, { ...intent, listedBefore }, recovery, { statedTime });
    const createdAt = new Date(new Date(intent.startedAt).getTime() + SECONDS);
    return lookup.identify([{ id: LISTED, createdAt }]);
  }

  test.each([
    ["is adopted if the clocks agree", 0],
    ["is adopted if the network's clock is behind", -30 * SECONDS],
  ])("%s", async (_, aheadMs) => {
    expect(await lookUpAhead(aheadMs, null)).toEqual(FOUND);
    expect(await lookUpAhead(aheadMs, [])).toEqual(FOUND);
  });

  test("is older than the intent if the network's clock is far ahead, so it is not adopted", async () => {
    await expect(lookUpAhead(30 * SECONDS, null)).rejects.toThrow(Indistinguishable);
    await expect(lookUpAhead(30 * SECONDS, [])).rejects.toThrow(Indistinguishable);
  });
});

describe("of two listed posts, the second one is adopted only if the first one is certainly the other post, which", () => {
  const SECOND = "1857000000000000002";
  const held: [string, Other, object | string][] = [
    ["has the first one's ID", { networkPostId: LISTED }, { id: SECOND }],
    ["has the first one's ID without a permalink", { networkPostId: LISTED, permalink: null }, { id: SECOND }],
    [
      "has reserved the first one's ID, and may have been sent again since",
      { status: "UNKNOWN", networkPostId: LISTED, permalink: null },
      "cannot be told apart",
    ],
  ];
  test.each(held)("%s", async (_, state, outcome) => {
    await other(state);
    expect(await lookUp(SECOND)).toEqual(outcome);
  });

  test.each(held)("%s, and was deleted", async (_, state, outcome) => {
    await db.delete(schedules).where(eq(schedules.id, await other(state)));
    expect(await lookUp(SECOND)).toEqual(outcome);
  });
});

describe("the listed ID", () => {
  const held = async () =>
    (
      await db.select({ place: posts.networkPlace, id: posts.networkPostId }).from(posts).where(eq(posts.id, post.id))
    )[0];

  test("is reserved for the post that adopts it, which finds it again", async () => {
    expect([await lookUp(), await held()]).toEqual([FOUND, { place: destinationKeyOf(claim, post), id: LISTED }]);
    expect(await lookUp()).toEqual(FOUND);
  });

  test("is not adopted if it was listed before the call", async () => {
    const since = { ...intent, listedBefore: [LISTED] };
    const lookup = openLookup(claim, post, since, { lookalikes: { likeness: LIKENESS } }, UNTIMED);
    expect(await lookup.identify([{ id: LISTED }])).toBeUndefined();
  });

  test("is not adopted if another post gets it at the same moment", async () => {
    await other({ networkPostId: "9", permalink: "https://x.com/i/1" });
    const isWaiting = sql`select from pg_locks where not granted and locktype = 'transactionid'`;
    const outcome = await db.transaction(async (tx) => {
      await tx.update(posts).set({ networkPostId: LISTED }).where(eq(posts.networkPostId, "9"));
      const looking = lookUp();
      await vi.waitFor(async () => expect((await tx.execute(isWaiting)).rows).toHaveLength(1), { timeout: 10_000 });
      return { looking };
    });
    expect(await outcome.looking).toBe("cannot be told apart");
  });

  test("does not replace the ID of a post that was settled meanwhile", async () => {
    await db.update(posts).set({ status: "PUBLISHED", networkPostId: "settled" }).where(eq(posts.id, post.id));
    await lookUp();
    await db.update(posts).set({ status: "PENDING" }).where(eq(posts.id, post.id));
    expect(await held()).toEqual({ place: null, id: "settled" });
  });
});

describe("the first call of a post that was sent again", () => {
  /** Another post, sent without an answer, that its owner allowed to be sent again. */
  async function unanswered() {
    const work = await claimedPost();
    const send = () => storeIntent(work.claim, work.post.id, "post", { lookalikeKey: keyOf(LIKENESS) });
    await send();
    work.claim.sendAgain = true;
    return { ...work, send };
  }

  const publish = ({ id }: Post) =>
    db
      .update(posts)
      .set({ status: "PUBLISHED", permalink: "https://x.com/i/2", networkPostId: "2" })
      .where(eq(posts.id, id));

  test("may have made the listed post", async () => {
    const again = await unanswered();
    await again.send();
    await publish(again.post);
    expect(await lookUp()).toBe("cannot be told apart");
  });

  test("had no effect if Carillon sent the post again by itself", async () => {
    const again = await unanswered();
    again.claim.sendAgain = false;
    await again.send();
    await publish(again.post);
    expect(await lookUp()).toEqual(FOUND);
  });

  test("may have made the listed post if the post starts over", async () => {
    const again = await unanswered();
    await deleteSteps(again.claim, again.post.id);
    expect(await lookUp()).toBe("cannot be told apart");
  });

  test("may have made the listed post if it may have been sent before a restore and is not listed", async () => {
    const { claim: lost, post: restored } = await claimedPost();
    const call = { postId: restored.id, name: RESTORED, state: "SENDING", workerId: randomUUID() } as const;
    await db.insert(publishSteps).values({ ...call, lookalikeKey: keyOf(LIKENESS), sentAt: ago("0 hours") });
    const released = { sendAgain: true, claimUntil: null };
    await db.update(publications).set(released).where(eq(publications.id, lost.publicationId));
    await attemptPublication(lost.publicationId);
    const [step] = await db.select().from(publishSteps).where(eq(publishSteps.postId, restored.id));
    expect([step?.state, await lookUp()]).toEqual(["DONE", "cannot be told apart"]);
  });

  test("may be found by this post itself", async () => {
    await remember({ postId: post.id });
    expect(await lookUp()).toEqual(FOUND);
  });
});

const remember = (call: Partial<typeof deletedCalls.$inferInsert>) =>
  db
    .insert(deletedCalls)
    .values({ postId: 0, lookalikeKey: keyOf(LIKENESS), sentAt: ago("0 hours"), ...call })
    .returning({ id: deletedCalls.id })
    .then(([row]) => row?.id ?? 0);

const isRemembered = async (id: number) => (await db.$count(deletedCalls, eq(deletedCalls.id, id))) === 1;

describe("a deleted call", () => {
  test.each([
    ["is kept for a day", { lookalikeKey: "no other", sentAt: ago("23 hours") }, true],
    ["is deleted after that", { lookalikeKey: "no other", sentAt: ago("25 hours") }, false],
    ["is kept while the outcome of a post that looks the same is open", { sentAt: ago("1000 days") }, true],
  ])("%s", async (_, call, isKept) => {
    const id = await remember(call);
    await deleteUnneededCalls();
    expect(await isRemembered(id)).toBe(isKept);
  });

  test("is kept while publishing is held after a restore", async () => {
    const id = await remember({ lookalikeKey: "no other", sentAt: ago("25 hours") });
    await holdPublishing("The database was restored");
    await deleteUnneededCalls();
    await db.update(installation).set({ heldAt: null, heldReason: null });
    expect(await isRemembered(id)).toBe(true);
  });

  test("is deleted after a day if only its own post is open, or if the others have ended", async () => {
    const [own, others] = [await claimedPost(), await claimedPost()];
    const key = randomUUID();
    for (const { claim, post } of [own, others]) await storeIntent(claim, post.id, "post", { lookalikeKey: key });
    await db.update(posts).set({ status: "PUBLISHED" }).where(eq(posts.id, others.post.id));
    const id = await remember({ postId: own.post.id, lookalikeKey: key, sentAt: ago("25 hours") });
    await deleteUnneededCalls();
    expect(await isRemembered(id)).toBe(false);
  });
});
