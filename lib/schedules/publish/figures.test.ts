import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { accounts, db, networkHealth, publications, publishSteps, users } from "../../db";
import { registry } from "../../metrics";
import { platforms } from "../../platforms";
import { as, connectAccount, newOwner, schedule } from "../../testing";
import { claimedPost } from "../testing/due";
import { newWorker } from "../testing/workers";
import { readPublishingFigures } from "./figures";
import { pausePublishing, resumePublishing } from "./pause";
import { settlePublished } from "./settle";
import { storeIntent } from "./steps";

afterEach(() => resumePublishing());

type Name = keyof Awaited<ReturnType<typeof readPublishingFigures>>;

/** The value of a gauge, for a network if it has one for each. */
async function figure(name: Name, network?: string): Promise<number | undefined> {
  const samples = (await readPublishingFigures())[name];
  return samples?.find(({ labels }) => labels?.network === network)?.value;
}

const DAY_SECONDS = 86_400;

/** A publication on X that, or whose comment, has been due for 20 days, longer than any other test leaves one. */
async function dueSince20Days(column: "dueAt" | "commentDueAt") {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "X_TWITTER");
  const on = { socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content: "late" }] };
  const made = await schedule(as(owner), [on], new Date(Date.now() + 3_600_000));
  const ofSchedule = eq(publications.scheduleId, made.id);
  await db
    .update(publications)
    .set({ [column]: sql`now() - interval '20 days'` })
    .where(ofSchedule);
  return {
    owner,
    forget: () =>
      db
        .update(publications)
        .set({ [column]: null })
        .where(ofSchedule),
  };
}

describe.each([
  ["publication", "dueAt"],
  ["comment", "commentDueAt"],
] as const)("the wait of the oldest due %s", (what, column) => {
  const name = `carillon_${what}_oldest_due_seconds`;
  const oldest = () => figure(name, "x");
  const longDue = () => dueSince20Days(column);

  test("is counted per network, and is 0 while publishing is paused", async () => {
    const { forget } = await longDue();
    expect(await oldest()).toBeGreaterThan(19 * DAY_SECONDS);
    expect(await figure(name, "youtube")).toBeLessThan(19 * DAY_SECONDS);
    await pausePublishing("a test");
    expect([await oldest(), await figure("carillon_publishing_paused")]).toEqual([0, 1]);
    await resumePublishing();
    expect(await figure("carillon_publishing_paused")).toBe(0);
    await forget();
  });

  test("leaves out suspended owners", async () => {
    const { owner, forget } = await longDue();
    await db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner));
    expect(await oldest()).toBeLessThan(19 * DAY_SECONDS);
    await forget();
  });

  test.each([
    ["were told to wait", { waitUntil: sql`now() + interval '1 hour'` }],
    ["wait for a confirmation", { heldSince: sql`now()` }],
  ])("leaves out accounts that %s", async (_, reason) => {
    const { owner, forget } = await longDue();
    await db.update(accounts).set(reason).where(eq(accounts.ownerId, owner));
    expect(await oldest()).toBeLessThan(19 * DAY_SECONDS);
    await forget();
  });
});

test("a final call without an outcome counts as open after a minute, until the outcome is recorded", async () => {
  const before = (await figure("carillon_publish_intents_open")) ?? 0;
  const { claim, post } = await claimedPost();
  await storeIntent(claim, post.id, "post");
  expect(await figure("carillon_publish_intents_open")).toBe(before);
  await db
    .update(publishSteps)
    .set({ sentAt: sql`now() - interval '61 seconds'` })
    .where(eq(publishSteps.postId, post.id));
  expect(await figure("carillon_publish_intents_open")).toBe(before + 1);
  await settlePublished(claim, post, { id: `metrics-${post.id}` });
  expect(await figure("carillon_publish_intents_open")).toBe(before);
});

test("the state of a network's breaker", async () => {
  const state = () => figure("carillon_network_breaker_state", "linkedin");
  const set = (closedUntil: string | null) =>
    db
      .insert(networkHealth)
      .values({ platform: "LINKEDIN", consecutiveFailures: 1, closedUntil })
      .onConflictDoUpdate({ target: networkHealth.platform, set: { closedUntil } });
  await set("2100-01-01T00:00:00Z");
  expect(await state()).toBe(2);
  await set(null);
  expect(await state()).toBe(1);
  await db.delete(networkHealth).where(eq(networkHealth.platform, "LINKEDIN"));
  expect(await state()).toBe(0);
});

test("an outcome is counted once, with its network", async () => {
  const published = async () =>
    (await registry.getSingleMetric("carillon_post_outcomes_total")?.get())?.values.find(
      ({ labels }) => labels.network === "x" && labels.outcome === "published",
    )?.value ?? 0;
  const before = await published();
  const { claim, post } = await claimedPost();
  await settlePublished(claim, post, { id: `metrics-${post.id}` });
  expect(await published()).toBe(before + 1);
  await settlePublished({ ...claim, worker: newWorker() }, post, { id: `metrics-${post.id}` }).catch(() => {});
  expect(await published()).toBe(before + 1); // the claim is lost, so nothing is recorded
});

test("every outcome of every network is exported from the start: an alert sees only a figure that grows", async () => {
  const { values = [] } = (await registry.getSingleMetric("carillon_post_outcomes_total")?.get()) ?? {};
  const named = values.map(({ labels }) => `${labels.network} ${labels.outcome}`);
  for (const network of Object.values(platforms)) expect(named).toContain(`${network} unknown`);
});
