import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import * as reviews from "@/app/reviews/route";
import { db, feedback, partners, reviewLinks, schedules, users } from "../../db";
import { env } from "../../env";
import { createPartner, suspendPartner } from "../../oauth";
import { openReview } from "../../reviews";
import { claimPublication } from "../../schedules/publish/claim";
import { as, connectAccount, newOwner, readResponse, schedule } from "../../testing";

const LATER = new Date("2031-05-01T12:00:00Z");
const DAY_MS = 86_400_000;

async function newPost(content = "Ding dong") {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const client = as(owner);
  const saying = (text: string) => ({
    socialMediaAccountId: account,
    platformSettings: { type: "TWITTER" },
    posts: [{ content: text }],
  });
  const made = await schedule(client, [saying(content)], LATER);
  const path = `/v1/posts/${made.id}`;
  const change = (text: string, scheduledTime = LATER.toISOString()) =>
    readResponse(client.put(path, { scheduledTime, publications: [saying(text)] }));
  return { owner, client, id: made.id, publicationId: made.publications[0]?.id ?? 0, path, change };
}

type NewPost = Awaited<ReturnType<typeof newPost>>;

async function newLink({ client, path }: NewPost, days = 7) {
  const [status, body] = await readResponse(client.post(`${path}/review-links`, { days }));
  expect(status).toBe(201);
  const { id, url } = body as { id: number; url: string };
  return { id, url, token: new URL(url).searchParams.get("link") ?? "" };
}

const open = (token: string) =>
  reviews.GET(new Request(`${env.appUrl}/reviews?${new URLSearchParams({ link: token })}`));

/** Submits the form like the page does. */
async function say(token: string, fields: { [name: string]: string } = {}, headers: { [name: string]: string } = {}) {
  const shown = (await openReview(token).catch(() => undefined))?.digest.toString("hex") ?? "0".repeat(64);
  const form = {
    link: token,
    name: "Grace",
    text: "Tuesday, not Monday",
    verdict: "CHANGES_REQUESTED",
    shown,
    ...fields,
  };
  return reviews.POST(
    new Request(`${env.appUrl}/reviews`, { method: "POST", body: new URLSearchParams(form), headers }),
  );
}

const itemsOf = async ({ client, path }: NewPost) =>
  ((await readResponse(client.get(`${path}/feedback`)))[1] as { items: { id: number; isCurrent: boolean }[] }).items;
const marked = async ({ client, path }: NewPost) =>
  ((await readResponse(client.get(path)))[1] as { changesRequested?: true }).changesRequested;

describe("a review link", () => {
  test("shows the preview for the chosen number of days; only its hash is stored, and no list shows its URL", async () => {
    const post = await newPost();
    const { id, token, url } = await newLink(post, 3);
    expect(url).toBe(`${env.appUrl}/reviews?link=${token}`);
    const answer = await open(token);
    expect([answer.status, answer.headers.get("location")]).toEqual([303, `/reviews/shown?link=${token}`]);
    const review = await openReview(token);
    expect(review?.shown).toMatchObject({ id: post.id, publications: [{ posts: [{ content: "Ding dong" }] }] });
    expect(Math.abs((review?.endsAt.getTime() ?? 0) - Date.now() - 3 * DAY_MS)).toBeLessThan(60_000);
    const [row] = await db.select().from(reviewLinks).where(eq(reviewLinks.id, id));
    expect(Buffer.from(JSON.stringify(row)).includes(token)).toBe(false);
    expect(await readResponse(post.client.get(`${post.path}/review-links`))).toEqual([
      200,
      { items: [{ id, createdTime: expect.any(String), endTime: expect.any(String) }] },
    ]);
  });

  test.each([0, 31, 1.5, "7"])("400: %j days", async (days) => {
    const { client, path } = await newPost();
    expect((await readResponse(client.post(`${path}/review-links`, { days })))[0]).toBe(400);
  });

  test("shows and accepts nothing once it is revoked or expired, or its post or owner is gone", async () => {
    const ends: [string, number, (post: NewPost, id: number) => Promise<unknown>][] = [
      ["revoked", 404, ({ client, path }, id) => client.delete(`${path}/review-links/${id}`)],
      ["ended", 410, (_, id) => db.update(reviewLinks).set({ expiresAt: "2020-01-01Z" }).where(eq(reviewLinks.id, id))],
      ["deleted", 404, ({ client, path }) => client.delete(path)],
      [
        "owner deleting",
        404,
        ({ owner }) => db.update(users).set({ deletingAt: sql`now()` }).where(eq(users.id, owner)),
      ],
      [
        "owner suspended",
        404,
        ({ owner }) => db.update(users).set({ suspendedAt: sql`now()` }).where(eq(users.id, owner)),
      ],
      [
        "partner suspended",
        404,
        async ({ owner }) => {
          const partner = await createPartner("Ding");
          const [row] = await db.select().from(partners).where(eq(partners.clientId, partner.clientId));
          await db.update(users).set({ partnerId: row?.id, externalUserId: randomUUID() }).where(eq(users.id, owner));
          await suspendPartner(partner.clientId);
        },
      ],
    ];
    for (const [what, status, end] of ends) {
      const post = await newPost();
      const { id, token } = await newLink(post);
      await end(post, id);
      expect([what, (await open(token)).status, (await say(token)).status]).toEqual([what, status, status]);
      expect(await db.select().from(feedback).where(eq(feedback.scheduleId, post.id))).toEqual([]);
    }
    expect((await open(randomUUID())).status).toBe(404);
  });

  test("expires by the clock of the database, not of the web process", async () => {
    const post = await newPost();
    const { id, token } = await newLink(post);
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2050-01-01T00:00:00Z") });
    try {
      expect((await open(token)).status).toBe(303);
      vi.setSystemTime(new Date("2020-01-01T00:00:00Z"));
      await db.update(reviewLinks).set({ expiresAt: sql`now()` }).where(eq(reviewLinks.id, id));
      expect((await open(token)).status).toBe(410);
    } finally {
      vi.useRealTimers();
    }
  });

  test("shows its own feedback with the answer, but not that of other links", async () => {
    const post = await newPost();
    const [mine, other] = [await newLink(post), await newLink(post)];
    await say(mine.token, { text: "for your eyes" });
    const [item] = await itemsOf(post);
    await post.client.patch(`${post.path}/feedback/${item?.id}`, { answer: "Thank you" });
    expect((await openReview(mine.token))?.said).toMatchObject([{ text: "for your eyes", answer: "Thank you" }]);
    expect((await openReview(other.token))?.said).toEqual([]);
  });
});

describe("feedback", () => {
  test("reaches the owner unchanged, and marks the post if changes are requested", async () => {
    const post = await newPost();
    const { token } = await newLink(post);
    const answer = await say(token, { name: " Grace \u202e Hopper\n", text: "<b>Tuesday</b>,\r\nnot Monday " });
    expect([answer.status, answer.headers.get("location")]).toEqual([
      303,
      `/reviews/shown?link=${token}&said=1#feedback`,
    ]);
    expect(await itemsOf(post)).toEqual([
      {
        id: expect.any(Number),
        isCurrent: true,
        name: "Grace Hopper",
        verdict: "CHANGES_REQUESTED",
        text: "<b>Tuesday</b>,\nnot Monday",
        createdTime: expect.any(String),
      },
    ]);
    expect(await marked(post)).toBe(true);
    const [, list] = await readResponse(post.client.get("/v1/posts"));
    expect((list as { items: object[] }).items).toMatchObject([{ id: post.id, changesRequested: true }]);
    expect((await post.change("Ding dong"))[1]).toHaveProperty("changesRequested", true);
  });

  test("does not mark the post for a comment or an approval; an approval needs no text", async () => {
    const post = await newPost();
    const { token } = await newLink(post);
    await say(token, { verdict: "" });
    await say(token, { verdict: "APPROVED", text: "" });
    const [comment, approval] = await itemsOf(post);
    expect(comment).not.toHaveProperty("verdict");
    expect(approval).toMatchObject({ verdict: "APPROVED", text: "" });
    expect(await marked(post)).toBeUndefined();
  });

  test("removes the mark when the last request is closed, and adds it when one is reopened", async () => {
    const post = await newPost();
    const [one, two] = [await newLink(post), await newLink(post)];
    await say(one.token);
    await say(two.token);
    const react = (id: number | undefined, body: object) => post.client.patch(`${post.path}/feedback/${id}`, body);
    const [first, second] = await itemsOf(post);
    const [, closed] = await readResponse(react(first?.id, { answer: "Done", isClosed: true }));
    expect(closed).toMatchObject({ answer: "Done", answeredTime: expect.any(String), closedTime: expect.any(String) });
    expect(await marked(post)).toBe(true);
    await react(second?.id, { isClosed: true });
    expect(await marked(post)).toBeUndefined();
    expect((await readResponse(react(second?.id, { isClosed: false })))[1]).not.toHaveProperty("closedTime");
    expect(await marked(post)).toBe(true);
    expect((await readResponse(react(first?.id, {})))[1]).toMatchObject({
      answer: "Done",
      closedTime: expect.any(String),
    });
  });

  test("an approval withdraws the reviewer's own requests only", async () => {
    const post = await newPost();
    const [one, two] = [await newLink(post), await newLink(post)];
    await say(one.token);
    await say(two.token);
    await say(one.token, { verdict: "APPROVED" });
    expect(await marked(post)).toBe(true);
    await say(two.token, { verdict: "APPROVED" });
    expect(await marked(post)).toBeUndefined();
  });

  test("is current for its content: another text ends that, another time does not, and the old text restores it", async () => {
    const post = await newPost();
    const { token } = await newLink(post);
    await say(token, { verdict: "APPROVED" });
    const current = async () => (await itemsOf(post)).map(({ isCurrent }) => isCurrent);
    await post.change("Ding dong", "2031-06-01T12:00:00Z");
    expect(await current()).toEqual([true]);
    const seen = (await openReview(token))?.digest.toString("hex") ?? "";
    await post.change("Dong ding");
    expect(await current()).toEqual([false]);
    await say(token, { verdict: "APPROVED", shown: seen }); // from a page opened before the change
    await say(token, { verdict: "APPROVED" });
    expect(await current()).toEqual([false, false, true]);
    await post.change("Ding dong");
    expect(await current()).toEqual([true, true, false]);
  });

  test.each<{ when: string; fields: { [name: string]: string }; says: string }>([
    { when: "no name", fields: { name: " \n" }, says: "Your name is missing" },
    { when: "a long name", fields: { name: "n".repeat(81) }, says: "Your name is longer than 80 characters" },
    { when: "no words", fields: { text: " " }, says: "Your comment is missing" },
    { when: "no words and no verdict", fields: { text: "", verdict: "" }, says: "Your comment is missing" },
    { when: "too many words", fields: { text: "w".repeat(2001) }, says: "Your comment is longer than 2000 characters" },
    { when: "no digest", fields: { shown: "x" }, says: "The form is incomplete. Reload the page and try again" },
  ])("400, and nothing is stored: $when", async ({ fields, says }) => {
    const post = await newPost();
    const { token } = await newLink(post);
    const answer = await say(token, fields);
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(`<li>${says}.</li>`)]);
    expect(await itemsOf(post)).toEqual([]);
  });

  test("403 for a form from another site, and accepted from ours", async () => {
    const post = await newPost();
    const { token } = await newLink(post);
    expect((await say(token, {}, { origin: "https://evil.example" })).status).toBe(403);
    expect(await itemsOf(post)).toEqual([]);
    expect((await say(token, {}, { origin: new URL(env.appUrl).origin })).status).toBe(303);
  });

  test("409 for a post that has started, and after 200 pieces of feedback", async () => {
    const post = await newPost();
    const { id, token } = await newLink(post);
    const values = { scheduleId: post.id, linkId: id, name: "G", text: "x", contentDigest: Buffer.alloc(32) };
    await db.insert(feedback).values(Array.from({ length: 199 }, () => values));
    expect((await say(token)).status).toBe(303);
    expect((await say(token)).status).toBe(409);
    const other = await newPost();
    const link = await newLink(other);
    for (const status of ["IN_PROGRESS", "COMPLETED", "FAILED"] as const) {
      await db.update(schedules).set({ status }).where(eq(schedules.id, other.id));
      expect([status, (await say(link.token)).status]).toEqual([status, 409]);
    }
  });

  test("does not stop publishing", async () => {
    const post = await newPost();
    await say((await newLink(post)).token);
    await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, post.id));
    const claim = await claimPublication(post.publicationId, { id: randomUUID(), assertAlive() {} });
    expect(claim?.publicationId).toBe(post.publicationId);
  });

  test("is deleted with its post, and kept when its link is revoked", async () => {
    const post = await newPost();
    const { id, token } = await newLink(post);
    await say(token);
    await post.client.delete(`${post.path}/review-links/${id}`);
    expect(await itemsOf(post)).toHaveLength(1);
    await post.client.delete(post.path);
    expect(await db.select().from(feedback).where(eq(feedback.scheduleId, post.id))).toEqual([]);
  });
});
