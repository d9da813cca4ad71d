import { randomUUID } from "node:crypto";
import { eq, type SQL, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { disconnectAndRevoke, requireReconnect } from "../../accounts";
import { accounts as accountsTable, db, mediaImports, posts, publications, schedules } from "../../db";
import { claimPublication } from "../../schedules/publish/claim";
import { publish } from "../../schedules/publish/publish";
import { settleFailed, settlePublished } from "../../schedules/publish/settle";
import {
  as,
  connectAccount,
  eventsOf,
  imported,
  jpeg,
  newOwner,
  readResponse,
  schedule,
  withFiles,
  withWorker,
} from "../../testing";
import type { EventType } from "../../webhooks";

let picture: Buffer | undefined;
const files = withFiles(11, (request, response) => {
  if (request.url === "/bells.jpg") response.end(picture);
  else response.writeHead(404).end();
});
withWorker();

const worker = { id: randomUUID(), assertAlive() {} };
const later = () => new Date(Date.now() + 3_600_000);

/** The row whose change an event reports. */
type Changed = { table: SQL | Parameters<typeof sql>[1]; id: number };

async function posted(ownerId: string, attachmentPaths: string[] = [], count = 1) {
  const ids = await Promise.all(
    Array.from({ length: count }, async () => (await connectAccount(ownerId, "X_TWITTER")).id),
  );
  const parts = ids.map((id) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: `told ${randomUUID()}`, attachmentPaths }],
  }));
  return (await schedule(as(ownerId), parts, later())).id;
}

/** A due schedule that only this test handles. */
async function claimed(ownerId: string, count = 1) {
  const id = await posted(ownerId, [], count);
  await db.update(publications).set({ dueAt: null }).where(eq(publications.scheduleId, id));
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, id));
  const parts = await db.select().from(publications).where(eq(publications.scheduleId, id)).orderBy(publications.id);
  const claims = [];
  for (const part of parts) claims.push(await claimPublication(part.id, worker));
  const held = claims.flatMap((claim) => {
    const post = claim?.posts[0];
    return claim && post ? [{ claim, post }] : [];
  });
  return { id, held };
}

const out = { id: "1", permalink: "https://x.com/1" };
const refused = { status: "FAILED", message: "refused" } as const;

/** Settles each publication with its outcome. Returns the schedule and the first publication. */
async function settled(ownerId: string, outcomes: ("out" | "refused")[]) {
  const { id, held } = await claimed(ownerId, outcomes.length);
  for (const [index, { claim, post }] of held.entries()) {
    if (outcomes[index] === "out") await settlePublished(claim, post, out);
    else await settleFailed(claim, post, refused);
  }
  return { whole: { table: schedules, id }, part: { table: publications, id: held[0]?.claim.publicationId ?? 0 } };
}

/** Publishes a post, and then its first comment. Without the post's ID, the comment fails. */
async function commented(ownerId: string, isPostKnown: boolean) {
  const { held } = await claimed(ownerId);
  const first = held[0]?.claim;
  if (!first) throw new Error("the publication could not be claimed");
  await publish(first);
  const part = { table: publications, id: first.publicationId };
  const firstComment = { type: "TWITTER", firstComment: "More" };
  // Due in an hour, so that the worker of this file does not send it first. A claim by ID does not wait for that.
  await db
    .update(publications)
    .set({ settings: firstComment, comment: { status: "PENDING" }, commentDueAt: sql`now() + interval '1 hour'` })
    .where(eq(publications.id, part.id));
  if (!isPostKnown) await db.update(posts).set({ networkPostId: null }).where(eq(posts.publicationId, part.id));
  const claim = await claimPublication(part.id, { id: randomUUID(), assertAlive() {} });
  if (claim) await publish(claim);
  return part;
}

/** Causes each event. A new event type without an entry does not compile. Deletion has its own test below. */
const ways: { [T in Exclude<EventType, "post.deleted">]: (ownerId: string) => Promise<Changed> } = {
  "account.connected": async (owner) => ({ table: accountsTable, id: (await connectAccount(owner, "X_TWITTER")).id }),
  "account.reconnect_required": async (owner) => {
    const { id } = await connectAccount(owner, "X_TWITTER");
    await requireReconnect(id, "X wants you back");
    return { table: accountsTable, id };
  },
  "account.disconnected": async (owner) => {
    const { id } = await connectAccount(owner, "X_TWITTER");
    await disconnectAndRevoke(owner, id);
    return { table: accountsTable, id };
  },
  "media.upload.ready": async (owner) => {
    picture = await jpeg(300, 200);
    return { table: mediaImports, id: (await imported(as(owner), { url: `${files().url}/bells.jpg` })).id };
  },
  "media.upload.failed": async (owner) => ({
    table: mediaImports,
    id: (await imported(as(owner), { url: `${files().url}/gone.jpg` })).id,
  }),
  "post.scheduled": async (owner) => ({ table: schedules, id: await posted(owner) }),
  "post.media_import_failed": async (owner) => {
    const id = await posted(owner, [`${files().url}/gone.jpg`]);
    const status = async () => (await db.select().from(schedules).where(eq(schedules.id, id)))[0]?.status;
    await expect.poll(status, { timeout: 45_000 }).toBe("MEDIA_IMPORT_FAILED");
    return { table: schedules, id };
  },
  "post.in_progress": async (owner) => ({ table: schedules, id: (await claimed(owner)).id }),
  "post.completed": async (owner) => (await settled(owner, ["out"])).whole,
  "post.partially_completed": async (owner) => (await settled(owner, ["out", "refused"])).whole,
  "post.failed": async (owner) => (await settled(owner, ["refused"])).whole,
  "publication.published": async (owner) => (await settled(owner, ["out"])).part,
  "publication.failed": async (owner) => (await settled(owner, ["refused"])).part,
  "comment.published": (owner) => commented(owner, true),
  "comment.failed": (owner) => commented(owner, false),
};

test.each(Object.entries(ways))("%s is written in the transaction of its change", async (type, bring) => {
  const owner = await newOwner();
  const { table, id } = await bring(owner);
  // A row has the last 32 bits of the transaction ID that wrote it (PostgreSQL, "System Columns"), an event all 64.
  const { rows } = await db.execute<{ told: string; changed: string }>(sql`
    select mod(e.xid::text::numeric, 4294967296)::text as told, (select xmin::text from ${table} where id = ${id}) as changed
    from events e where e.owner_id = ${owner} and e.type = ${type}`);
  expect(rows).toEqual([{ told: expect.stringMatching(/^\d+$/), changed: rows[0]?.told }]);
});

test("post.deleted is not emitted if the deletion is rolled back", async () => {
  const owner = await newOwner();
  const client = as(owner);
  const id = await posted(owner);
  await db.transaction(async (tx) => {
    // Another transaction locks a part, so the deletion waits at its last step. Ending it there simulates a crash.
    const { rows } = await tx.execute<{ pid: number }>(sql`
      select pg_backend_pid() as pid from publications where schedule_id = ${id} for key share`);
    const deletion = client.delete(`/v1/posts/${id}`);
    await expect.poll(() => endDeletionBehind(rows[0]?.pid ?? 0), { timeout: 45_000 }).toEqual([{ ended: true }]);
    expect((await deletion).status).toBeGreaterThanOrEqual(500);
  });
  expect((await eventsOf(owner)).map(({ type }) => type)).not.toContain("post.deleted");
  expect((await readResponse(client.delete(`/v1/posts/${id}`)))[0]).toBe(204);
  expect((await eventsOf(owner)).map(({ type }) => type)).toContain("post.deleted");
});

/** Ends the connection of a deletion that waits for this one. */
async function endDeletionBehind(pid: number) {
  const { rows } = await db.execute(sql`
    select pg_terminate_backend(pid) as ended from pg_stat_activity
    where ${pid} = any(pg_blocking_pids(pid)) and query ilike 'delete from "schedules"%'`);
  return rows;
}
