import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { openSession } from "../../accounts";
import { db, publishSteps, schedules } from "../../db";
import type { FailPoint } from "../../jobs/fail-points";
import { uploadImage } from "../../networks/linkedin/uploads";
import { as, callsOn, connectAccount, newOwner, picture, postsOn, read, readResponse, schedule } from "../../testing";
import { attemptPublication, dieAt, finish, newWorker } from "../testing/workers";
import { claimPublication, releaseClaims } from "./claim";

const HOUR = 3_600_000;

/** A due image on LinkedIn that only this test's worker picks up. */
async function due() {
  const owner = await newOwner();
  const { id: account, person } = await connectAccount(owner, "LINKEDIN");
  const posts = [{ content: "once", attachmentPaths: [await picture(owner)] }];
  const on = { socialMediaAccountId: account, platformSettings: { type: "LINKEDIN" }, posts };
  const client = as(owner);
  const made = await schedule(client, [on], new Date(Date.now() + HOUR));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, made.id));
  return {
    id: made.id,
    publicationId: made.publications[0]?.id ?? 0,
    postId: made.publications[0]?.posts[0]?.id ?? 0,
    client,
    seen: () => read(client, made.id),
    held: () => postsOn("linkedin", person),
    asked: async () => (await callsOn("linkedin", person, "publish")).map(({ status }) => status),
  };
}

type Due = Awaited<ReturnType<typeof due>>;

/** The post once its publication has ended. */
const endOf = async (one: Due) => (await finish(one)).publications[0]?.posts[0];

/** A file that only starts like a JPEG: LinkedIn accepts the upload, and rejects the post with it. */
async function spoil(one: Due, upload: number): Promise<void> {
  const claim = await claimPublication(one.publicationId, newWorker());
  if (!claim) throw new Error("the publication could not be claimed");
  const bytes = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
  const file = { sizeBytes: bytes.length, open: async () => new Blob([bytes]).stream() };
  const session = await openSession(claim.account);
  const urn = await uploadImage(session, file, `urn:li:person:${session.accountId}`);
  await db
    .update(publishSteps)
    .set({ result: { value: urn } })
    .where(and(eq(publishSteps.postId, one.postId), eq(publishSteps.name, `image 1, upload ${upload}`)));
  await db.transaction((tx) => releaseClaims(tx, claim.worker.id));
}

/** The post with the first upload is rejected, and a worker dies at this point of the post with the second one. */
async function dieInRoundTwo(point: FailPoint, nth?: number): Promise<Due> {
  const one = await due();
  await dieAt("prepared", one.publicationId);
  await spoil(one, 1);
  await dieAt(point, one.publicationId, nth);
  return one;
}

describe.concurrent("a post that was rejected with its first upload and published with the second", () => {
  test("whose worker died after the result was stored: nothing is sent again", async () => {
    const one = await dieInRoundTwo("stored");
    expect(await endOf(one)).toMatchObject({ status: "PUBLISHED", networkPostId: (await one.held())[0]?.id });
    expect(await one.asked()).toEqual([400, 201]);
  });

  test("whose worker died with the answer: only the second call is looked up", async () => {
    const one = await dieInRoundTwo("answered");
    expect(await endOf(one)).toMatchObject({ status: "PUBLISHED", networkPostId: (await one.held())[0]?.id });
    expect([await one.asked(), (await one.held()).length]).toEqual([[400, 201, 422], 1]);
  });

  test("that is read a day late: it is recorded as published", async () => {
    const one = await dieInRoundTwo("stored");
    const aDayAgo = sql`now() - interval '25 minutes'`; // 24 hours by this TIME_FACTOR are 24 minutes
    await db.update(schedules).set({ scheduledTime: aDayAgo }).where(eq(schedules.id, one.id));
    expect(await endOf(one)).toMatchObject({ status: "PUBLISHED" });
  });
});

test.concurrent("a second call whose outcome stays unknown: UNKNOWN, and later lookups send neither call again", async () => {
  const one = await dieInRoundTwo("announced", 2);
  const long = sql`now() - interval '11 minutes'`;
  await db.update(publishSteps).set({ startedAt: long, sentAt: long }).where(eq(publishSteps.postId, one.postId));
  expect(await endOf(one)).toMatchObject({ status: "UNKNOWN" });
  await attemptPublication(one.publicationId);
  expect([await one.asked(), await one.held()]).toEqual([[400], []]);
});

test.concurrent("both uploads rejected: FAILED, and a retry starts over", async () => {
  const one = await dieInRoundTwo("prepared", 2);
  await spoil(one, 2);
  expect(await endOf(one)).toMatchObject({ status: "FAILED" });
  expect((await readResponse(one.client.post(`/v1/posts/${one.id}/retry`, {})))[0]).toBe(200);
  expect(await endOf(one)).toMatchObject({ status: "PUBLISHED" });
  expect([await one.asked(), (await one.held()).length]).toEqual([[400, 400, 201], 1]);
});
