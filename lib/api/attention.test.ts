import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { requireReconnect } from "../accounts";
import { accounts, db, publications, schedules, webhookEndpoints } from "../db";
import { createFeedback } from "../reviews";
import { as, connectAccount, newOwner, readResponse, schedule } from "../testing";

type Attention = { time: string; isMore: boolean; items: { kind: string; isUnread: boolean; post?: { id: number } }[] };

async function person() {
  const owner = await newOwner();
  const client = as(owner);
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const on = [{ socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] }];
  const attention = async (): Promise<Attention> => {
    const [status, body] = await readResponse(client.get("/v1/me/attention"));
    expect(status).toBe(200);
    return body as Attention;
  };
  return {
    owner,
    client,
    account,
    on,
    attention,
    kinds: async () => (await attention()).items.map(({ kind }) => kind),
  };
}

type Person = Awaited<ReturnType<typeof person>>;

/** Posts that failed this many days ago. */
async function failed({ owner, account }: Person, count: number, daysAgo = 1): Promise<void> {
  await db.execute(sql`
    with made as (
      insert into schedules (owner_id, status, scheduled_time)
      select ${owner}, 'FAILED', now() - make_interval(days => ${daysAgo}) from generate_series(1, ${count}::int) returning id
    ), parts as (
      insert into publications (schedule_id, account_id, position, settings, status)
      select id, ${account}, 0, '{"type": "TWITTER"}', 'FAILED' from made returning id
    )
    insert into posts (publication_id, position, content, attachment_paths, status)
    select id, 0, 'a', '{}', 'FAILED' from parts`);
}

describe("GET /v1/me/attention", () => {
  test("lists each kind with what is needed to solve it, the newest first", async () => {
    const ada = await person();
    expect(await ada.kinds()).toEqual([]);
    await failed(ada, 1);
    const later = await schedule(ada.client, ada.on, new Date(Date.now() + 3_600_000));
    const [, link] = await readResponse(ada.client.post(`/v1/posts/${later.id}/review-links`, { days: 1 }));
    const token = new URL((link as { url: string }).url).searchParams.get("link") ?? "";
    await createFeedback(token, {
      name: "Grace",
      text: "Not yet",
      verdict: "CHANGES_REQUESTED",
      digest: "0".repeat(64),
    });
    const [endpoint] = await db
      .insert(webhookEndpoints)
      .values({
        ownerId: ada.owner,
        url: "https://hooks.example/a",
        events: ["post.failed"],
        secretSealed: Buffer.alloc(1),
        disabledAt: sql`now()`,
        disabledReason: "It answered 410 Gone",
      })
      .returning();
    await requireReconnect(ada.account, "X no longer accepts this account's permission");
    expect((await ada.attention()).items).toMatchObject([
      { kind: "ACCOUNT_TO_RECONNECT", account: { id: ada.account, state: "RECONNECT_REQUIRED" } },
      { kind: "WEBHOOK_DISABLED", webhook: { id: endpoint?.id, disabledReason: "It answered 410 Gone" } },
      { kind: "CHANGES_REQUESTED", reviewer: "Grace", post: { id: later.id } },
      { kind: "POST_FAILED", post: { overallStatus: "FAILED" } },
    ]);
  });

  test("leaves out what was left unpublished, what was solved and what a person disabled", async () => {
    const ada = await person();
    await failed(ada, 1);
    const [post] = (await ada.attention()).items;
    await ada.client.post(`/v1/posts/${post?.post?.id}/leave`, {});
    await db.insert(webhookEndpoints).values({
      ...{ ownerId: ada.owner, url: "https://hooks.example/b", events: [], secretSealed: Buffer.alloc(1) },
      disabledAt: sql`now()`,
    });
    await requireReconnect(ada.account, "gone");
    expect(await ada.kinds()).toEqual(["ACCOUNT_TO_RECONNECT"]);
    await db.update(accounts).set({ state: "ACTIVE" }).where(eq(accounts.id, ada.account));
    expect(await ada.kinds()).toEqual([]);
  });

  test("finds the newest failures among thousands of posts, and says that there are more", async () => {
    const ada = await person();
    await failed(ada, 60);
    await failed(ada, 40, 31);
    await db.execute(sql`
      insert into schedules (owner_id, status, scheduled_time)
      select ${ada.owner}, 'COMPLETED', now() - n * interval '1 minute' from generate_series(1, 5000) n`);
    const { items, isMore } = await ada.attention();
    expect([items.length, isMore]).toEqual([50, true]);
    const left = db.select({ id: schedules.id }).from(schedules).where(eq(schedules.ownerId, ada.owner));
    await db.update(publications).set({ leftAt: sql`now()` }).where(sql`${publications.scheduleId} in (${left})`);
    expect(await ada.kinds()).toEqual([]);
  });
});

test("PUT /v1/me/attention keeps what was read, and only newer items are unread", async () => {
  const ada = await person();
  await requireReconnect(ada.account, "gone");
  const unread = async () => (await ada.attention()).items.map(({ isUnread }) => isUnread);
  expect(await unread()).toEqual([true]);
  const { time } = await ada.attention();
  expect((await ada.client.put("/v1/me/attention", { readTime: time })).status).toBe(204);
  expect(await unread()).toEqual([false]);
  await ada.client.put("/v1/me/attention", { readTime: "2020-01-01T00:00:00Z" });
  expect(await unread()).toEqual([false]);
  await db.update(accounts).set({ stateSince: sql`now() + interval '1 second'` }).where(eq(accounts.id, ada.account));
  expect(await unread()).toEqual([true]);
});

test("GET /v1/accounts/plans counts what waits on each account, beside its posting times", async () => {
  const ada = await person();
  const { id: other } = await connectAccount(ada.owner, "X_TWITTER");
  await ada.client.put(`/v1/accounts/${other}/slots`, {
    timeZone: "Europe/Berlin",
    slots: [{ weekday: "MONDAY", time: "09:30" }],
  });
  const [first, second] = [new Date(Date.now() + 3_600_000), new Date(Date.now() + 7_200_000)];
  await schedule(ada.client, ada.on, second);
  await schedule(ada.client, ada.on, first);
  await failed(ada, 1);
  await ada.client.post("/v1/posts", { isDraft: true, scheduledTime: first.toISOString(), publications: ada.on });
  expect(await readResponse(ada.client.get("/v1/accounts/plans"))).toEqual([
    200,
    [
      { accountId: ada.account, slots: [], scheduled: 2, nextTime: first.toISOString() },
      {
        accountId: other,
        timeZone: "Europe/Berlin",
        slots: [{ weekday: "MONDAY", time: "09:30" }],
        scheduled: 0,
      },
    ],
  ]);
});
