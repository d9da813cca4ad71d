import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { accounts, db, publications, publishSteps } from "../../db";
import {
  as,
  callsOn,
  connectAccount,
  fault,
  newOwner,
  picture,
  postsOn,
  read,
  readResponse,
  type Seen,
  schedule,
  settled,
  withWorker,
} from "../../testing";

withWorker();

async function owned() {
  const owner = await newOwner();
  const { id: account, person } = await connectAccount(owner, "X_TWITTER");
  const on = (...posts: object[]) => ({
    socialMediaAccountId: account,
    platformSettings: { type: "TWITTER" },
    posts: posts.map((post) => ({ ...post })),
  });
  return { owner, account, person, client: as(owner), on };
}

const setState = (account: number, state: "ACTIVE" | "RECONNECT_REQUIRED") =>
  db.update(accounts).set({ state }).where(eq(accounts.id, account));

/** A schedule whose only publication failed because its account had to be reconnected, which has happened since. */
async function failed(content: string) {
  const one = await owned();
  await setState(one.account, "RECONNECT_REQUIRED");
  const { id } = await schedule(one.client, [one.on({ content })]);
  expect((await settled(one.client, id)).overallStatus).toBe("FAILED");
  await setState(one.account, "ACTIVE");
  return { ...one, id };
}

/** A schedule whose post was sent without an answer 16 minutes ago. `live`: the network has published it. */
async function unknown(platform: "X_TWITTER" | "TELEGRAM", { live }: { live: boolean }) {
  const owner = await newOwner();
  const { id: account, person } = await connectAccount(owner, platform);
  const client = as(owner);
  const type = platform === "TELEGRAM" ? "TELEGRAM" : "TWITTER";
  const posts = [{ content: `in doubt ${person}` }];
  const [, chats] =
    platform === "TELEGRAM" ? await readResponse(client.get(`/v1/accounts/${account}/chats?platform=${platform}`)) : [];
  const chatId = (chats as { id: string }[] | undefined)?.[0]?.id;
  const publication = {
    socialMediaAccountId: account,
    platformSettings: { type },
    posts: posts.map((post) => ({ ...post, chatId })),
  };
  const made = await schedule(client, [publication], new Date(Date.now() + (live ? 0 : 3_600_000)));
  const post = made.publications[0]?.posts[0]?.id ?? 0;
  if (live) await settled(client, made.id);
  await db.delete(publishSteps).where(eq(publishSteps.postId, post));
  await db.insert(publishSteps).values({
    postId: post,
    name: platform === "TELEGRAM" ? "send" : "post",
    state: "SENDING",
    irreversible: true,
    workerId: randomUUID(),
    startedAt: sql`now() - interval '16 minutes'`,
  });
  await db.execute(sql`update posts set status = 'UNKNOWN', network_post_id = null, error = 'x' where id = ${post}`);
  // A network that cannot be read is not looked at again.
  const dueAt = platform === "TELEGRAM" ? sql`null` : sql`now() + interval '1 hour'`;
  await db.execute(sql`update publications set status = 'UNKNOWN', due_at = ${dueAt} where schedule_id = ${made.id}`);
  await db.execute(sql`update schedules set status = 'FAILED', scheduled_time = now() where id = ${made.id}`);
  return { client, person, id: made.id, network: platform === "TELEGRAM" ? "telegram" : "x" };
}

const retry = (client: ReturnType<typeof as>, id: number, body = {}) =>
  readResponse(client.post(`/v1/posts/${id}/retry`, body));

describe("200", () => {
  test("publishes a failed publication at once, and emits its event only then", async () => {
    const { client, id, person } = await failed("again");
    const [status, body] = await retry(client, id);
    expect([status, body]).toMatchObject([200, { id, overallStatus: "IN_PROGRESS" }]);
    expect((body as Seen).publications[0]?.posts[0]).not.toHaveProperty("error");
    const seen = await settled(client, id);
    expect(seen.overallStatus).toBe("COMPLETED");
    expect((await postsOn("x", person)).map(({ text }) => text)).toEqual(["again"]);
  });

  test("does not touch published publications or the published posts of a thread", async () => {
    const { owner, client, on, person } = await owned();
    const other = await connectAccount(owner, "X_TWITTER");
    const image = await picture(owner);
    const lost = randomUUID();
    const made = await schedule(
      client,
      [
        on({ content: "one" }, { content: "two", attachmentPaths: [image] }),
        { ...on({ content: "other" }), socialMediaAccountId: other.id },
      ],
      new Date(Date.now() + 3_600_000),
    );
    await db.execute(sql`update media set key = ${lost} where key = ${image}`);
    await db.execute(sql`update schedules set scheduled_time = now() where id = ${made.id}`);
    await db.execute(sql`update publications set due_at = now() where schedule_id = ${made.id}`);
    expect((await settled(client, made.id)).overallStatus).toBe("PARTIALLY_COMPLETED");
    await db.execute(sql`update media set key = ${image} where key = ${lost}`);
    expect((await retry(client, made.id))[0]).toBe(200);
    expect((await settled(client, made.id)).overallStatus).toBe("COMPLETED");
    const thread = await postsOn("x", person);
    expect(thread.map(({ text }) => text)).toEqual(["one", "two"]);
    expect(thread[1]?.replyTo).toBe(thread[0]?.id);
    expect(await postsOn("x", other.person)).toHaveLength(1);
  });

  test("a day later, the new attempt has its own 24 hours", async () => {
    const { client, id } = await failed("late");
    await db.execute(sql`update schedules set scheduled_time = now() - interval '3 days' where id = ${id}`);
    await retry(client, id);
    expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
  });
});

describe("GET /v1/posts?missed=true", () => {
  const missed = async (client: ReturnType<typeof as>, more = "") => {
    const [, page] = await readResponse(client.get(`/v1/posts?missed=true${more}`));
    return (page as { items: Seen[] }).items.map(({ id }) => id);
  };

  test("lists what failed because its account needed reconnecting, only while the account is connected and until it is retried", async () => {
    const { client, account, on, id } = await failed("missed");
    const [published] = [await schedule(client, [on({ content: "not missed" })])];
    await settled(client, published.id);
    expect(await missed(client)).toEqual([id]);
    expect(await missed(client, "&status=PARTIALLY_COMPLETED")).toEqual([]);
    expect(await missed(client, `&from=${new Date(Date.now() + 60_000).toISOString()}`)).toEqual([]);
    await setState(account, "RECONNECT_REQUIRED");
    expect(await missed(client)).toEqual([]);
    await setState(account, "ACTIVE");
    await db.update(accounts).set({ disconnectedAt: sql`now()` }).where(eq(accounts.id, account));
    expect(await missed(client)).toEqual([]);
    await db.update(accounts).set({ disconnectedAt: null }).where(eq(accounts.id, account));
    await retry(client, id);
    await settled(client, id);
    expect(await missed(client)).toEqual([]);
  });

  test("leaves out a post that failed for another reason", async () => {
    const { client, on, person } = await owned();
    await fault({ network: "x", account: person, operation: "publish", fault: "duplicate" });
    const { id } = await schedule(client, [on({ content: "rejected" })]);
    expect((await settled(client, id)).overallStatus).toBe("FAILED");
    expect(await missed(client)).toEqual([]);
  });
});

describe("a release without the column `is_missed`", () => {
  test("stored posts whose messages say that they were missed", async () => {
    const { client, id } = await failed("earlier release");
    await db.update(publications).set({ isMissed: null }).where(eq(publications.scheduleId, id));
    const [, page] = await readResponse(client.get("/v1/posts?missed=true"));
    expect(page).toMatchObject({ items: [{ id, publications: [{ missed: true }] }] });
    await db.update(publications).set({ isMissed: false }).where(eq(publications.scheduleId, id));
    expect(await readResponse(client.get("/v1/posts?missed=true"))).toMatchObject([200, { items: [] }]);
  });
});

/** A post that failed on two accounts: the first needed reconnecting, and the network refused it on the second. */
async function failedTwice() {
  const one = await owned();
  const other = await connectAccount(one.owner, "X_TWITTER");
  await setState(one.account, "RECONNECT_REQUIRED");
  await fault({ network: "x", account: other.person, operation: "publish", fault: "duplicate", times: 1 });
  const part = one.on({ content: "on both" });
  const { id } = await schedule(one.client, [part, { ...part, socialMediaAccountId: other.id }]);
  expect(await settled(one.client, id)).toMatchObject({ overallStatus: "FAILED" });
  await setState(one.account, "ACTIVE");
  const shown = async () => {
    const [, seen] = await readResponse(one.client.get(`/v1/posts/${id}`));
    return (seen as { publications: object[] }).publications;
  };
  return { ...one, other, id, shown };
}

describe("a post that failed on several accounts", () => {
  test("says which of them missed it, and a retry can be only for those", async () => {
    const { client, account, person, other, id, shown } = await failedTwice();
    const [missed, refused] = await shown();
    expect(missed).toMatchObject({ socialMediaAccountId: account, missed: true });
    expect(refused).not.toHaveProperty("missed");
    expect((await retry(client, id, { accountIds: [account] }))[0]).toBe(200);
    expect((await settled(client, id)).overallStatus).toBe("PARTIALLY_COMPLETED");
    expect(await postsOn("x", person)).toHaveLength(1);
    expect(await shown()).toMatchObject([
      { status: "PUBLISHED" },
      { socialMediaAccountId: other.id, status: "FAILED" },
    ]);
    expect(await postsOn("x", other.person)).toEqual([]);
    expect(await retry(client, id, { accountIds: [account] })).toEqual([
      409,
      { error: `Post ${id} has not failed on any account, so there is nothing to retry` },
    ]);
  });

  test("can be left unpublished on one account or on all, until it is retried", async () => {
    const { client, account, other, id, shown } = await failedTwice();
    const listed = async (filter: string) => {
      const [, page] = await readResponse(client.get(`/v1/posts?${filter}=true`));
      return (page as { items: Seen[] }).items.map((one) => one.id);
    };
    expect([await listed("missed"), await listed("needsAttention")]).toEqual([[id], [id]]);
    expect((await client.post(`/v1/posts/${id}/leave`, { accountIds: [account] })).status).toBe(200);
    expect([await listed("missed"), await listed("needsAttention")]).toEqual([[], [id]]);
    expect(await shown()).toMatchObject([{ leftTime: expect.any(String) }, { socialMediaAccountId: other.id }]);
    expect((await client.post(`/v1/posts/${id}/leave`, {})).status).toBe(200);
    expect(await listed("needsAttention")).toEqual([]);
    await setState(account, "RECONNECT_REQUIRED");
    await retry(client, id, { accountIds: [account] });
    await settled(client, id);
    expect(await listed("needsAttention")).toEqual([id]);
    await setState(account, "ACTIVE");
    expect(await listed("missed")).toEqual([id]);
  });
});

describe("an UNKNOWN publication is looked up and never sent blindly", () => {
  test("becomes PUBLISHED if the network has it", async () => {
    const { client, id, person } = await unknown("X_TWITTER", { live: true });
    await db.execute(
      sql`update publish_steps set started_at = now() - interval '1 minute' where post_id in (select p.id from posts p join publications q on q.id = p.publication_id where q.schedule_id = ${id})`,
    );
    expect((await retry(client, id))[0]).toBe(200);
    expect(await settled(client, id)).toMatchObject({
      overallStatus: "COMPLETED",
      publications: [{ status: "PUBLISHED", posts: [{ status: "PUBLISHED", networkPostId: expect.any(String) }] }],
    });
    expect(await callsOn("x", person, "publish")).toHaveLength(1);
  });

  test("stays UNKNOWN if it is not found", async () => {
    const { client, id, person, network } = await unknown("X_TWITTER", { live: false });
    expect((await retry(client, id))[0]).toBe(200);
    expect(await settled(client, id)).toMatchObject({
      overallStatus: "FAILED",
      publications: [
        { status: "UNKNOWN", posts: [{ status: "UNKNOWN", error: expect.stringMatching(/may be live/) }] },
      ],
    });
    expect(await callsOn(network, person, "publish")).toEqual([]);
    expect(await postsOn(network, person)).toEqual([]);
  });
});

describe("sendAgain", () => {
  test.each(["X_TWITTER", "TELEGRAM"] as const)(
    "%s: sends the post once, as the network does not show it",
    async (platform) => {
      const { client, id, person, network } = await unknown(platform, { live: false });
      expect((await retry(client, id, { sendAgain: true }))[0]).toBe(200);
      expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
      expect(await callsOn(network, person, "publish")).toHaveLength(1);
      expect(await postsOn(network, person)).toHaveLength(1);
    },
  );

  test("does not send a post that the network shows", async () => {
    const { client, id, person } = await unknown("X_TWITTER", { live: true });
    await db.execute(
      sql`update publish_steps set started_at = now() - interval '1 minute' where post_id in (select p.id from posts p join publications q on q.id = p.publication_id where q.schedule_id = ${id})`,
    );
    await retry(client, id, { sendAgain: true });
    expect((await settled(client, id)).overallStatus).toBe("COMPLETED");
    expect(await callsOn("x", person, "publish")).toHaveLength(1);
  });

  test("allows one more call: a second lost answer is UNKNOWN again", async () => {
    const { client, id, person } = await unknown("TELEGRAM", { live: false });
    await fault({ network: "telegram", operation: "publish", account: person, fault: "drop_response" });
    await retry(client, id, { sendAgain: true });
    expect((await settled(client, id)).publications[0]?.status).toBe("UNKNOWN");
    expect(await postsOn("telegram", person)).toHaveLength(1);
    expect((await retry(client, id))[0]).toBe(409);
  });
});

describe("400", () => {
  test.each([{ sendAgain: "yes" }, { again: true }, []])("%j", async (body) => {
    const { client, id } = await failed("odd body");
    expect((await retry(client, id, body))[0]).toBe(400);
    expect((await client.request(`/v1/posts/${id}/retry`, { method: "POST" })).status).toBe(200);
  });
});

describe("409", () => {
  test("names sendAgain if the network cannot be read, and sends nothing", async () => {
    const { client, id, network, person } = await unknown("TELEGRAM", { live: false });
    expect(await retry(client, id)).toEqual([
      409,
      {
        error: `Telegram cannot tell whether post ${id} is live. Look there. If it is not there, retry with { "sendAgain": true }`,
      },
    ]);
    expect((await read(client, id)).publications[0]?.status).toBe("UNKNOWN");
    expect(await callsOn(network, person, "publish")).toEqual([]);
  });

  test("parallel calls make one new attempt; the others are 409", async () => {
    const { client, id, person } = await failed("once");
    const answers = await Promise.all(Array.from({ length: 8 }, () => retry(client, id)));
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    for (const [status, body] of answers.filter(([code]) => code !== 200)) {
      expect([status, body]).toEqual([
        409,
        { error: expect.stringMatching(/is already being published|has not failed/) },
      ]);
    }
    await settled(client, id);
    expect(await postsOn("x", person)).toHaveLength(1);
  });

  test("while it is being published", async () => {
    const { client, id } = await failed("busy");
    await db.execute(sql`update schedules set status = 'IN_PROGRESS' where id = ${id}`);
    expect(await retry(client, id)).toEqual([409, { error: `Post ${id} is already being published` }]);
  });

  test("if nothing has failed: scheduled, a draft, or all published", async () => {
    const { client, on } = await owned();
    const says = (id: number) => [
      409,
      { error: `Post ${id} has not failed on any account, so there is nothing to retry` },
    ];
    const { id: later } = await schedule(client, [on({ content: "later" })], new Date(Date.now() + 3_600_000));
    expect(await retry(client, later)).toEqual(says(later));
    const { id: out } = await schedule(client, [on({ content: "out" })]);
    await settled(client, out);
    expect(await retry(client, out)).toEqual(says(out));
    const [, draft] = await readResponse(
      client.post("/v1/posts", { isDraft: true, publications: [on({ content: "" })] }),
    );
    expect(await retry(client, (draft as Seen).id)).toEqual(says((draft as Seen).id));
    expect((await read(client, later)).overallStatus).toBe("SCHEDULED");
  });
});

test("404 for someone else's schedule and a missing one", async () => {
  const { id } = await failed("mine");
  const other = as(await newOwner());
  expect(await retry(other, id)).toEqual([404, { error: `Posting schedule not found: ${id}` }]);
  expect(await retry(other, 999_999_999)).toEqual([404, { error: "Posting schedule not found: 999999999" }]);
});
