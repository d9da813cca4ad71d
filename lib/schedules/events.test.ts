import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, publications, schedules } from "../db";
import { as, type Client, connectAccount, eventsOf, newOwner, read, readResponse } from "../testing";
import { claimPublication } from "./publish/claim";
import { settleFailed, settlePublished } from "./publish/settle";

const worker = { id: randomUUID(), assertAlive() {} };
const HOUR = 3_600_000;

const later = () => new Date(Date.now() + HOUR).toISOString();

async function owned(accounts = 1) {
  const owner = await newOwner();
  const ids = await Promise.all(
    Array.from({ length: accounts }, async () => (await connectAccount(owner, "X_TWITTER")).id),
  );
  const body = (more = {}) => ({
    scheduledTime: later(),
    publications: ids.map((id) => ({
      socialMediaAccountId: id,
      platformSettings: { type: "TWITTER" },
      posts: [{ content: "reported by events", attachmentPaths: [] }],
    })),
    ...more,
  });
  return { owner, client: as(owner), body, told: () => toldOfPosts(owner) };
}

const toldOfPosts = async (owner: string) => (await eventsOf(owner)).filter(({ type }) => !type.startsWith("account."));

async function created(client: Client, body: object) {
  const [status, made] = await readResponse(client.post("/v1/posts", body));
  expect(status).toBe(201);
  return made as { id: number; publications: { id: number }[] };
}

/** A due schedule that only this test's worker picks up. */
async function claimedOf(id: number) {
  await db.update(publications).set({ dueAt: null }).where(eq(publications.scheduleId, id));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, id));
  const parts = await db.select().from(publications).where(eq(publications.scheduleId, id)).orderBy(publications.id);
  const claims = [];
  for (const part of parts) claims.push(await claimPublication(part.id, worker));
  return claims.flatMap((claim) => {
    const post = claim?.posts[0];
    return claim && post ? [{ claim, post }] : [];
  });
}

const out = { id: "1", permalink: "https://x.com/1" };
const types = (events: { type: string }[]) => events.map(({ type }) => type);

describe("post.scheduled", () => {
  test("contains the response of creating and reading the schedule", async () => {
    const { client, body, told: events } = await owned();
    const made = await created(client, body());
    expect(await events()).toEqual([{ type: "post.scheduled", data: made }]);
    expect(await read(client, made.id)).toEqual(made);
  });

  test("is emitted again after a PUT, and not for drafts", async () => {
    const { client, body, told: events } = await owned();
    const { id } = await created(client, body({ isDraft: true }));
    expect(await events()).toEqual([]);
    const [, changed] = await readResponse(client.put(`/v1/posts/${id}`, body()));
    await readResponse(client.put(`/v1/posts/${id}`, body({ isDraft: true })));
    expect(await events()).toEqual([{ type: "post.scheduled", data: changed }]);
  });

  test("is emitted once, however often the same request is repeated", async () => {
    const { client, body, told: events } = await owned();
    const [again, key] = [body(), { "idempotency-key": randomUUID() }];
    for (let i = 0; i < 3; i++) await client.post("/v1/posts", again, key);
    expect(types(await events())).toEqual(["post.scheduled"]);
  });

  test("is not emitted for a rejected request", async () => {
    const { client, body, told: events } = await owned();
    expect((await client.post("/v1/posts", body({ scheduledTime: "2001-01-01" }))).status).toBe(400);
    expect(await events()).toEqual([]);
  });
});

test("post.deleted contains the deleted schedule", async () => {
  const { client, body, told: events } = await owned();
  const made = await created(client, body());
  expect((await client.delete(`/v1/posts/${made.id}`)).status).toBe(204);
  expect((await events()).at(-1)).toEqual({ type: "post.deleted", data: made });
});

describe("publishing", () => {
  test("emits the start once, each publication's end, and the schedule's end once, each with the state at that time", async () => {
    const { client, body, told: events } = await owned(2);
    const { id } = await created(client, body());
    const [first, second] = await claimedOf(id);
    if (!first || !second) throw new Error("not claimed");
    await settlePublished(first.claim, first.post, out);
    const between = await read(client, id);
    await settleFailed(second.claim, second.post, { status: "FAILED", message: "refused" });
    const after = await read(client, id);
    const [, begun, published, failed, whole, ...rest] = await events();
    expect(begun).toMatchObject({
      type: "post.in_progress",
      data: { id, overallStatus: "IN_PROGRESS", publications: [{ status: "IN_PROGRESS" }, { status: "PENDING" }] },
    });
    expect(published).toEqual({
      type: "publication.published",
      data: { scheduleId: id, ...between.publications[0] },
    });
    expect(failed).toEqual({ type: "publication.failed", data: { scheduleId: id, ...after.publications[1] } });
    expect(whole).toEqual({ type: "post.partially_completed", data: after });
    expect(rest).toEqual([]);
  });

  test("emits an unknown outcome as a failure with status UNKNOWN, and the outcome that is found later", async () => {
    const { client, body, told: events } = await owned();
    const { id } = await created(client, body());
    const [one] = await claimedOf(id);
    if (!one) throw new Error("not claimed");
    const unknown = { status: "UNKNOWN", message: "it may be live", lookAgainSeconds: 0 } as const;
    await settleFailed(one.claim, one.post, unknown);
    const again = await claimPublication(one.claim.publicationId, worker);
    if (!again) throw new Error("not claimed again");
    await settleFailed(again, one.post, unknown);
    const found = await claimPublication(one.claim.publicationId, worker);
    if (!found) throw new Error("not claimed again");
    await settlePublished(found, one.post, out);
    expect((await events()).slice(2).map(({ type, data }) => [type, data.status ?? data.overallStatus])).toEqual([
      ["publication.failed", "UNKNOWN"],
      ["post.failed", "FAILED"],
      ["publication.published", "PUBLISHED"],
      ["post.completed", "COMPLETED"],
    ]);
    expect((await read(client, id)).overallStatus).toBe("COMPLETED");
  });

  test("emits nothing for an outcome whose claim was lost", async () => {
    const { client, body, told: events } = await owned();
    const { id } = await created(client, body());
    const [one] = await claimedOf(id);
    if (!one) throw new Error("not claimed");
    await db.update(publications).set({ claimUntil: sql`now()` }).where(eq(publications.scheduleId, id));
    await expect(settlePublished(one.claim, one.post, out)).rejects.toThrow("no longer holds the claim");
    expect(types(await events())).toEqual(["post.scheduled", "post.in_progress"]);
    await db.delete(schedules).where(eq(schedules.id, id));
  });

  test("starts again after a retry, and concurrent retries count once", async () => {
    const { client, body, told: events } = await owned();
    const { id } = await created(client, body());
    const [one] = await claimedOf(id);
    if (!one) throw new Error("not claimed");
    await settleFailed(one.claim, one.post, { status: "FAILED", message: "refused" });
    await Promise.all(Array.from({ length: 5 }, () => client.post(`/v1/posts/${id}/retry`, {})));
    expect(types(await events())).toEqual([
      "post.scheduled",
      "post.in_progress",
      "publication.failed",
      "post.failed",
      "post.in_progress",
    ]);
    await db.delete(schedules).where(eq(schedules.id, id));
  });
});
