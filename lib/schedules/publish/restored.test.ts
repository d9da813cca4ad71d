import { randomUUID } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, installation, posts, publications, publishSteps, schedules } from "../../db";
import { publishingHold } from "../../db/installation";
import { armFailPoint } from "../../jobs/fail-point";
import { allNetworks, type Network } from "../../networks";
import { platforms } from "../../platforms";
import { fault, postsOn, read, readResponse } from "../../testing";
import { withApiServed } from "../../testing/served";
import { createDuePost } from "../testing/due";
import { finish } from "../testing/workers";
import { CLAIM_SECONDS } from "./claim";
import { finishRestore } from "./restore";

withApiServed(); // some networks fetch files themselves, from the product's own address

/** Networks that can list an account's posts. The others cannot tell whether a post is live. */
const SEARCHABLE = ["X_TWITTER", "YOUTUBE", "THREADS", "INSTAGRAM", "BLUE_SKY", "FACEBOOK", "PINTEREST"];
/** Those that refuse a repeated post, and so tell that they have it. */
const REFUSES_DUPLICATES = ["X_TWITTER", "FACEBOOK"];

/** How long before the backup a call was sent whose answer came after it. More than clocks may differ. */
const CALL_AGE_MS = 120_000;

/** Makes the database forget that a post was published, as a restore of an older backup does. */
async function forget({ id, publicationId, postId }: { id: number; publicationId: number; postId: number }) {
  await db.delete(publishSteps).where(eq(publishSteps.postId, postId));
  const unsent = { networkPostId: null, networkPlace: null, permalink: null, publishedAt: null };
  await db
    .update(posts)
    .set({ status: "PENDING", ...unsent })
    .where(eq(posts.id, postId));
  const due = { status: "PENDING", dueAt: sql`now()`, claimWorker: null, claimUntil: null } as const;
  await db.update(publications).set(due).where(eq(publications.id, publicationId));
  await db.update(schedules).set({ status: "SCHEDULED" }).where(eq(schedules.id, id));
}

/**
 * Makes the database forget the answer to the final call, as a backup does that was taken while the call ran. YouTube had
 * answered, and was still processing the video.
 */
async function forgetAnswer(due: { id: number; publicationId: number; postId: number; network: Network }) {
  const steps = await db.select().from(publishSteps).where(eq(publishSteps.postId, due.postId));
  await forget(due);
  const isRunning = (step: { irreversible: boolean }) => step.irreversible && due.network.platform !== "YOUTUBE";
  const open = { state: "SENDING", result: null, finishedAt: null } as const;
  await db.insert(publishSteps).values(steps.map((step) => (isRunning(step) ? { ...step, ...open } : step)));
}

async function duePost(network: Network) {
  const due = await createDuePost(network);
  const seen = () => read(due.client, due.id);
  const live = () => postsOn(platforms[network.platform], due.person);
  return { ...due, network, seen, live };
}

/** Publications that other tests left behind are not part of this restore. */
async function endLeftovers(): Promise<void> {
  const open = inArray(schedules.status, ["SCHEDULED", "IN_PROGRESS", "AWAITING_MEDIA"]);
  await db.update(schedules).set({ status: "FAILED" }).where(open);
}

test("restore finish finds what the networks list, leaves the rest unknown, and sends only what is certainly not there", async () => {
  await endLeftovers();
  const takenAt = new Date();
  const sent = await Promise.all(allNetworks().map(duePost));
  await Promise.all(
    sent.map(async (due) => {
      await finish(due);
      await forget(due);
    }),
  );
  const unsent = await Promise.all(allNetworks().map(duePost));
  // Held for some minutes: no call from before can still be running.
  await db.update(installation).set({ heldAt: sql`now() - interval '3 minutes'`, heldReason: "restored" });
  await db
    .update(schedules)
    .set({ scheduledTime: sql`now() - interval '4 minutes'` })
    .where(
      inArray(
        schedules.id,
        [...sent, ...unsent].map(({ id }) => id),
      ),
    );
  const before = await Promise.all([...sent, ...unsent].map(({ live }) => live()));
  // The first run is interrupted in the middle, and its instant was too late.
  armFailPoint("claimed", () => Promise.reject(new Error("interrupted")), 12);
  await expect(finishRestore(new Date(), () => {})).rejects.toThrow("interrupted");
  expect(await publishingHold()).toMatchObject({ reason: "restored" });
  const summary = await finishRestore(new Date(takenAt.getTime() - 240_000), () => {});
  const isSearchable = ({ network }: { network: Network }) => SEARCHABLE.includes(network.platform);
  expect(summary).toMatchObject({ due: 20, found: 7, unknown: 6, safeToSend: 7, lookedUpLater: 0 });
  expect(await Promise.all([...sent, ...unsent].map(({ live }) => live()))).toEqual(before);
  expect(await publishingHold()).toBeUndefined();
  for (const due of sent) {
    const {
      publications: [publication],
    } = await due.seen();
    expect([due.network.platform, publication?.status]).toEqual([
      due.network.platform,
      isSearchable(due) ? "PUBLISHED" : "UNKNOWN",
    ]);
  }
  const absent = unsent.filter(isSearchable);
  const refused = absent.filter(({ network }) => REFUSES_DUPLICATES.includes(network.platform));
  for (const { network } of refused)
    await fault({ network: platforms[network.platform], operation: "publish", fault: "duplicate" });
  await Promise.all(absent.map(finish));
  const accepted = absent.filter((one) => !refused.includes(one));
  expect(await Promise.all(accepted.map(async ({ live }) => (await live()).length))).toEqual(accepted.map(() => 1));
  await expectPublishedBefore(refused);
  for (const due of unsent.filter((one) => !isSearchable(one))) expect(await due.live()).toEqual([]);

  const unreadable = sent.filter(({ network }) => network.platform === "LINKEDIN");
  for (const { client, id } of unreadable)
    await readResponse(client.post(`/v1/posts/${id}/retry`, { sendAgain: true }));
  await Promise.all(unreadable.map(finish));
  await expectPublishedBefore(unreadable);
  expect(await Promise.all(unreadable.map(async ({ live }) => (await live()).length))).toEqual([1]);
});

/** A refusal as a duplicate counts as published for a post that may have been sent after the backup. */
async function expectPublishedBefore(all: Awaited<ReturnType<typeof duePost>>[]): Promise<void> {
  for (const { seen, network } of all) {
    const [publication] = (await seen()).publications;
    expect([network.platform, publication?.status]).toEqual([network.platform, "PUBLISHED"]);
  }
}

test("a post whose final call ran while the backup was taken is found, too", async () => {
  await endLeftovers();
  const searchable = allNetworks().filter(({ platform }) => SEARCHABLE.includes(platform));
  const sent = await Promise.all(searchable.map(duePost));
  await Promise.all(sent.map(finish));
  const takenAt = new Date(Date.now() + CALL_AGE_MS);
  await Promise.all(sent.map(forgetAnswer));
  const ids = sent.map(({ id }) => id);
  await db.update(schedules).set({ scheduledTime: sql`now() - interval '1 minute'` }).where(inArray(schedules.id, ids));
  await db.update(installation).set({ heldAt: takenAt.toISOString(), heldReason: "restored" });
  const summary = await finishRestore(takenAt, () => {});
  expect(summary).toMatchObject({ due: sent.length, found: sent.length });
});

test("a post whose attempt had just begun when the backup was taken is found, too", async () => {
  await endLeftovers();
  const searchable = allNetworks().filter(({ platform }) => SEARCHABLE.includes(platform));
  const sent = await Promise.all(searchable.map(duePost));
  const claimedAt = new Date();
  await Promise.all(sent.map(finish));
  const takenAt = new Date(Date.now() + CALL_AGE_MS);
  await Promise.all(sent.map(forget));
  const ids = sent.map(({ id }) => id);
  await db.update(schedules).set({ scheduledTime: sql`now() - interval '1 minute'` }).where(inArray(schedules.id, ids));
  const claimUntil = new Date(claimedAt.getTime() + CLAIM_SECONDS * 1_000).toISOString();
  await db
    .update(publications)
    .set({ status: "IN_PROGRESS", claimWorker: randomUUID(), claimUntil })
    .where(inArray(publications.scheduleId, ids));
  await db.update(installation).set({ heldAt: takenAt.toISOString(), heldReason: "restored" });
  const summary = await finishRestore(takenAt, () => {});
  expect(summary).toMatchObject({ due: sent.length, found: sent.length });
});

test("a hold from before the backup does not hide posts whose time came after it", async () => {
  await endLeftovers();
  const searchable = allNetworks().filter(({ platform }) => platform === "BLUE_SKY");
  const sent = await Promise.all(searchable.map(duePost));
  await Promise.all(sent.map(finish));
  await Promise.all(sent.map(forget));
  const ids = sent.map(({ id }) => id);
  await db
    .update(schedules)
    .set({ scheduledTime: sql`now() - interval '4 minutes'` })
    .where(inArray(schedules.id, ids));
  // Held ten minutes ago; that hold ended, and the posts went out. The backup of five minutes ago has it among its rows.
  await db.update(installation).set({ heldAt: sql`now() - interval '10 minutes'`, heldReason: "an earlier restore" });
  const summary = await finishRestore(new Date(Date.now() - 300_000), () => {});
  expect(summary).toMatchObject({ due: 1, found: 1 });
  expect(await Promise.all(sent.map(async ({ live }) => (await live()).length))).toEqual([1]);
});
