import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { disconnectAndRevoke, requireReconnect } from "../../accounts";
import { db, events, schedules, type Tx } from "../../db";
import { purgeExpired } from "../../jobs/purge";
import {
  as,
  type Client,
  connectAccount,
  eventsOf,
  fault,
  imported,
  jpeg,
  newOwner,
  readResponse,
  schedule,
  settled,
  shown,
  withFiles,
  withWorker,
} from "../../testing";
import { misfits } from "../../testing/contract";
import { emit, eventTypes } from "../../webhooks";
import { openApiDocument } from "..";

let picture: Buffer | undefined;
const files = withFiles(6, (request, response) => {
  if (request.url === "/bells.jpg") response.end(picture);
  else response.writeHead(404).end();
});
withWorker();

type Page = {
  items: { id: string; type: string; timestamp: string; data: { n?: number } }[];
  nextCursor: string;
  hasMore: boolean;
};

async function pull(client: Client, since?: string, limit = 100): Promise<Page> {
  const query = `limit=${limit}${since ? `&since=${since}` : ""}`;
  const [status, page] = await readResponse(client.get(`/v1/events?${query}`));
  expect(status).toBe(200);
  return page as Page;
}

const emitNumbered = (tx: Tx, ownerId: string, n: number) =>
  emit(tx, [{ ownerId, type: "post.scheduled", data: { n } }]);
const numbers = ({ items }: Page) => items.map(({ data }) => data.n);

describe("the log", () => {
  test("shows fewer very long events than the limit, so that they do not delay other requests, and continues with the rest", async () => {
    const owner = await newOwner();
    const text = "a".repeat(1_000_000);
    for (let n = 1; n <= 9; n++) await emit(db, [{ ownerId: owner, type: "post.scheduled", data: { n, text } }]);
    await shown(owner);
    const first = await pull(as(owner));
    const second = await pull(as(owner), first.nextCursor);
    expect([first, second].map((page) => [numbers(page), page.hasMore])).toEqual([
      [[1, 2, 3, 4, 5, 6, 7, 8], true],
      [[9], false],
    ]);
  });

  test("continues from a cursor, replays from any cursor, and starts at the end with now", async () => {
    const owner = await newOwner();
    const client = as(owner);
    for (let n = 1; n <= 5; n++) await emitNumbered(db, owner, n);
    await shown(owner);
    const first = await pull(client, undefined, 2);
    const second = await pull(client, first.nextCursor, 2);
    const third = await pull(client, second.nextCursor, 2);
    expect([first, second, third].map((page) => [numbers(page), page.hasMore])).toEqual([
      [[1, 2], true],
      [[3, 4], true],
      [[5], false],
    ]);
    expect(await pull(client, first.nextCursor, 2)).toEqual(second);
    const empty = await pull(client, third.nextCursor);
    expect([empty.items, empty.nextCursor]).toEqual([[], third.nextCursor]);
    const now = await pull(client, "now");
    await emitNumbered(db, owner, 6);
    await expect.poll(async () => numbers(await pull(client, now.nextCursor)), { timeout: 45_000 }).toEqual([6]);
    expect(numbers(await pull(client, third.nextCursor))).toEqual([6]);
  });

  test("never shows an event before a returned cursor, in whichever order open transactions commit", async () => {
    const owner = await newOwner();
    const client = as(owner);
    const seen: (number | undefined)[] = [];
    let since: string | undefined;
    const readOn = async () => {
      const page = await pull(client, since);
      seen.push(...numbers(page));
      since = page.nextCursor;
    };
    await emitNumbered(db, owner, 1);
    await db.transaction(async (older) => {
      await emitNumbered(older, owner, 2);
      await db.transaction(async (newer) => {
        await emitNumbered(newer, owner, 3);
      });
      await readOn();
      expect(seen).not.toContain(3);
      await emitNumbered(older, owner, 4);
    });
    await expect.poll(() => readOn().then(() => seen), { timeout: 45_000 }).toHaveLength(4);
    expect(seen).toEqual([1, 2, 4, 3]);
  });

  test.each(["nonsense", Buffer.from('["1"]').toString("base64url"), Buffer.from('["-1",0]').toString("base64url")])(
    "400: %s is not a cursor",
    async (since) => {
      const [status, body] = await readResponse(as(await newOwner()).get(`/v1/events?since=${since}`));
      expect([status, body]).toEqual([400, { error: "since is not a cursor from an earlier response" }]);
    },
  );

  test("403 without the scope", async () => {
    expect((await as(await newOwner(), ["posts.read", "accounts.read"]).get("/v1/events")).status).toBe(403);
  });
});

test("every event matches the OpenAPI document", async () => {
  picture = await jpeg(300, 200);
  const owner = await newOwner();
  const client = as(owner);
  const { id: x, person } = await connectAccount(owner, "X_TWITTER");
  const { id: linkedIn } = await connectAccount(owner, "LINKEDIN");
  let n = 0;
  const on = (id: number, type: string, attachmentPaths: string[] = []) => ({
    socialMediaAccountId: id,
    platformSettings: { type },
    posts: [{ content: `told ${person} ${n++}`, attachmentPaths }],
  });
  await imported(client, { url: `${files().url}/bells.jpg` });
  const later = new Date(Date.now() + 3_600_000);
  const { id: kept } = await schedule(client, [on(x, "TWITTER")], later);
  await client.delete(`/v1/posts/${kept}`);
  const { id: without } = await schedule(client, [on(x, "TWITTER", [`${files().url}/gone.jpg`])], later);
  const toldOf = (type: string) =>
    expect.poll(async () => (await eventsOf(owner)).map((event) => event.type), { timeout: 45_000 }).toContain(type);
  await toldOf("post.media_import_failed");
  await db.delete(schedules).where(eq(schedules.id, without));
  await settled(client, (await schedule(client, [on(x, "TWITTER")])).id);
  const commented = () => ({
    ...on(x, "TWITTER"),
    platformSettings: { type: "TWITTER", firstComment: `Comment ${n}` },
  });
  await settled(client, (await schedule(client, [commented()])).id);
  await toldOf("comment.published");
  await fault({ network: "x", operation: "publish", fault: "duplicate", every: 2, account: person }); // the post, then the comment
  await settled(client, (await schedule(client, [commented()])).id);
  await toldOf("comment.failed");
  await requireReconnect(linkedIn, "LinkedIn wants you back");
  await settled(client, (await schedule(client, [on(x, "TWITTER"), on(linkedIn, "LINKEDIN")])).id);
  await settled(client, (await schedule(client, [on(linkedIn, "LINKEDIN")])).id);
  await disconnectAndRevoke(owner, linkedIn);
  const { webhooks } = openApiDocument();
  await shown(owner);
  const { items } = await pull(client);
  for (const { id: _, ...event } of items) {
    const schema = webhooks[event.type]?.post.requestBody.content["application/json"]?.schema ?? {};
    expect([event.type, misfits(schema, event)]).toEqual([event.type, []]);
  }
  expect([...new Set(items.map(({ type }) => type))].sort()).toEqual([...eventTypes].sort());
  expect(Object.keys(webhooks).sort()).toEqual([...eventTypes].sort());
}, 60_000);

test("only events older than 30 days are removed", async () => {
  const owner = await newOwner();
  for (const n of [1, 2]) await emitNumbered(db, owner, n);
  const old = sql`owner_id = ${owner} and data ->> 'n' = '1'`;
  // At the beginning of the log, where old events are.
  await db.update(events).set({ xid: "1", createdAt: sql`now() - interval '30 days 1 minute'` }).where(old);
  expect((await purgeExpired()).events).toBeGreaterThan(0);
  expect((await eventsOf(owner)).map(({ data }) => data.n)).toEqual([2]);
});
